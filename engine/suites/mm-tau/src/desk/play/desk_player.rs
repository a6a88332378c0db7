//! The built-in agents of a desk as the benchmark plays them.

use std::sync::Arc;

use crate::desk::agent::DeskAgent;
use crate::desk::task::DeskTask;
use crate::people::{AgentHears, ServiceManner};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard};
use probity_engine::ToolCall;

/// An agent that knows the task, and of its user only what it hears.
pub struct DeskPlayer {
    task: Arc<DeskTask>,
    manner: ServiceManner,
    agent: DeskAgent,
}

impl DeskPlayer {
    /// An agent of a task, of some care.
    pub fn new(task: &Arc<DeskTask>, manner: ServiceManner) -> DeskPlayer {
        DeskPlayer { task: task.clone(), manner, agent: DeskAgent::new(task, manner) }
    }
}

impl Agent for DeskPlayer {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        self.agent = DeskAgent::new(&self.task, self.manner);
        Ok(())
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        let heard = match heard {
            Heard::User(text) => AgentHears::User(text.clone()),
            Heard::Observations(results) => AgentHears::Results(results.clone()),
        };
        let speech = self.agent.respond(&heard);
        let calls = speech.calls.into_iter().map(|(tool, arguments)| ToolCall::new(tool, arguments)).collect();
        Ok(AgentMessage { text: speech.text, calls, ..AgentMessage::default() })
    }
}
