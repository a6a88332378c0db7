//! The suite's own agents: people of the service, of different care.

use crate::people::{AgentHears, ServiceAgent, ServiceManner};
use crate::telecom::TelecomTask;
use probity_bench::{Agent, AgentEntry, AgentFault, AgentMessage, AgentName, Brief, Heard};
use probity_engine::ToolCall;

const RECKLESS: &str = "reckless";
const FAULTS: [(ServiceManner, &str, &str, &[&str]); 3] = [
    (ServiceManner::PrematureTransfer, "premature_transfer", "hands over before it has looked", &["sr"]),
    (ServiceManner::NeverTransfers, "never_transfers", "says that it is solved where it should hand over", &["sr"]),
    (ServiceManner::WrongNumber, "wrong_number", "takes a digit wrong", &["sr", "cfa"]),
];

pub fn manner(name: &AgentName) -> Option<ServiceManner> {
    match name {
        AgentName::Oracle => Some(ServiceManner::Oracle),
        AgentName::Own(own) => (own == RECKLESS).then_some(ServiceManner::Reckless),
        AgentName::Fault(fault) => FAULTS.iter().find(|(_, name, ..)| name == fault).map(|(manner, ..)| *manner),
        AgentName::Noop
        | AgentName::Coin(_)
        | AgentName::Cheat(_)
        | AgentName::Replay(_)
        | AgentName::Exec(_)
        | AgentName::OpenAi(_) => None,
    }
}

/// All but the oracle, for a list of them.
pub fn entries() -> Vec<AgentEntry> {
    let reckless = AgentEntry {
        must_lower: vec!["ias"],
        ..AgentEntry::plain(RECKLESS, "neither reads back what it heard nor asks before it acts")
    };
    let faults = FAULTS.iter().map(|(_, name, what, must_lower)| AgentEntry {
        name: format!("fault:{name}"),
        description: (*what).to_owned(),
        must_lower: must_lower.to_vec(),
    });
    std::iter::once(reckless).chain(faults).collect()
}

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
