//! The user of an episode: the person of the task, at the end of what lies between the user and the agent.

use std::collections::VecDeque;

use serde_json::Value;

use crate::card::SPOKEN;
use crate::inference::Profiler;
use crate::measures::Modality;
use crate::people::UserMove;
use crate::score::Person;
use crate::voice::NoiseChannel;
use probity_bench::{Event, Levels, Line, Trace, User, UserFault, Utterance, Words};
use probity_engine::ToolCall;

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

/// The factor that says what lies between them.
pub const CHANNEL: &str = "channel";

/// What lies between the user and the agent: nothing, or a telephone line.
#[derive(Clone)]
pub enum Channel<'l> {
    /// The agent reads what the user writes.
    Text,
    /// The agent hears what the user says, as well as seeded noise lets it.
    Noise(Box<NoiseChannel>),
    /// What the user says goes through programs.
    Spoken(&'l dyn Line),
    /// What programs once made of it.
    Heard {
        heard: VecDeque<String>,
        /// Why nothing more was, where a program failed.
        fault: String,
    },
}

impl<'l> Channel<'l> {
    /// The channel that some levels and a level of noise name; noise comes from the seed.
    pub fn of(levels: &Levels, noise: &str, seed: u64, names: &[&str], words: Words<'l>) -> Option<Channel<'l>> {
        match (levels.get(CHANNEL)?, noise, words) {
            ("text", ..) => Some(Channel::Text),
            ("voice", SPOKEN, Words::Found(with)) => Some(Channel::Spoken(with.line?)),
            ("voice", SPOKEN, Words::Of(trace)) => Some(recorded(trace)),
            ("voice", noise, _) => {
                let line = NoiseChannel::new(seed, noise.parse().ok()?).with_names(names.iter().copied());
                Some(Channel::Noise(Box::new(line)))
            }
            _ => None,
        }
    }

    /// What the agent hears of the `turn`-th thing that is said in a conversation.
    /// An error: one line: a program failed, or nothing more was heard in the trace.
    pub fn heard(&mut self, conversation: &str, turn: u64, said: &str) -> Result<String, String> {
        match self {
            Channel::Text => Ok(said.to_owned()),
            Channel::Noise(line) => Ok(line.hear(conversation, turn, said).heard),
            Channel::Spoken(line) => line.hear(said),
            Channel::Heard { heard, fault } => heard.pop_front().ok_or_else(|| fault.clone()),
        }
    }
}

pub fn modality(levels: &Levels) -> Option<Modality> {
    Modality::from_name(levels.get(CHANNEL)?)
}

fn recorded<'l>(trace: &Trace) -> Channel<'l> {
    let fault = trace.end().and_then(|(_, detail)| detail).unwrap_or("the trace has no further words").to_owned();
    Channel::Heard { heard: trace.heard().map(|(_, text)| text.to_owned()).collect(), fault }
}
