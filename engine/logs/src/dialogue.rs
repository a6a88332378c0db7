//! The normal form: one dialogue as every form of log tells it (docs/FORMATS.md, section "Logs of agents").

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::form::Form;
use crate::remark::Remark;

/// The version of the normal form that this build writes and reads.
pub const FORMAT: u32 = 1;

/// A dialogue of an agent that calls tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dialogue {
    /// Version of the normal form.
    pub format: u32,
    /// What the log calls it; `#` and its number among the dialogues of its file where the log gives it no name.
    pub id: String,
    /// Where it stands.
    pub source: Source,
    /// What the agent was told before anybody spoke: the system's and developer's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub brief: String,
    /// The tools it was told of; many logs do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// How the user was made to behave, if the log says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// When it began, RFC 3339, if the log says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// What was said and called, in order.
    pub events: Vec<Event>,
    /// What there is to say about the reading of it, with how often.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub remarks: BTreeMap<Remark, u32>,
}

/// Where a dialogue stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The file, as its caller named it.
    pub file: String,
    /// The form of the log.
    pub form: Form,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its number among the dialogues of the file, from 0.
    pub index: usize,
}

/// A tool as the agent was told of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What is said of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The JSON Schema of its arguments; null where the log has none.
    #[serde(default)]
    pub parameters: Value,
    /// Hints about its nature, as MCP has them: `readOnlyHint` and the like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Map<String, Value>>,
}

/// What was said, told or called. `message` is the place in the log's own list, from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The user speaks.
    User {
        /// The place in the log's list.
        message: usize,
        /// The words.
        text: String,
    },
    /// The agent speaks to the user. What it thought is never among its words.
    Agent {
        /// The place in the log's list.
        message: usize,
        /// The words.
        text: String,
    },
    /// The agent is told something beside the dialogue after it began: neither the user's words nor its own.
    Told {
        /// The place in the log's list.
        message: usize,
        /// The words.
        text: String,
    },
    /// The agent calls a tool.
    Call(Call),
    /// The user calls a tool of their own.
    UserCall(Call),
}

/// A call with what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The place of the call in the log's list.
    pub message: usize,
    /// What the log calls it; not always unique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// What it was called with.
    pub arguments: Arguments,
    /// What came of it.
    pub result: CallResult,
    /// The place of the result in the log's list, where it stands in another message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_message: Option<usize>,
}

/// What a tool was called with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Arguments {
    /// Values by name.
    Named(Map<String, Value>),
    /// The text that stands in place of an object, as it was written.
    Raw(String),
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case", deny_unknown_fields)]
pub enum CallResult {
    /// The log marks no error.
    Ok {
        /// What the agent got back: JSON where it is an object or a list, else the text.
        observation: Value,
    },
    /// The log says that it failed.
    Error {
        /// What the agent was told of it.
        text: String,
    },
    /// The log has no result for it.
    Missing,
}
