//! How a user behaves.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::Task;
use super::presumption::{Premise, premises};
use crate::model::task_file::{CallFile, Contradiction, Planted, Presumption};
use crate::model::variant::Variant;
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
    /// What its author says that turns take for granted.
    pub presumes: BTreeMap<u32, Vec<Presumption>>,
    /// Positions in [`Task::outcomes`] that are accepted; the oracle plays the first.
    pub accept: Vec<usize>,
    /// The segments of the first accepted outcome's calls in this variant.
    pub segments: Vec<u32>,
    pub replies: Vec<String>,
    pub(super) told_words: OnceLock<usize>,
    pub(super) premises: OnceLock<Vec<(u32, Premise)>>,
}

impl Behaviour {
    /// What its turns take for granted, each with its turn, from 1, in their order; `task` and `variant` are those that it
    /// is of.
    pub fn premises(&self, task: &Task, variant: Variant) -> &[(u32, Premise)] {
        self.premises.get_or_init(|| premises(task, variant, self))
    }

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
