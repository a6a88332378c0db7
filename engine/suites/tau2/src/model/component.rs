//! What a reward can be made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
