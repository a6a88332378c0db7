//! What an agent under examination has to do, and what it is told, hears and says.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::shape::{Field, Misfit, Need, Shape};
use crate::usage::Usage;
use probity_engine::ToolCall;

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
    /// Starts the dialogue. One that says what it has planned, whatever it is told, needs no start.
    ///
    /// # Errors
    /// When the agent cannot be started.
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        Ok(())
    }

    /// The next message after hearing something.
    ///
    /// # Errors
    /// When there is none.
    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault>;

    /// Told before the user answers beside the script. An agent under examination does not care; one that plays a
    /// plan of the script's turns has to.
    fn expect_extra(&mut self) {}

    /// Its answer to a question beside the dialogue, which is no part of it; nothing from an agent that answers none.
    ///
    /// # Errors
    /// Its provider could not be reached.
    fn reflect(&mut self, _question: &str) -> Result<Option<String>, AgentFault> {
        Ok(None)
    }

    /// Told beside the dialogue what holds from here on, in place of what it was told so before.
    fn learn(&mut self, _context: &str) {}

    /// What its provider was asked for in this episode; nothing for an agent without one.
    fn usage(&self) -> Option<Usage> {
        None
    }

    /// Places of what its process said that were no text, and stand as U+FFFD.
    fn mended(&self) -> u64 {
        0
    }

    /// The end of what its process wrote to standard error, asked for once it has failed.
    fn errors(&mut self) -> Option<String> {
        None
    }
}

/// What an agent is told before the dialogue starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Brief {
    /// The system prompt.
    pub system: String,
    /// The tools, in the form model providers take.
    pub tools: Value,
    /// What was said before, the user first; empty where the dialogue begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Past>,
}

/// What happened before a dialogue that an agent is put into: it counts as heard and said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Past {
    /// It heard this.
    Heard(Heard),
    /// It said this.
    Said(AgentMessage),
}

/// What an agent hears before it speaks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
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
    #[serde(default, deserialize_with = "calls", skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// What its provider counted for it; an agent's own word for it counts for nothing.
    #[serde(skip)]
    pub tokens: Option<Tokens>,
}

/// A list of calls, or null for none.
fn calls<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ToolCall>, D::Error> {
    Option::<Vec<ToolCall>>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The tokens of a message that a provider was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// So many were written.
    Counted(u64),
    /// The provider did not say.
    Uncounted,
}

const CALL: Shape =
    Shape::Object(&[Field("tool", Shape::Text, Need::Must), Field("arguments", Shape::Any, Need::Must)]);

impl AgentMessage {
    /// What is read as a message, wherever agents speak in JSON.
    pub const SHAPE: Shape = Shape::Object(&[
        Field("text", Shape::Text, Need::MayBeNull),
        Field("calls", Shape::List(&CALL), Need::MayBeNull),
    ]);

    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with the value.
    pub fn of_value(value: Value) -> Result<AgentMessage, Misfit> {
        match Self::SHAPE.misfit(&value) {
            Some(misfit) => Err(misfit),
            None => serde_json::from_value(value)
                .map_err(|error| Misfit { at: String::new(), what: format!("cannot be read: {error}") }),
        }
    }

    /// Words alone.
    pub fn reply(text: impl Into<String>) -> Self {
        AgentMessage { text: Some(text.into()), ..AgentMessage::default() }
    }

    /// One call.
    pub fn call(call: ToolCall) -> Self {
        AgentMessage { calls: vec![call], ..AgentMessage::default() }
    }
}
