//! What lies between the user and the agent.

use crate::measures::Modality;
use crate::voice::{NoiseChannel, NoiseLevel};
use probity_bench::Levels;

/// The factor that says what lies between them.
pub const CHANNEL: &str = "channel";

/// What lies between the user and the agent: nothing, or a telephone line.
#[derive(Clone, Debug)]
pub enum Channel {
    /// The agent reads what the user writes.
    Text,
    /// The agent hears what the user says, as well as the line lets it.
    Voice(Box<NoiseChannel>),
}

impl Channel {
    /// The channel that some levels name; noise comes from the seed.
    pub fn of(levels: &Levels, noise: NoiseLevel, seed: u64, names: &[&str]) -> Option<Channel> {
        match levels.get(CHANNEL)? {
            "text" => Some(Channel::Text),
            "voice" => Some(Channel::Voice(Box::new(NoiseChannel::new(seed, noise).with_names(names.iter().copied())))),
            _ => None,
        }
    }

    /// Whether there is a line.
    pub fn modality(&self) -> Modality {
        match self {
            Channel::Text => Modality::Text,
            Channel::Voice(_) => Modality::Voice,
        }
    }

    /// What the agent hears of the `turn`-th thing that is said in a conversation.
    pub fn heard(&self, conversation: &str, turn: u64, said: &str) -> String {
        match self {
            Channel::Text => said.to_owned(),
            Channel::Voice(line) => line.hear(conversation, turn, said).heard,
        }
    }
}
