//! The agent that does nothing: what it passes, nothing tests.

use crate::agent::{Agent, AgentFault, AgentMessage, Brief, Heard};

/// Replies politely and never calls a tool.
pub struct NoopAgent;

impl Agent for NoopAgent {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        Ok(())
    }

    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(AgentMessage::reply("Understood."))
    }
}
