//! Where a play of a task stands: the state, what the constraint checker remembers, and how many calls were made.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Task;
use probity_bench::{Finding, Step, StepOutcome};
use probity_engine::check::Breaches;
use probity_engine::{Actor, Checker, Environment, ObservedCall, Played, Session, State, ToolCall};

/// A point in a play of a task. A clone is O(1), so that play can go on from it in more than one way.
#[derive(Clone)]
pub struct Position {
    session: Session<Arc<Environment>>,
    checker: Checker,
}

pub struct Move {
    pub played: Played,
    /// Its arguments, defaults filled in; empty when they were no object.
    pub arguments: Map<String, Value>,
    pub breaches: Breaches,
}

impl Move {
    /// Whether a recorded step says the same of this call: its number, what came back, what changed, why it was refused.
    pub fn is_as_recorded(&self, step: &Step) -> bool {
        let is_same = match (&self.played.result, &step.outcome) {
            (Ok(applied), StepOutcome::Ok { observation, delta }) => {
                applied.observation == *observation && applied.delta == *delta
            }
            (Err(refused), StepOutcome::Rejected { rejection }) => {
                (refused.kind, &refused.code) == (rejection.kind, &rejection.code)
            }
            (Ok(_), StepOutcome::Rejected { .. }) | (Err(_), StepOutcome::Ok { .. }) => false,
        };
        is_same && self.played.step == step.step
    }
}

impl Position {
    pub fn start(task: &Task) -> Position {
        let session = Session::new(Arc::clone(task.environment()), task.initial().clone());
        Position { session, checker: Checker::new(task.graph().clone()) }
    }

    pub fn state(&self) -> &State {
        self.session.state()
    }

    /// Makes a call of one side's message `message`.
    pub fn play(&mut self, task: &Task, call: &ToolCall, by: Actor, message: u32) -> Move {
        let environment = task.environment();
        let arguments = environment.complete(call);
        let matches = match &arguments {
            Some(arguments) => task.matching_patterns(self.state(), &call.tool, arguments),
            None => Vec::new(),
        };
        let played = self.session.call(call, by);
        let arguments = arguments.unwrap_or_default();
        let call = ObservedCall {
            step: played.step,
            message,
            tool: &call.tool,
            arguments: &arguments,
            observation: played.result.as_ref().ok().map(|applied| &applied.observation),
            is_read: environment.is_read(&call.tool),
            matches: &matches,
        };
        let breaches = self.checker.observe(&call);
        Move { played, arguments, breaches }
    }

    /// The same as a step of a trace, with what the constraint checker finds in it.
    pub fn step(&mut self, task: &Task, call: ToolCall, by: Actor, message: u32) -> (Step, Vec<Finding>) {
        let made = self.play(task, &call, by, message);
        (Step::of(made.played, call, (by, message), self.state()), made.breaches.findings)
    }
}
