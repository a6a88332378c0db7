//! What happened at a checkpoint.

use serde::Serialize;

use crate::judge::Verdict;
use crate::recording::Coverage;
use probity_engine::ToolCall;

/// What an agent did between a query and its reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// The reply; nothing where it came to none.
    pub reply: Option<String>,
    /// Its calls, in order.
    pub calls: Vec<ToolCall>,
    /// Output tokens of all its messages; nothing where they are not known.
    pub tokens: Option<u64>,
}

/// The marks of a response at its own checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Response reliability: whether it conveys what the recorded reply does.
    pub rr: Verdict,
    /// Tool use.
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// A checkpoint that was opened; of several attempts the last one stands here.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its number, from 1.
    pub checkpoint: usize,
    /// Attempts that were made.
    pub attempts: u32,
    /// Whether the response counts.
    pub accepted: bool,
    /// How many exchanges were behind it.
    pub behind: usize,
    /// The last attempt.
    pub last: Attempt,
    /// Its marks.
    pub marks: Marks,
    /// The first checkpoint that is not covered after it.
    pub next: usize,
}

/// A query with the reply that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The checkpoint whose query it is, from 1.
    pub checkpoint: usize,
    /// The reply.
    pub reply: String,
}

/// Where a checkpoint stands at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// A response to its query was accepted.
    Answered,
    /// An earlier response covered it.
    Jumped,
    /// No response to its query was accepted.
    Failed,
    /// It was never asked.
    Unreached,
}

/// Why a ticket's resolution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Every checkpoint is covered.
    Resolved,
    /// No attempt at a checkpoint was accepted.
    Rejected,
    /// The next query does not follow from what was said.
    NotFluent,
}
