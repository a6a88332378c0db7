//! The user of an episode: the person of the task, at the end of the channel.

use super::Channel;
use crate::inference::Profiler;
use crate::people::UserMove;
use crate::score::Person;
use probity_bench::{Event, User, UserFault, Utterance};
use probity_engine::ToolCall;
use serde_json::Value;

/// Who calls, and what lies between.
#[derive(Clone)]
pub struct Caller<'l> {
    person: Box<dyn Person>,
    channel: Channel<'l>,
    /// What makes profiles of the user, where the agent is told such.
    profiler: Option<Profiler>,
    turn: u64,
    next: Option<UserMove>,
}

impl<'l> Caller<'l> {
    /// A caller; a `profiled` one is one of whom the agent is told what the call shows.
    pub fn new(person: Box<dyn Person>, channel: Channel<'l>, profiled: bool) -> Caller<'l> {
        Caller { person, channel, profiler: profiled.then(Profiler::default), turn: 0, next: None }
    }
}

impl User for Caller<'_> {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        match self.person.next_move(since) {
            UserMove::Act { tool, arguments } => Some(ToolCall::new(tool, Value::Object(arguments))),
            words => {
                self.next = Some(words);
                None
            }
        }
    }

    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        match self.next.take() {
            Some(UserMove::Say(speech)) => {
                self.turn += 1;
                let heard = self.channel.heard(self.person.conversation(), self.turn, &speech.text);
                let heard = heard.map_err(UserFault)?;
                let said = (heard != speech.text).then_some(speech.text);
                Ok(Some(Utterance { said, ..Utterance::scripted(heard) }))
            }
            // Who would use the phone for ever goes as well.
            other => {
                self.next = other;
                Ok(None)
            }
        }
    }

    fn question(&mut self, events: &[&Event]) -> Option<String> {
        self.profiler.as_mut()?.question(events)
    }

    fn context(&mut self, answer: Option<&str>) -> Option<String> {
        Some(self.profiler.as_ref()?.context(answer))
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        match &self.next {
            Some(UserMove::Leave(farewell)) => Some(Utterance::scripted(farewell.text.clone())),
            Some(UserMove::Act { .. } | UserMove::Say(_)) | None => None,
        }
    }
}
