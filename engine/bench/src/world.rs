//! What answers tool calls: a state machine, a recording, two sides of one thing.

use dyn_clone::DynClone;
use probity_engine::{Actor, Hash, State, ToolCall};

use crate::event::Step;
use crate::rollout::Move;

/// A world in which an agent, and perhaps its user, calls tools. Nothing else changes it. A clone goes on by itself.
pub trait World: DynClone + Send + Sync {
    /// Answers a call of one side, made in its message `message`: the step as traces have it, and the move, where a
    /// checker of the world looks at it. The first call of an episode is step 1.
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>);

    /// The user begins to speak. `is_again` when it says the same again: what the agent did since is taken back.
    fn turn(&mut self, _is_again: bool) {}

    /// Whether the agent's turn ends here, without a reply.
    fn is_turn_over(&self) -> bool {
        false
    }

    /// Where its state machine stands, where it is one.
    fn state(&self) -> Option<&State> {
        None
    }

    /// The hash of its state, which stands at the end of a trace.
    fn fingerprint(&self) -> Hash;
}

dyn_clone::clone_trait_object!(World);
