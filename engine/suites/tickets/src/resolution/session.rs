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
    pub calls: Vec<ToolCall>,
    /// Output tokens of all its messages; nothing where they are not known.
    pub tokens: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Response reliability: whether it conveys what the recorded reply does.
    pub rr: Verdict,
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// A checkpoint that was opened; of several attempts the last one stands here.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its number, from 1.
    pub checkpoint: usize,
    pub attempts: u32,
    pub accepted: bool,
    pub behind: usize,
    pub last: Attempt,
    pub marks: Marks,
    /// The first checkpoint that is not covered after it.
    pub next: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The checkpoint whose query it is, from 1.
    pub checkpoint: usize,
    pub reply: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    Answered,
    /// An earlier response covered it.
    Jumped,
    Failed,
    Unreached,
}

/// Why a ticket's resolution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    Resolved,
    Rejected,
    /// The next query does not follow from what was said.
    NotFluent,
}
