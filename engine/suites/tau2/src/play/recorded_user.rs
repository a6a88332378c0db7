//! The user of an episode that was played: what they did and said then, they do and say again.

use std::collections::VecDeque;

use probity_bench::{EndReason, Event, Trace, User, UserFault, Utterance};
use probity_engine::{Actor, ToolCall};

/// A model's words and calls, taken from a trace.
#[derive(Clone)]
pub struct RecordedUser {
    moves: VecDeque<RecordedMove>,
    farewell: Option<String>,
    /// Why there was no further word, where a provider was at fault.
    fault: Option<String>,
}

#[derive(Clone)]
enum RecordedMove {
    Call(ToolCall),
    Say(String),
}

impl RecordedUser {
    pub fn new(trace: &Trace) -> RecordedUser {
        let moves = trace.events.iter().filter_map(|event| match event {
            Event::Step(step) if step.actor == Actor::User => Some(RecordedMove::Call(step.call())),
            Event::User { text, .. } => Some(RecordedMove::Say(text.clone())),
            Event::Step(_) | Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
        });
        let mut moves: VecDeque<RecordedMove> = moves.collect();
        // Words that nobody answered, and nobody failed to answer, are a farewell.
        let farewell = match trace.events.as_slice() {
            [.., Event::User { text, .. }, Event::End { reason: EndReason::Completed, .. }] => {
                moves.pop_back();
                Some(text.clone())
            }
            _ => None,
        };
        let fault = match trace.end() {
            Some((EndReason::UserUnreachable, detail)) => Some(detail.unwrap_or_default().to_owned()),
            Some(_) | None => None,
        };
        RecordedUser { moves, farewell, fault }
    }
}

impl User for RecordedUser {
    fn act(&mut self, _since: &[Event]) -> Option<ToolCall> {
        match self.moves.pop_front()? {
            RecordedMove::Call(call) => Some(call),
            words @ RecordedMove::Say(_) => {
                self.moves.push_front(words);
                None
            }
        }
    }

    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        match (self.moves.pop_front(), &self.fault) {
            (Some(RecordedMove::Say(text)), _) => Ok(Some(Utterance::scripted(text))),
            (Some(RecordedMove::Call(_)) | None, Some(fault)) => Err(UserFault(fault.clone())),
            (Some(RecordedMove::Call(_)) | None, None) => Ok(None),
        }
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        self.farewell.clone().map(Utterance::scripted)
    }
}
