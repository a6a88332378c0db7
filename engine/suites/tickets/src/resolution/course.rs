//! The course of a ticket: told of each response, it says what is asked next.

use std::sync::Arc;

use super::rules::{Policy, Rules};
use super::session::{Attempt, Exchange, Marks, Session, Standing, Termination};
use crate::judge::Verdict;
use crate::recording::{Hits, RecordedCall};

pub trait Goal {
    fn calls(&self) -> &[RecordedCall];
}

pub trait Judge {
    /// Whether a reply conveys what the recorded reply of a checkpoint does.
    fn covers(&mut self, reply: &str, checkpoint: usize, behind: &[Exchange]) -> Verdict;

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict;
}

/// The marks of a response at its own checkpoint, given what the judge says of it, and whether it counts.
pub fn mark<G: Goal>(goal: Option<&G>, attempt: &Attempt, rr: Verdict, rules: Rules) -> (Marks, bool) {
    let recorded = goal.map(Goal::calls).unwrap_or_default();
    let coverage = Hits::count(recorded, &attempt.calls, rules.matching).coverage();
    let is_right = rules.policy == Policy::Reply || coverage.is_whole();
    (Marks { rr, coverage }, rr == Verdict::Yes && is_right)
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
    rules: Rules,
    /// The checkpoint that is open, from 1.
    open: usize,
    attempt: u32,
    sessions: Vec<Session>,
    behind: Vec<Exchange>,
    standing: Vec<Standing>,
    end: Option<Termination>,
    judged: u32,
}

impl<G: Goal> Course<G> {
    /// The course of a ticket with at least one checkpoint, the first of which is asked now.
    pub fn new(goals: &Arc<[G]>, rules: Rules) -> Course<G> {
        let standing = vec![Standing::Unreached; goals.len()];
        Course {
            goals: Arc::clone(goals),
            rules,
            open: 1,
            attempt: 1,
            sessions: Vec::new(),
            behind: Vec::new(),
            standing,
            end: None,
            judged: 0,
        }
    }

    /// Takes the response to the query that was asked last.
    pub fn take(&mut self, attempt: Attempt, judge: &mut dyn Judge) -> Next {
        let (marks, is_accepted) = self.mark(&attempt, judge);
        if !is_accepted && self.attempt < self.rules.attempts {
            self.attempt += 1;
            return Next::Again(self.open);
        }
        let next = if is_accepted { self.first_uncovered(&attempt, judge) } else { self.open };
        self.sessions.push(Session {
            checkpoint: self.open,
            attempts: self.attempt,
            accepted: is_accepted,
            behind: self.behind.len(),
            last: attempt,
            marks,
            next,
        });
        match is_accepted {
            true => self.go_on(next, judge),
            false => {
                self.stand(self.open, Standing::Failed);
                self.over(Termination::Rejected)
            }
        }
    }

    fn mark(&mut self, attempt: &Attempt, judge: &mut dyn Judge) -> (Marks, bool) {
        let rr = self.covers(attempt, self.open, judge);
        mark(self.goals.get(self.open - 1), attempt, rr, self.rules)
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
        while let Some(goal) = goals.get(next - 1) {
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
        let reply = self.sessions.last().and_then(|session| session.last.reply.clone()).unwrap_or_default();
        self.behind.push(Exchange { checkpoint: self.open, reply });
        self.open = next;
        self.attempt = 1;
        if next > self.goals.len() {
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

    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// What was said and accepted.
    pub fn behind(&self) -> &[Exchange] {
        &self.behind
    }

    pub fn standing(&self) -> &[Standing] {
        &self.standing
    }

    pub fn end(&self) -> Option<Termination> {
        self.end
    }

    /// How many replies were held against a checkpoint.
    pub fn judged(&self) -> u32 {
        self.judged
    }

    /// The checkpoint that is open, from 1; one more than there are when all are covered.
    pub fn open(&self) -> usize {
        self.open
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }
}
