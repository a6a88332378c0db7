//! An episode that was played: its trace, and what its world knows of its calls beside what a trace says.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::trace::Trace;
use crate::usage::Usage;
use probity_engine::State;
use probity_engine::check::Breaches;

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
