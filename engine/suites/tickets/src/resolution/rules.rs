//! What a response must do to count, and how often it may be tried.

use serde::{Deserialize, Serialize};

use crate::recording::Matching;

/// What makes a response count beside its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Its tool calls have to be right.
    #[default]
    Strict,
    /// Nothing: the words alone.
    Reply,
}

/// The rules of a ticket's resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What makes a response count.
    pub policy: Policy,
    /// Attempts at each checkpoint, 1 or 2.
    pub attempts: u32,
    /// Which calls are the recorded ones.
    pub matching: Matching,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { policy: Policy::default(), attempts: 1, matching: Matching::default() }
    }
}
