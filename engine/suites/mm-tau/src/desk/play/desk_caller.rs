//! The user of a desk at the end of the channel.

use std::sync::Arc;

use crate::desk::task::DeskTask;
use crate::desk::user::{DeskHears, DeskMove, DeskSpeech, DeskUser};
use crate::inference::Profiler;
use crate::play::Channel;
use crate::suite::Exposure;
use crate::telecom::Persona;
use probity_bench::{Event, User, UserFault, Utterance, reply_in};

pub struct DeskCaller<'l> {
    user: DeskUser,
    channel: Channel<'l>,
    /// What makes profiles of the user, where the agent is told such.
    profiler: Option<Profiler>,
    turn: u64,
    /// The last words, once they are due.
    farewell: Option<DeskSpeech>,
}

impl<'l> DeskCaller<'l> {
    pub fn new(task: &Arc<DeskTask>, (persona, exposure): (Persona, Exposure), channel: Channel<'l>) -> DeskCaller<'l> {
        let profiler = (exposure == Exposure::Inferred).then(Profiler::default);
        DeskCaller { user: DeskUser::new(task, persona), channel, profiler, turn: 0, farewell: None }
    }
}

/// What a user of a desk hears of what happened since they last spoke.
pub fn desk_hears(since: &[Event], is_beginning: bool) -> DeskHears<'_> {
    let called = since.iter().filter_map(|event| match event {
        Event::Step(step) if step.is_ok() => Some(step.tool.as_str()),
        _ => None,
    });
    let called: Vec<&str> = called.collect();
    let is_handed_over = called.contains(&crate::desk::score::TRANSFER);
    DeskHears { text: reply_in(since), called, is_handed_over, is_beginning }
}

impl User for DeskCaller<'_> {
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        match self.user.next(&desk_hears(since, self.turn == 0)) {
            DeskMove::Say(said) => {
                self.turn += 1;
                let heard =
                    self.channel.heard(self.user.conversation(), self.turn, &said.speech.text).map_err(UserFault)?;
                let said = (heard != said.speech.text).then_some(said.speech.text);
                Ok(Some(Utterance { said, ..Utterance::scripted(heard) }))
            }
            DeskMove::Leave(farewell, _) => {
                self.farewell = Some(farewell);
                Ok(None)
            }
        }
    }

    fn question(&mut self, events: &[Event]) -> Option<String> {
        self.profiler.as_mut()?.question(events)
    }

    fn context(&mut self, answer: Option<&str>) -> Option<String> {
        Some(self.profiler.as_ref()?.context(answer))
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        Some(Utterance::scripted(self.farewell.as_ref()?.speech.text.clone()))
    }
}
