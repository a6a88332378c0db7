//! What came of a call, and of the events before it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::state::State;
use crate::model::delta::Delta;
use crate::model::rejection::Rejection;

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Stepped {
    /// The state afterwards; the state before when the call was refused and no event fired.
    pub after: State,
    /// What the caller gets back and what changed, or why the call was refused.
    pub result: Result<Applied, Rejection>,
    /// Events that fired before the call.
    pub fired: Vec<Fired>,
    /// What the script printed.
    pub prints: Vec<String>,
}

/// A call that was carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// What the caller gets back.
    pub observation: Value,
    /// What changed.
    pub delta: Delta,
}

impl Stepped {
    pub(super) fn refused(state: State, rejection: Rejection) -> Self {
        Stepped { after: state, result: Err(rejection), fired: Vec::new(), prints: Vec::new() }
    }
}

/// An environment event that fired.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fired {
    /// The event's id.
    pub event: String,
    /// What it changed.
    #[serde(default, skip_serializing_if = "Delta::is_empty")]
    pub delta: Delta,
    /// By how many minutes it moved the clock.
    #[serde(default)]
    pub advanced_minutes: u32,
}
