//! A tool call: one requested invocation with its arguments.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A requested invocation. Arguments that are no object (say, unparsable text kept as a string)
/// are a rejected step, never an error of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The tool's name, as the caller wrote it.
    pub tool: String,
    /// The arguments, as the caller wrote them.
    pub arguments: Value,
}

impl ToolCall {
    /// A call of `tool` with `arguments`.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        ToolCall { tool: tool.into(), arguments }
    }
}
