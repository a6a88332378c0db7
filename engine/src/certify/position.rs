//! A candidate trace so far: the state, what is known, and what it has broken.

use std::collections::BTreeSet;
use std::sync::Arc;

use imbl::Vector;
use serde_json::{Map, Value};

use super::goal::Goal;
use super::known::Known;
use crate::constraint::{Checker, ObservedCall};
use crate::engine::state::State;
use crate::engine::step::Stepped;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::task::Task;
use crate::task::matching::MadeCall;

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
pub struct Made {
    /// The call.
    pub call: ToolCall,
    /// Its arguments, defaults filled in.
    pub arguments: Map<String, Value>,
    /// What it returned.
    pub observation: Value,
    step: u32,
}

impl Made {
    /// The call as assignments take it.
    pub fn as_made(&self) -> MadeCall<'_> {
        MadeCall { step: self.step, tool: &self.call.tool, arguments: &self.arguments, observation: &self.observation }
    }
}

/// A candidate trace after some calls; a clone is a fork and costs next to nothing.
#[derive(Clone)]
pub struct Position {
    /// The state.
    pub state: State,
    /// What is known of what must be said.
    pub known: Known,
    /// What has been broken so far.
    pub broken: Items,
    /// The calls that succeeded.
    pub made: Vector<Arc<Made>>,
    checker: Checker,
}

impl Position {
    /// The position before the first call, with what is known from the start.
    pub fn new(task: &Task, known: Known) -> Position {
        Position {
            state: task.initial().clone(),
            known,
            broken: Items::new(),
            made: Vector::new(),
            checker: Checker::new(Arc::clone(task.graph())),
        }
    }

    /// The position after a call, each call in a message of its own, after the user's last word.
    ///
    /// # Errors
    /// The environment refused the call; then it is none that was made. The position is the same as before, but
    /// for the state when an event fired first.
    pub fn after(&self, goal: &Goal, call: &ToolCall) -> Result<Position, Box<Position>> {
        let task = goal.task;
        let matches = task.matching_patterns(&self.state, call);
        let arguments = task.environment().complete(call).unwrap_or_default();
        let Stepped { after, result, .. } = task.environment().step(&self.state, call, Actor::Agent);
        let Ok(applied) = result else { return Err(Box::new(Position { state: after, ..self.clone() })) };
        let mut next = self.clone();
        let meant = |pattern| task.is_meant(pattern, &self.state, &call.tool, &arguments);
        let forbidden = goal.outcome.forbidden.iter().enumerate().filter(|(_, pattern)| meant(pattern));
        next.broken.extend(forbidden.map(|(at, _)| Item::Forbidden(at)));
        let held = goal.held.iter().enumerate().filter(|(_, pattern)| meant(pattern));
        next.broken.extend(held.map(|(at, _)| Item::Held(at)));
        let step = u32::try_from(self.made.len() + 1).unwrap_or(u32::MAX);
        let observed = ObservedCall {
            step,
            message: step,
            tool: &call.tool,
            arguments: &arguments,
            observation: Some(&applied.observation),
            is_read: task.environment().is_read(&call.tool),
            matches: &matches,
        };
        let (edges, exclusions) = self.checker.broken_by(&observed);
        next.broken.extend(edges.into_iter().map(Item::Edge));
        next.broken.extend(exclusions.into_iter().map(Item::Exclusion));
        next.checker.observe(&observed);
        next.known.extend(goal.learn(&applied.observation));
        next.state = after;
        let made = Made { call: call.clone(), arguments, observation: applied.observation, step };
        next.made.push_back(Arc::new(made));
        Ok(next)
    }

    /// The position after several calls; those that are refused are left out, and their number is given.
    pub fn after_all<'c>(&self, goal: &Goal, calls: impl IntoIterator<Item = &'c ToolCall>) -> (Position, usize) {
        let mut refused = 0;
        let last = calls.into_iter().fold(self.clone(), |position, call| match position.after(goal, call) {
            Ok(next) => next,
            Err(position) => {
                refused += 1;
                *position
            }
        });
        (last, refused)
    }
}
