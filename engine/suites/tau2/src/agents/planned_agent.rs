//! An agent that plays the gold calls, or leaves some out.

use std::collections::VecDeque;

use crate::model::{GoldCall, TaskFile};
use crate::play::{Mode, as_words};
use probity_bench::{Agent, AgentEntry, AgentFault, AgentMessage, AgentName, Brief, Heard};
use probity_engine::{Actor, Environment, ToolCall};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Oracle,
    DoesNothing,
    /// All but the last that changes something.
    SkipsLastWrite,
}

const FAULTS: [(Manner, &str, &str, &[&str]); 2] = [
    (
        Manner::DoesNothing,
        "does_nothing",
        "greets and takes its leave: what it passes, nothing tests",
        &["sr", "action"],
    ),
    (Manner::SkipsLastWrite, "skips_last_write", "leaves out the last call that changes something", &["reward", "sr"]),
];

impl Manner {
    pub fn of(name: &AgentName) -> Option<Manner> {
        match name {
            AgentName::Oracle => Some(Manner::Oracle),
            AgentName::Fault(fault) => FAULTS.iter().find(|(_, name, ..)| name == fault).map(|(manner, ..)| *manner),
            AgentName::Noop
            | AgentName::Coin(_)
            | AgentName::Cheat(_)
            | AgentName::Replay(_)
            | AgentName::Exec(_)
            | AgentName::OpenAi(_)
            | AgentName::Own(_) => None,
        }
    }

    pub fn entries() -> Vec<AgentEntry> {
        let entry = |(_, name, what, must_lower): &(Manner, &str, &str, &[&'static str])| AgentEntry {
            name: format!("fault:{name}"),
            description: (*what).to_owned(),
            must_lower: must_lower.to_vec(),
        };
        FAULTS.iter().map(entry).collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum PlannedMove {
    Call(ToolCall),
    Say(String),
}

/// An agent that plays the gold calls of a task.
pub struct PlannedAgent {
    plan: Vec<PlannedMove>,
    left: VecDeque<PlannedMove>,
}

impl PlannedAgent {
    /// An agent of a task; nothing where its fault has no place there.
    pub fn new(task: &TaskFile, environment: &Environment, mode: Mode, manner: Manner) -> Option<PlannedAgent> {
        let is_write = |call: &GoldCall| !environment.is_read(&call.tool);
        let skipped = match manner {
            Manner::SkipsLastWrite => Some(task.gold.iter().rposition(is_write)?),
            Manner::Oracle | Manner::DoesNothing => None,
        };
        let made = |(index, call): (usize, &GoldCall)| (skipped != Some(index)).then(|| planned(call, mode));
        let mut plan: Vec<PlannedMove> = match manner {
            Manner::DoesNothing => Vec::new(),
            Manner::Oracle | Manner::SkipsLastWrite => task.gold.iter().enumerate().filter_map(made).collect(),
        };
        let is_told = manner != Manner::DoesNothing && !task.communicate.is_empty();
        plan.push(PlannedMove::Say(match is_told {
            true => format!("This is what you asked about: {}. Goodbye.", task.communicate.join("; ")),
            false => "Thank you for calling. Goodbye.".to_owned(),
        }));
        Some(PlannedAgent { left: VecDeque::new(), plan })
    }
}

/// A call that the agent makes, or asks the user for in words.
fn planned(call: &GoldCall, mode: Mode) -> PlannedMove {
    match (call.side, mode) {
        (Actor::User, Mode::Dual) => {
            PlannedMove::Say(format!("Please do this on your device: {}", as_words(&call.call())))
        }
        (Actor::User | Actor::Agent | Actor::Task, _) => PlannedMove::Call(call.call()),
    }
}

impl Agent for PlannedAgent {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        self.left = self.plan.iter().cloned().collect();
        Ok(())
    }

    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(match self.left.pop_front() {
            Some(PlannedMove::Call(call)) => AgentMessage::call(call),
            Some(PlannedMove::Say(text)) => AgentMessage::reply(text),
            None => AgentMessage::reply("Goodbye."),
        })
    }
}
