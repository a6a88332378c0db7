//! The course of a ticket: told of each response, it says what is asked next.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::session::{Attempt, Exchange, Marks, Session, Standing, Termination, Tried};
use crate::card::CARD;
use crate::judge::Verdict;
use crate::recording::{Hits, Matching, Pick, RecordedCall};
use probity_bench::Options;

pub trait Goal {
    fn calls(&self) -> &[RecordedCall];
}

pub trait Judge {
    /// Whether a reply conveys what the recorded reply of a checkpoint does.
    fn covers(&mut self, reply: &str, checkpoint: usize, behind: &[Exchange]) -> Verdict;

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Ask(usize),
    /// The same query again; what the agent did since is taken back.
    Again(usize),
    Over(Termination),
}

#[derive(Clone, Debug)]
pub struct Course<G> {
    goals: Arc<[G]>,
    pub rules: Rules,
    /// The checkpoint that is open, from 1; one more than there are when all are covered.
    pub open: usize,
    /// The last that is asked.
    last: usize,
    /// The attempts at the open one so far.
    earlier: Vec<Tried>,
    pub sessions: Vec<Session>,
    /// What was said and accepted.
    pub behind: Vec<Exchange>,
    pub standing: Vec<Standing>,
    pub end: Option<Termination>,
    /// How many replies were held against a checkpoint.
    pub judged: u32,
}

impl<G: Goal> Course<G> {
    /// The course of a ticket with at least one checkpoint, the first of which is asked now.
    pub fn new(goals: &Arc<[G]>, rules: Rules) -> Course<G> {
        let standing = vec![Standing::Unreached; goals.len()];
        Course {
            goals: Arc::clone(goals),
            rules,
            open: 1,
            last: goals.len(),
            earlier: Vec::new(),
            sessions: Vec::new(),
            behind: Vec::new(),
            standing,
            end: None,
            judged: 0,
        }
    }

    /// The course of one checkpoint alone, from 1, after what was said before it.
    pub fn alone(goals: &Arc<[G]>, number: usize, behind: Vec<Exchange>, rules: Rules) -> Course<G> {
        Course { open: number, last: number, behind, ..Course::new(goals, rules) }
    }

    /// Takes the response to the query that was asked last.
    pub fn take(&mut self, attempt: Attempt, judge: &mut dyn Judge) -> Next {
        let last = self.tried(attempt, judge);
        let is_accepted = last.accepted;
        if !is_accepted && self.earlier.len() + 1 < self.rules.attempts as usize {
            self.earlier.push(last);
            return Next::Again(self.open);
        }
        let next = if is_accepted { self.first_uncovered(&last.attempt, judge) } else { self.open };
        let earlier = std::mem::take(&mut self.earlier);
        self.sessions.push(Session { checkpoint: self.open, behind: self.behind.len(), earlier, last, next });
        match is_accepted {
            true => self.go_on(next, judge),
            false => {
                self.stand(self.open, Standing::Failed);
                self.over(Termination::Rejected)
            }
        }
    }

    /// An attempt with its marks at the open checkpoint.
    fn tried(&mut self, attempt: Attempt, judge: &mut dyn Judge) -> Tried {
        let rr = self.covers(&attempt, self.open, judge);
        let recorded = self.goals.get(self.open - 1).map(Goal::calls).unwrap_or_default();
        let coverage = Hits::count(recorded, &attempt.calls, self.rules.matching).coverage();
        let is_right = self.rules.policy == Policy::Reply || coverage.is_whole();
        Tried { attempt, marks: Marks { rr, coverage }, accepted: rr == Verdict::Yes && is_right }
    }

    fn covers(&mut self, attempt: &Attempt, checkpoint: usize, judge: &mut dyn Judge) -> Verdict {
        self.judged += 1;
        let reply = attempt.reply.as_deref();
        reply.map_or(Verdict::No, |reply| judge.covers(reply, checkpoint, &self.behind))
    }

    /// Checkpoints that a response covers beside its own, without a gap.
    fn first_uncovered(&mut self, attempt: &Attempt, judge: &mut dyn Judge) -> usize {
        let goals = Arc::clone(&self.goals);
        let mut next = self.open + 1;
        while let Some(goal) = goals.get(next - 1).filter(|_| next <= self.last) {
            // The calls made for its own checkpoint do not stand in the way of a plain one.
            let hits = Hits::count(goal.calls(), &attempt.calls, self.rules.matching);
            let is_right = self.rules.policy == Policy::Reply || hits.coverage().is_enough();
            if self.covers(attempt, next, judge) != Verdict::Yes || !is_right {
                break;
            }
            next += 1;
        }
        next
    }

    fn go_on(&mut self, next: usize, judge: &mut dyn Judge) -> Next {
        self.stand(self.open, Standing::Answered);
        (self.open + 1..next).for_each(|jumped| self.stand(jumped, Standing::Jumped));
        let reply = self.sessions.last().and_then(|session| session.last.attempt.reply.clone()).unwrap_or_default();
        self.behind.push(Exchange { checkpoint: self.open, reply });
        self.open = next;
        if next > self.last {
            return self.over(Termination::Resolved);
        }
        match judge.is_fluent(&self.behind, next) {
            Verdict::Yes => Next::Ask(next),
            Verdict::No | Verdict::Error => self.over(Termination::NotFluent),
        }
    }

    fn stand(&mut self, checkpoint: usize, standing: Standing) {
        if let Some(place) = self.standing.get_mut(checkpoint - 1) {
            *place = standing;
        }
    }

    fn over(&mut self, end: Termination) -> Next {
        self.end = Some(end);
        Next::Over(end)
    }
}

/// What makes a response count beside its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    #[default]
    Strict,
    /// Nothing: the words alone.
    Reply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub policy: Policy,
    /// Attempts at each checkpoint, 1 or 2.
    pub attempts: u32,
    pub matching: Matching,
    /// Which of several equal records answers.
    pub pick: Pick,
}

impl Rules {
    pub fn of(options: &Options) -> Rules {
        let is = |name: &str, value: &str| CARD.option(options, name) == Some(value);
        Rules {
            policy: if is("policy", "reply") { Policy::Reply } else { Policy::Strict },
            attempts: if is("attempts", "2") { 2 } else { 1 },
            matching: if is("match", "subset") { Matching::Subset } else { Matching::Exact },
            pick: if is("pick", "first") { Pick::First } else { Pick::Sequence },
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules { policy: Policy::default(), attempts: 1, matching: Matching::default(), pick: Pick::default() }
    }
}
