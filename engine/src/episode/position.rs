//! Where an episode stands: the state, what the checker remembers, and how many calls were made.

use crate::constraint::{Checker, ObservedCall};
use crate::engine::state::State;
use crate::engine::step::Stepped;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::model::event::{Step, StepOutcome};
use crate::model::verdict::Finding;
use crate::task::Task;

/// A point in an episode. A clone is O(1), so that play can go on from it in more than one way.
#[derive(Clone)]
pub struct Position {
    state: State,
    checker: Checker,
    steps: u32,
}

impl Position {
    /// The start of a task.
    pub fn start(task: &Task) -> Self {
        Position { state: task.initial().clone(), checker: Checker::new(task.graph().clone()), steps: 0 }
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Makes a call of the agent's message `message`: the step, and what the checker finds in it.
    pub fn step(&mut self, task: &Task, call: ToolCall, message: u32) -> (Step, Vec<Finding>) {
        self.steps += 1;
        let environment = task.environment();
        let matches = task.matching_patterns(&self.state, &call);
        let before = std::mem::replace(&mut self.state, task.initial().clone());
        let Stepped { after, result, fired, prints } = environment.advance(before, &call, Actor::Agent);
        let outcome = match result {
            Ok(applied) => StepOutcome::Ok { observation: applied.observation, delta: applied.delta },
            Err(rejection) => StepOutcome::Rejected { rejection },
        };
        let arguments = environment.complete(&call).unwrap_or_default();
        let step = Step {
            step: self.steps,
            message,
            tool: call.tool,
            arguments: call.arguments,
            outcome,
            state_hash: after.sum().to_string(),
            fired,
            prints,
        };
        let findings = self.checker.observe(&ObservedCall {
            step: step.step,
            message,
            tool: &step.tool,
            arguments: &arguments,
            observation: step.observation(),
            is_read: environment.is_read(&step.tool),
            matches: &matches,
        });
        self.state = after;
        (step, findings)
    }
}
