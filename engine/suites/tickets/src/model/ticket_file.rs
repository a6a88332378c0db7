//! The format of tickets: `tickets/<category>/<name>.json` (docs/TICKETS.md, "A ticket").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recording::RecordedCall;
use probity_bench::named;

/// A recorded service dialogue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TicketFile {
    /// Tools that the agent is shown, by name: those that were called, and others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Documents that the agent is shown, by name; at most five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<String>,
    /// What was said before the first checkpoint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<SaidFile>,
    /// The turns at which the agent had to do something that matters, in order.
    pub checkpoints: Vec<CheckpointFile>,
}

/// What one side said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SaidFile {
    /// The customer.
    User(String),
    /// The agent.
    Agent(String),
}

/// A turn at which the agent had to do something that matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckpointFile {
    /// What was said between the checkpoint before and this one, and matters to nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<SaidFile>,
    /// What the customer writes.
    pub query: String,
    /// What was read from the customer's screen, line by line, as a machine reads it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub screen: Vec<String>,
    /// Calls that the recorded agent made before it replied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<RecordedCall>,
    /// What the recorded agent replied.
    pub reply: String,
    /// What kind of reply that is.
    pub reply_type: ReplyType,
    /// What every good reply conveys: all of these.
    pub facts: Vec<FactFile>,
    /// Markers of identity, security or confirmation that every reply has letter by letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// What must have happened for the query to make sense.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<NeedFile>,
}

/// A text, or several of which one is enough. Values are met in any wording; `re:` starts an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FactFile {
    /// One text.
    One(String),
    /// Any of these.
    Any(Vec<String>),
}

/// What must have happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NeedFile {
    /// The checkpoint of this number was answered, not skipped.
    Answered(u32),
    /// This was said before.
    Said(String),
}

named! {
    /// The kinds of replies that the paper tells apart (Table 2).
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ReplyType {
        /// It answers or mends.
        Solution = "solution",
        /// It confirms or closes by a set procedure.
        Standard = "standard",
        /// It asks.
        Inquire = "inquire",
        /// It clears up a misunderstanding.
        Clarify = "clarify",
        /// It calms somebody who is upset.
        Appease = "appease",
    }
}

/// A tool that tickets name: `tickets/tools/<category>.json` has a list of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolFile {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}
