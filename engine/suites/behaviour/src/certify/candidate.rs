//! A candidate trace so far: the state, what is known, and what it has broken.

use std::collections::BTreeSet;
use std::sync::Arc;

use imbl::Vector;
use serde_json::{Map, Value};

use super::goal::Goal;
use super::known::KnownPieces;
use crate::task::Task;
use crate::task::matching::MadeCall;
use crate::task::position::{Move, Position};
use probity_engine::{Actor, State, ToolCall};

/// One thing that an outcome asks for, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// An assertion that must become true.
    Achieves(usize),
    /// An assertion that must stay true.
    Preserves(usize),
    /// A group of phrases, one of which must be said.
    MustSay(usize),
    /// A call that must not succeed.
    Forbidden(usize),
    /// A precedence edge of the graph.
    Edge(usize),
    /// An exclusion of the graph.
    Exclusion(usize),
    /// A call that waits for a word of the user that never comes.
    Held(usize),
}

/// Several items, in order.
pub type Items = BTreeSet<Item>;

/// A call of a candidate trace that was carried out.
#[derive(Debug)]
pub struct CandidateCall {
    /// The call.
    pub call: ToolCall,
    /// Its arguments, defaults filled in.
    pub arguments: Map<String, Value>,
    /// What it returned.
    pub observation: Value,
    step: u32,
}

impl CandidateCall {
    /// The call as assignments take it.
    pub fn as_made(&self) -> MadeCall<'_> {
        MadeCall { step: self.step, tool: &self.call.tool, arguments: &self.arguments, observation: &self.observation }
    }
}

/// A candidate trace after some calls; a clone is a fork and costs next to nothing.
#[derive(Clone)]
pub struct Candidate {
    /// Where it stands.
    at: Position,
    /// What is known of what must be said.
    pub known: KnownPieces,
    /// What has been broken so far.
    pub broken: Items,
    /// The calls that succeeded.
    pub made: Vector<Arc<CandidateCall>>,
}

impl Candidate {
    /// The candidate before the first call, with what is known from the start.
    pub fn new(task: &Task, known: KnownPieces) -> Candidate {
        Candidate { at: Position::start(task), known, broken: Items::new(), made: Vector::new() }
    }

    /// The state.
    pub fn state(&self) -> &State {
        self.at.state()
    }

    /// The candidate after a call, each call in a message of its own, after the user's last word.
    ///
    /// # Errors
    /// The environment refused the call; then it is none that was made. The candidate is the same as before, but
    /// for the state when an event fired first.
    pub fn after(&self, goal: &Goal, call: &ToolCall) -> Result<Candidate, Box<Candidate>> {
        let task = goal.task;
        let mut at = self.at.clone();
        let step = u32::try_from(self.made.len() + 1).unwrap_or(u32::MAX);
        let Move { arguments, result, breaches, .. } = at.play(task, call, Actor::Agent, step);
        let Ok(applied) = result else { return Err(Box::new(Candidate { at, ..self.clone() })) };
        let mut next = Candidate { at, ..self.clone() };
        let meant = |pattern| task.is_meant(pattern, self.state(), &call.tool, &arguments);
        let forbidden = goal.outcome.forbidden.iter().enumerate().filter(|(_, pattern)| meant(pattern));
        next.broken.extend(forbidden.map(|(at, _)| Item::Forbidden(at)));
        let held = goal.held.iter().enumerate().filter(|(_, pattern)| meant(pattern));
        next.broken.extend(held.map(|(at, _)| Item::Held(at)));
        next.broken.extend(breaches.edges.into_iter().map(Item::Edge));
        next.broken.extend(breaches.exclusions.into_iter().map(Item::Exclusion));
        next.known.extend(goal.learn(&applied.observation));
        let made = CandidateCall { call: call.clone(), arguments, observation: applied.observation, step };
        next.made.push_back(Arc::new(made));
        Ok(next)
    }

    /// The candidates before the first of some calls and after each that is carried out.
    pub fn walk<'c>(goal: &Goal, calls: impl IntoIterator<Item = &'c ToolCall>) -> Vec<Candidate> {
        let mut walk = vec![goal.start()];
        for call in calls {
            let next = walk.last().and_then(|last| last.after(goal, call).ok());
            walk.extend(next);
        }
        walk
    }

    /// The candidate after several calls; those that are refused are left out, and their number is given.
    pub fn after_all<'c>(&self, goal: &Goal, calls: impl IntoIterator<Item = &'c ToolCall>) -> (Candidate, usize) {
        let mut refused = 0;
        let last = calls.into_iter().fold(self.clone(), |candidate, call| match candidate.after(goal, call) {
            Ok(next) => next,
            Err(candidate) => {
                refused += 1;
                *candidate
            }
        });
        (last, refused)
    }
}
