//! The agent that says again what a trace recorded.

use std::collections::VecDeque;

use super::{Agent, AgentFault, AgentMessage, Brief, Heard, Tokens};
use crate::event::{EndReason, Event, Note};
use crate::trace::Trace;
use probity_engine::Actor;

/// Says the messages of a trace again, and fails where the recorded agent failed.
pub struct ReplayAgent {
    messages: VecDeque<AgentMessage>,
    answers: VecDeque<Option<String>>,
    fault: Option<AgentFault>,
    never_started: bool,
}

impl ReplayAgent {
    /// The agent of a trace.
    pub fn new(trace: &Trace) -> Self {
        let mut messages: Vec<(u32, AgentMessage)> = Vec::new();
        let mut answers = VecDeque::new();
        for event in &trace.events {
            match event {
                Event::Reply { message, text, .. } => at(&mut messages, *message).text = Some(text.clone()),
                Event::Step(step) if step.actor == Actor::Agent => {
                    at(&mut messages, step.message).calls.push(step.call());
                }
                Event::Note(Note::Tokens { message, written }) => {
                    at(&mut messages, *message).tokens = Some(written.map_or(Tokens::Uncounted, Tokens::Counted));
                }
                Event::Note(Note::Context(context)) => answers.push_back(context.answer.clone()),
                Event::Step(_) | Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
            }
        }
        let fault = match trace.end() {
            Some((EndReason::AgentFailed, detail)) => Some(AgentFault::Failed(detail.unwrap_or_default().to_owned())),
            Some((EndReason::ContextOverflow, detail)) => {
                Some(AgentFault::TooLong(detail.unwrap_or_default().to_owned()))
            }
            Some((EndReason::ProviderUnreachable, detail)) => {
                Some(AgentFault::Unreachable(detail.unwrap_or_default().to_owned()))
            }
            Some((EndReason::Completed | EndReason::MaxMessages | EndReason::UserUnreachable, _)) | None => None,
        };
        let never_started = !trace.events.iter().any(|event| matches!(event, Event::User { .. }));
        ReplayAgent {
            answers,
            never_started,
            messages: messages.into_iter().map(|(_, message)| message).collect(),
            fault,
        }
    }
}

fn at(messages: &mut Vec<(u32, AgentMessage)>, number: u32) -> &mut AgentMessage {
    if messages.last().is_none_or(|(last, _)| *last != number) {
        messages.push((number, AgentMessage::default()));
    }
    let index = messages.len() - 1;
    #[expect(clippy::indexing_slicing, reason = "an entry was pushed just above when there was none")]
    &mut messages[index].1
}

impl Agent for ReplayAgent {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        match &self.fault {
            Some(fault) if self.never_started => Err(fault.clone()),
            Some(_) | None => Ok(()),
        }
    }

    fn reflect(&mut self, _question: &str) -> Result<Option<String>, AgentFault> {
        match (self.answers.pop_front(), &self.fault) {
            (Some(answer), _) => Ok(answer),
            (None, Some(fault)) if self.messages.is_empty() => Err(fault.clone()),
            (None, _) => Ok(None),
        }
    }

    fn respond(&mut self, _heard: &Heard) -> Result<AgentMessage, AgentFault> {
        let out = || AgentFault::Failed("the trace has no further message".to_owned());
        self.messages.pop_front().ok_or_else(|| self.fault.clone().unwrap_or_else(out))
    }
}
