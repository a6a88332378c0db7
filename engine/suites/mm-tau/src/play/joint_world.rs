//! The world of both sides: the carrier's records, and the user's phone.

use probity_bench::{Finding, Step, StepOutcome, World};
use probity_engine::{Actor, Environment, Hash, State, ToolCall};

/// One state that the agent's tools and the user's act on.
pub struct JointWorld<'e> {
    environment: &'e Environment,
    state: State,
    steps: u32,
}

impl<'e> JointWorld<'e> {
    pub fn new(environment: &'e Environment, beginning: State) -> JointWorld<'e> {
        JointWorld { environment, state: beginning, steps: 0 }
    }
}

impl World for JointWorld<'_> {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Vec<Finding>) {
        self.steps += 1;
        let stepped = self.environment.step(&self.state, &call, by);
        self.state = stepped.after;
        let outcome = match stepped.result {
            Ok(applied) => StepOutcome::Ok { observation: applied.observation, delta: applied.delta },
            Err(rejection) => StepOutcome::Rejected { rejection },
        };
        let ToolCall { tool, arguments } = call;
        let (state_hash, fired, prints) = (self.state.sum().to_string(), stepped.fired, stepped.prints);
        (Step { step: self.steps, message, actor: by, tool, arguments, outcome, state_hash, fired, prints }, Vec::new())
    }

    fn fingerprint(&self) -> Hash {
        self.state.hash()
    }
}
