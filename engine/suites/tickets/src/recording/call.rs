//! A call of a recorded dialogue, and a call of an agent read as one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use probity_engine::{Fields, ToolCall, arguments};

/// A call that the recorded agent made, and what came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    /// The tool.
    pub tool: String,
    /// The arguments, by name.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Value>")]
    pub arguments: Fields,
    /// What came back, word for word.
    pub result: Value,
}

/// Why a call has no recorded answer; an unknown name weighs more than bad arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Miss {
    UnknownTool,
    InvalidArguments,
    /// The tool was called, but never like this.
    ArgumentMismatch,
}

impl Miss {
    pub fn code(self) -> &'static str {
        match self {
            Miss::UnknownTool => "unknown_tool",
            Miss::InvalidArguments => "invalid_arguments",
            Miss::ArgumentMismatch => "argument_mismatch",
        }
    }
}

/// A tool's name as all are compared: records of some desks write `#` where functions cannot.
pub fn canonical_name(tool: &str) -> String {
    tool.replace('#', "_")
}

/// The arguments of an agent's call: an object, or a text that holds one, as models write them; none at all is an
/// empty object, and anything else is nothing.
pub fn arguments_of(call: &ToolCall) -> Option<Fields> {
    match &call.arguments {
        Value::Object(fields) => Some(fields.clone()),
        Value::Null => Some(Fields::new()),
        Value::String(text) => arguments::read(text).ok(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}
