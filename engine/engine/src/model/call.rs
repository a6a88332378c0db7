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

const MAX_DEPTH: usize = 32;
/// Most text, keys and values that arguments may hold, in bytes and items.
const MAX_SIZE: usize = 64 * 1024;

impl ToolCall {
    /// Whether the arguments are of a size and depth that a tool can be asked to take.
    pub fn is_within_limits(&self) -> bool {
        let mut left = MAX_SIZE;
        fits(&self.arguments, 0, &mut left)
    }
}

fn fits(value: &Value, depth: usize, left: &mut usize) -> bool {
    let own = match value {
        Value::String(text) => text.len() + 1,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => 1,
    };
    let Some(rest) = left.checked_sub(own).filter(|_| depth <= MAX_DEPTH) else { return false };
    *left = rest;
    match value {
        Value::Array(items) => items.iter().all(|item| fits(item, depth + 1, left)),
        Value::Object(map) => map.iter().all(|(key, item)| {
            *left = left.saturating_sub(key.len());
            fits(item, depth + 1, left)
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn huge_and_deep_arguments_do_not_fit() {
        assert!(ToolCall::new("t", json!({"a": ["x", 1, null]})).is_within_limits());
        assert!(!ToolCall::new("t", json!({"a": "x".repeat(MAX_SIZE)})).is_within_limits());
        let deep = (0..40).fold(json!(1), |inner, _| json!([inner]));
        assert!(!ToolCall::new("t", deep).is_within_limits());
    }
}
