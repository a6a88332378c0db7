//! Ways in which a task may end well.

use serde_json::{Map, Value};

use super::assertion::CheckedAssertion;
use crate::model::task_file::CallFile;
use probity_engine::{Delta, Pattern};
use probity_prose::Answer;

pub struct Outcome {
    /// Its name; the first of a task is `base`.
    pub name: String,
    pub oracle: Vec<OracleCall>,
    pub delta: Delta,
    /// Assertions that the oracle makes true.
    pub achieves: Vec<CheckedAssertion>,
    pub preserves: Vec<CheckedAssertion>,
    /// Calls that must not succeed: its own, then the environment's.
    pub forbidden: Vec<Pattern>,
    /// Groups of answers; the replies must give one of each.
    pub must_say: Vec<Vec<Answer>>,
    /// What a good agent replies, turn by turn.
    pub replies: Vec<String>,
}

impl Outcome {
    /// The action budget: the number of oracle calls.
    pub fn budget(&self) -> usize {
        self.oracle.len()
    }
}

/// A call of the oracle trace, bindings filled in; references to earlier observations stay.
#[derive(Clone, Debug)]
pub struct OracleCall {
    pub tool: String,
    /// Its arguments; `$2.field` is still a reference.
    pub arguments: Map<String, Value>,
    /// The user turn, from 1, after which it is made.
    pub segment: u32,
    /// Positions of the oracle calls that must have been made before it.
    pub after: Vec<usize>,
    pub equivalents: Vec<CallFile>,
}

impl OracleCall {
    /// Whether it, or a call that does as well, is of this tool.
    pub fn is_by(&self, tool: &str) -> bool {
        self.tool == tool || self.equivalents.iter().any(|call| call.tool == tool)
    }
}
