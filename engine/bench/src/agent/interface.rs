//! What an agent under examination has to do.

use super::message::{AgentMessage, Brief, Heard};
use crate::usage::Usage;

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
