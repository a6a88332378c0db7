//! How a user behaves.

use std::sync::OnceLock;

use crate::model::task_file::{CallFile, Contradiction, Planted};
use probity_engine::Pattern;
use probity_prose::token::words;

pub struct Behaviour {
    pub turns: Vec<String>,
    /// Facts left out of the first turn.
    pub withheld: Vec<String>,
    pub planted: Vec<Planted>,
    /// Wishes that cannot both be had, with the calls that must wait.
    pub contradicts: Vec<Hold>,
    /// Reads this user really asks for on top of the oracle's.
    pub extra_calls: Vec<CallFile>,
    /// Calls the user says yes to, with the turn of the yes.
    pub consents: Vec<(u32, Pattern)>,
    /// Positions in [`Task::outcomes`] that are accepted; the oracle plays the first.
    pub accept: Vec<usize>,
    /// The segments of the first accepted outcome's calls in this variant.
    pub segments: Vec<u32>,
    pub replies: Vec<String>,
    pub(super) told_words: OnceLock<usize>,
}

impl Behaviour {
    /// How many words its replies have together.
    pub fn told_words(&self) -> usize {
        *self.told_words.get_or_init(|| self.replies.iter().map(|reply| words(reply).len()).sum())
    }
}

pub struct Hold {
    pub source: Contradiction,
    /// Calls that must wait until it is settled.
    pub calls: Vec<Pattern>,
}
