//! What answers tool calls: a state machine, a recording, two sides of one thing. And an episode that was played: its
//! trace, and what its world knows of its calls beside that.

use std::sync::Arc;

use dyn_clone::DynClone;
use serde_json::{Map, Value};

use super::event::Step;
use super::trace::Trace;
use super::usage::Usage;
use probity_engine::check::Breaches;
use probity_engine::{Actor, Hash, State, ToolCall};

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

/// An episode that was played.
pub struct Rollout {
    /// What happened.
    pub trace: Trace,
    /// What the world made of each of its steps; none where the world is no state machine that is checked, or nobody has
    /// played the trace yet.
    pub moves: Vec<Arc<Move>>,
    /// What the user's provider was asked for.
    pub user_usage: Option<Usage>,
}

/// What a checked state machine made of a call, for scorers, which else would have to make all calls again.
pub struct Move {
    /// Its arguments, defaults filled in; empty when they were no object.
    pub arguments: Map<String, Value>,
    /// What the constraint checker finds in it.
    pub breaches: Breaches,
    /// The state after it.
    pub after: State,
}

impl From<Trace> for Rollout {
    /// A trace of which nothing more is known.
    fn from(trace: Trace) -> Rollout {
        Rollout { trace, moves: Vec::new(), user_usage: None }
    }
}
