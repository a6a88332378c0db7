//! The suite's own agents: people of the service, of different care.

use crate::people::{AgentHears, ServiceAgent, ServiceManner};
use crate::telecom::TelecomTask;
use probity_bench::kit::{OwnAgent, OwnAgents};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard};
use probity_engine::ToolCall;

pub static AGENTS: OwnAgents<ServiceManner> = OwnAgents {
    oracle: ServiceManner::Oracle,
    others: &[
        OwnAgent {
            name: "reckless",
            what: "neither reads back what it heard nor asks before it acts",
            must_lower: &["ias"],
            manner: ServiceManner::Reckless,
        },
        OwnAgent {
            name: "fault:premature_transfer",
            what: "hands over before it has looked",
            must_lower: &["sr"],
            manner: ServiceManner::PrematureTransfer,
        },
        OwnAgent {
            name: "fault:never_transfers",
            what: "says that it is solved where it should hand over",
            must_lower: &["sr"],
            manner: ServiceManner::NeverTransfers,
        },
        OwnAgent {
            name: "fault:wrong_number",
            what: "takes a digit wrong",
            must_lower: &["sr", "cfa"],
            manner: ServiceManner::WrongNumber,
        },
    ],
};

/// An agent that knows the task, and of its user only what it hears.
pub struct ServicePlayer {
    task: TelecomTask,
    manner: ServiceManner,
    agent: ServiceAgent,
}

impl ServicePlayer {
    /// An agent of a task, of some care.
    pub fn new(task: &TelecomTask, manner: ServiceManner) -> ServicePlayer {
        ServicePlayer { task: task.clone(), manner, agent: ServiceAgent::new(task, manner) }
    }
}

impl Agent for ServicePlayer {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        self.agent = ServiceAgent::new(&self.task, self.manner);
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
