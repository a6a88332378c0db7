//! The files of the suite: tasks (`tau2/tasks/<world>/<name>.json`), and the state in which a world begins
//! (`tau2/data/<world>.json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use probity_engine::{Actor, ToolCall};

/// A task of tau2-bench, in our words for its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskFile {
    /// Its id there.
    pub id: String,
    /// The split it belongs to: `train`, `test`, or `other`.
    pub split: String,
    /// What the user wants and knows.
    pub scenario: Scenario,
    /// What the agent is given instead of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The calls that make its start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<OwnCall>,
    /// The calls of one right way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gold: Vec<GoldCall>,
    /// What must hold at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<AssertedCall>,
    /// Texts that the agent must say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub communicate: Vec<String>,
    /// Sentences that must be true of the dialogue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nl_assertions: Vec<String>,
    /// What the reward is the product of; of nothing it is 1.
    pub reward_basis: Vec<Component>,
}

/// What a user wants and knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Who they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// Why they call; all of the instructions where they are one text.
    pub reason: String,
    /// What they know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// What they do not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// How they behave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conduct: Option<String>,
}

/// A call of the task itself, of a tool of the task's own or of a side's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnCall {
    /// Whose databases it is about: `agent` or `user`.
    pub side: Actor,
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
}

/// A call of one right way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoldCall {
    /// Who makes it: `agent` or `user`.
    pub side: Actor,
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// The arguments that are compared; without them those that a call has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared: Option<Vec<String>>,
}

/// A question about the end, with the answer it must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssertedCall {
    /// Whose databases it is about: `agent` or `user`.
    pub side: Actor,
    /// The tool that asks.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// The answer.
    pub expected: bool,
}

impl OwnCall {
    pub fn call(&self) -> ToolCall {
        ToolCall::new(self.tool.as_str(), Value::Object(self.arguments.clone()))
    }
}

impl GoldCall {
    pub fn call(&self) -> ToolCall {
        ToolCall::new(self.tool.as_str(), Value::Object(self.arguments.clone()))
    }
}

impl AssertedCall {
    pub fn call(&self) -> ToolCall {
        ToolCall::new(self.tool.as_str(), Value::Object(self.arguments.clone()))
    }
}

/// A component of the reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// Both databases are at the end what the gold calls make of them.
    Db,
    /// What the task asserts of the end holds.
    EnvAssertion,
    /// Every gold call was made.
    Action,
    /// Every text that has to be said was said.
    Communicate,
    /// Sentences about the dialogue that only a judge can hold against it.
    NlAssertion,
}

impl Component {
    pub fn metric(self) -> &'static str {
        match self {
            Component::Db => "db",
            Component::EnvAssertion => "env",
            Component::Action => "action",
            Component::Communicate => "communicate",
            Component::NlAssertion => "nl",
        }
    }
}

/// The state in which every task of a world begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldFile {
    /// The clock, in seconds after 1970.
    pub clock: i64,
    /// Every part of the state, whole.
    pub state: Map<String, Value>,
}
