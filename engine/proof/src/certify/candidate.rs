//! A candidate trace so far: the state, what is known, and what it has broken of the checks, which are the task's own or
//! its environment's.

use std::collections::BTreeSet;
use std::sync::Arc;

use imbl::Vector;
use serde_json::{Map, Value};

use super::goal::{Goal, KnownPieces};
use probity_behaviour::task::Task;
use probity_behaviour::task::matching::MadeCall;
use probity_behaviour::task::oracle::Position;
use probity_bench::Move;
use probity_engine::{Actor, Played, State, ToolCall};

/// One thing that an outcome asks for, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Achieves(usize),
    Preserves(usize),
    MustSay(usize),
    Forbidden(usize),
    Edge(usize),
    Exclusion(usize),
    /// A call that waits for a word of the user that never comes.
    Held(usize),
}

pub type Items = BTreeSet<Item>;

#[derive(Debug)]
pub struct CandidateCall {
    pub call: ToolCall,
    /// Its arguments, defaults filled in.
    pub arguments: Map<String, Value>,
    pub observation: Value,
    step: u32,
}

impl CandidateCall {
    pub fn as_made(&self) -> MadeCall<'_> {
        MadeCall { step: self.step, tool: &self.call.tool, arguments: &self.arguments, observation: &self.observation }
    }
}

/// A candidate trace after some calls; a clone is a fork and costs next to nothing.
#[derive(Clone)]
pub struct Candidate {
    at: Position,
    pub known: KnownPieces,
    pub broken: Items,
    pub made: Vector<Arc<CandidateCall>>,
}

impl Candidate {
    /// The candidate before the first call, with what is known from the start.
    pub fn new(task: &Task, known: KnownPieces) -> Candidate {
        Candidate { at: Position::start(task), known, broken: Items::new(), made: Vector::new() }
    }

    pub fn state(&self) -> &State {
        self.at.state()
    }

    /// The candidate after a call, each call in a message of its own, after the user's last word.
    /// An error: the environment refused the call; then it is none that was made. The candidate is the same as before,
    /// but for the state when an event fired first.
    pub fn after(&self, goal: &Goal, call: &ToolCall) -> Result<Candidate, Box<Candidate>> {
        let task = goal.task;
        let mut at = self.at.clone();
        let step = u32::try_from(self.made.len() + 1).unwrap_or(u32::MAX);
        let (Played { result, .. }, Move { arguments, breaches, .. }) = at.play(task, call, Actor::Agent, step);
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

/// How many edges and exclusions of a task's graph are its environment's; these come first.
pub fn environment_wide(task: &Task) -> (usize, usize) {
    task.graph().inherited()
}

/// The outcome's own checks and the task's constraints; those of the environment are looked at over all tasks.
pub(super) fn own_items(goal: &Goal) -> impl Iterator<Item = Item> {
    items(goal).into_iter().filter(|item| !is_environment_wide(goal, *item))
}

/// Whether a check is the environment's, and so looked at over all its tasks.
pub(super) fn is_environment_wide(goal: &Goal, item: Item) -> bool {
    let (edges, exclusions) = environment_wide(goal.task);
    match item {
        Item::Edge(index) => index < edges,
        Item::Exclusion(index) => index < exclusions,
        Item::Forbidden(index) => index >= own_forbidden(goal),
        Item::Achieves(_) | Item::Preserves(_) | Item::MustSay(_) | Item::Held(_) => false,
    }
}

/// How many of the forbidden calls are the outcome's own; these come first.
pub fn own_forbidden(goal: &Goal) -> usize {
    let everywhere = goal.task.environment().file().forbidden.len();
    goal.outcome.forbidden.len().saturating_sub(everywhere)
}

/// The checks of a goal: its own, and the constraint graph's.
pub fn items(goal: &Goal) -> Items {
    let (outcome, graph) = (goal.outcome, goal.task.graph());
    let achieves = (0..outcome.achieves.len()).map(Item::Achieves);
    let preserves = (0..outcome.preserves.len()).map(Item::Preserves);
    let said = (0..outcome.must_say.len()).map(Item::MustSay);
    let forbidden = (0..outcome.forbidden.len()).map(Item::Forbidden);
    let edges = (0..graph.edges().len()).map(Item::Edge);
    let exclusions = (0..graph.exclusions().len()).map(Item::Exclusion);
    let held = (0..goal.held.len()).map(Item::Held);
    achieves.chain(preserves).chain(said).chain(forbidden).chain(edges).chain(exclusions).chain(held).collect()
}
