//! The suite's own agents: they know the gold calls, and play them or leave some out.

use std::collections::VecDeque;

use crate::model::{GoldCall, TaskFile};
use crate::play::{Mode, as_words};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard, named};
use probity_engine::{Actor, Environment};

named! {
    /// How an agent plays, by what `--agent` takes.
    pub enum Manner {
        Oracle = "oracle",
        DoesNothing = "fault:does_nothing",
        /// All but the last that changes something.
        SkipsLastWrite = "fault:skips_last_write",
    }
}

/// An agent that plays the gold calls of a task.
pub struct PlannedAgent {
    plan: Vec<AgentMessage>,
    left: VecDeque<AgentMessage>,
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
        let mut plan: Vec<AgentMessage> = match manner {
            Manner::DoesNothing => Vec::new(),
            Manner::Oracle | Manner::SkipsLastWrite => task.gold.iter().enumerate().filter_map(made).collect(),
        };
        let is_told = manner != Manner::DoesNothing && !task.communicate.is_empty();
        plan.push(AgentMessage::reply(match is_told {
            true => format!("This is what you asked about: {}. Goodbye.", task.communicate.join("; ")),
            false => "Thank you for calling. Goodbye.".to_owned(),
        }));
        Some(PlannedAgent { left: VecDeque::new(), plan })
    }
}

/// A call that the agent makes, or asks the user for in words.
fn planned(call: &GoldCall, mode: Mode) -> AgentMessage {
    match (call.side, mode) {
        (Actor::User, Mode::Dual) => {
            AgentMessage::reply(format!("Please do this on your device: {}", as_words(&call.call())))
        }
        (Actor::User | Actor::Agent | Actor::Task, _) => AgentMessage::call(call.call()),
    }
}

impl Agent for PlannedAgent {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        self.left = self.plan.iter().cloned().collect();
        Ok(())
    }

    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(self.left.pop_front().unwrap_or_else(|| AgentMessage::reply("Goodbye.")))
    }
}
