//! Calls of either side: of the initialization, of the gold trace, and of assertions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::named::named;
use probity_engine::ToolCall;

named! {
    /// Whose function it is: the carrier's records are the agent's, the phone is the user's.
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Side {
        /// The agent, who works on the carrier's records (`assistant` in the peer's files).
        #[default]
        Agent = "agent",
        /// The user, who holds the phone.
        User = "user",
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Call {
    pub side: Side,
    /// The function: a tool, or a helper of the environment's that initialization and assertions alone may call.
    pub function: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

impl Call {
    pub fn made(&self) -> ToolCall {
        ToolCall::new(&self.function, Value::Object(self.arguments.clone()))
    }
}

/// A function of the environment that must answer as expected at the end of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    #[serde(flatten)]
    pub call: Call,
    pub expected: bool,
}
