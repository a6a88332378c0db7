//! The agent's side of a dialogue.

pub mod chat;
pub mod exec;
pub mod interrupt;
pub mod name;
pub mod noop;
mod process;
pub mod replay;
pub mod spec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::usage::Usage;
use probity_engine::ToolCall;

/// What an agent is told before the dialogue starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Brief {
    /// The system prompt.
    pub system: String,
    /// The tools, in the form model providers take.
    pub tools: Value,
}

/// What an agent hears before it speaks.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// The user says something.
    User(String),
    /// The calls of its last message returned these, in order.
    Observations(Vec<Value>),
}

/// What an agent says: calls, with or without words, or words alone, which end its turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentMessage {
    /// Words for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Calls, run in order; they form one batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
}

impl AgentMessage {
    /// Words alone.
    pub fn reply(text: impl Into<String>) -> Self {
        AgentMessage { text: Some(text.into()), calls: Vec::new() }
    }

    /// One call.
    pub fn call(call: ToolCall) -> Self {
        AgentMessage { text: None, calls: vec![call] }
    }
}

/// Why an agent has no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentFault {
    /// It exited, timed out or broke the protocol: the episode failed.
    #[error("the agent failed: {0}")]
    Failed(String),
    /// The dialogue is longer than its model can read: the episode failed.
    #[error("the dialogue is longer than the agent's model can read: {0}")]
    TooLong(String),
    /// Its provider could not be reached: the episode is not scored.
    #[error("the agent's provider could not be reached: {0}")]
    Unreachable(String),
}

/// An agent under examination. It never sees the state, only what it hears.
pub trait Agent: Send {
    /// Starts the dialogue.
    ///
    /// # Errors
    /// When the agent cannot be started.
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault>;

    /// The next message after hearing something.
    ///
    /// # Errors
    /// When there is none.
    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault>;

    /// Told before the user answers beside the script. An agent under examination does not care; one that plays a
    /// plan of the script's turns has to.
    fn expect_extra(&mut self) {}

    /// What its provider was asked for in this episode; nothing for an agent without one.
    fn usage(&self) -> Option<Usage> {
        None
    }

    /// The end of what its process wrote to standard error, asked for once it has failed.
    fn errors(&mut self) -> Option<String> {
        None
    }
}
