//! Where a play of a task stands: the state, what the constraint checker remembers, and how many calls were made.

use serde_json::{Map, Value};

use super::Task;
use probity_bench::{Finding, Fired, Step, StepOutcome};
use probity_engine::check::Breaches;
use probity_engine::{Actor, Applied, Checker, ObservedCall, Rejection, State, Stepped, ToolCall};

/// A point in a play of a task. A clone is O(1), so that play can go on from it in more than one way.
#[derive(Clone)]
pub struct Position {
    state: State,
    checker: Checker,
    steps: u32,
}

pub struct Move {
    /// The number of the step, from 1.
    pub step: u32,
    /// Its arguments, defaults filled in; empty when they were no object.
    pub arguments: Map<String, Value>,
    /// What the caller gets back and what changed, or why the call was refused.
    pub result: Result<Applied, Rejection>,
    pub fired: Vec<Fired>,
    pub prints: Vec<String>,
    pub breaches: Breaches,
}

impl Move {
    /// Whether a recorded step says the same of this call: its number, what came back, what changed, why it was refused.
    pub fn is_as_recorded(&self, step: &Step) -> bool {
        let is_same = match (&self.result, &step.outcome) {
            (Ok(applied), StepOutcome::Ok { observation, delta }) => {
                applied.observation == *observation && applied.delta == *delta
            }
            (Err(refused), StepOutcome::Rejected { rejection }) => {
                (refused.kind, &refused.code) == (rejection.kind, &rejection.code)
            }
            (Ok(_), StepOutcome::Rejected { .. }) | (Err(_), StepOutcome::Ok { .. }) => false,
        };
        is_same && self.step == step.step
    }
}

impl Position {
    pub fn start(task: &Task) -> Position {
        Position { state: task.initial().clone(), checker: Checker::new(task.graph().clone()), steps: 0 }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Makes a call of one side's message `message`.
    pub fn play(&mut self, task: &Task, call: &ToolCall, by: Actor, message: u32) -> Move {
        self.steps += 1;
        let environment = task.environment();
        let arguments = environment.complete(call);
        let matches = match &arguments {
            Some(arguments) => task.matching_patterns(&self.state, &call.tool, arguments),
            None => Vec::new(),
        };
        // Nobody else holds the state now, so that the step writes it in place.
        let before = std::mem::replace(&mut self.state, task.initial().clone());
        let Stepped { after, result, fired, prints } = environment.advance(before, call, by);
        self.state = after;
        let arguments = arguments.unwrap_or_default();
        let call = ObservedCall {
            step: self.steps,
            message,
            tool: &call.tool,
            arguments: &arguments,
            observation: result.as_ref().ok().map(|applied| &applied.observation),
            is_read: environment.is_read(&call.tool),
            matches: &matches,
        };
        let breaches = self.checker.observe(&call);
        Move { step: self.steps, arguments, result, fired, prints, breaches }
    }

    /// The same as a step of a trace, with what the constraint checker finds in it.
    pub fn step(&mut self, task: &Task, call: ToolCall, by: Actor, message: u32) -> (Step, Vec<Finding>) {
        let made = self.play(task, &call, by, message);
        let outcome = match made.result {
            Ok(applied) => StepOutcome::Ok { observation: applied.observation, delta: applied.delta },
            Err(rejection) => StepOutcome::Rejected { rejection },
        };
        let step = Step {
            step: made.step,
            message,
            actor: by,
            tool: call.tool,
            arguments: call.arguments,
            outcome,
            state_hash: self.state.sum().to_string(),
            fired: made.fired,
            prints: made.prints,
        };
        (step, made.breaches.findings)
    }
}
