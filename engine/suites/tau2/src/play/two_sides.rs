//! The world of both sides, which an agent alone operates for both.

use super::protocol::Mode;
use probity_bench::{Finding, Step, StepOutcome, World};
use probity_engine::{Actor, Environment, Hash, State, ToolCall};

/// One state that the agent's tools and the user's act on.
pub struct TwoSides<'e> {
    environment: &'e Environment,
    mode: Mode,
    state: State,
    steps: u32,
}

impl<'e> TwoSides<'e> {
    pub fn new(environment: &'e Environment, mode: Mode, beginning: State) -> TwoSides<'e> {
        TwoSides { environment, mode, state: beginning, steps: 0 }
    }
}

/// For whom a call counts: what an agent alone does with a tool of the user's, it does as the user.
pub fn actor_of(environment: &Environment, mode: Mode, tool: &str, by: Actor) -> Actor {
    let is_users = || environment.tool(tool).is_some_and(|tool| tool.actor == Actor::User);
    match (mode, by) {
        (Mode::Solo, Actor::Agent) if is_users() => Actor::User,
        (Mode::Solo | Mode::Dual, by) => by,
    }
}

impl World for TwoSides<'_> {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Vec<Finding>) {
        self.steps += 1;
        let actor = actor_of(self.environment, self.mode, &call.tool, by);
        let stepped = self.environment.step(&self.state, &call, actor);
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
