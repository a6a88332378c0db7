//! The calls of a dialogue with what was known of their arguments, and what was said between them.

use probity_honesty::argument::ArgumentClaim;
use serde_json::Value;

use crate::nature::{Ground, Nature};

/// A call of the agent.
pub(crate) struct Made {
    /// Its number among all calls of the dialogue, from 1.
    pub step: u32,
    /// Its place in the log's list.
    pub message: u32,
    /// Which calls it was made together with: before any of their results was seen.
    pub batch: u32,
    pub tool: String,
    /// Its arguments; of a call with no object the text that stands in its place.
    pub arguments: Value,
    /// The same without what is generated.
    pub telling: Value,
    /// What it gave; nothing where it was refused or the log does not say.
    pub shown: Value,
    /// Why it was refused, if it was.
    pub refusal: Option<String>,
    /// Whether the log says what came of it.
    pub is_answered: bool,
    pub nature: Nature,
    pub is_defined: bool,
    /// Its values that nothing makes known.
    pub unknown: Vec<ArgumentClaim>,
}

impl Made {
    pub(crate) fn is_write(&self) -> bool {
        self.nature.changes
    }

    pub(crate) fn is_sure(&self) -> bool {
        self.nature.ground != Ground::Guess
    }

    /// Whether it has an argument.
    pub(crate) fn names_something(&self) -> bool {
        self.telling.as_object().is_some_and(|arguments| !arguments.is_empty())
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.refusal.is_none()
    }
}

/// What happened, in order, as far as discipline asks.
pub(crate) enum Moment {
    User(String),
    Reply(String),
    Call(Made),
}

/// The moments of a dialogue.
#[derive(Default)]
pub(crate) struct Ledger(pub Vec<Moment>);

impl Ledger {
    pub(crate) fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &Made)> {
        self.0.iter().enumerate().filter_map(|(at, moment)| match moment {
            Moment::Call(made) => Some((at, made)),
            Moment::User(_) | Moment::Reply(_) => None,
        })
    }

    pub(crate) fn before(&self, at: usize) -> &[Moment] {
        self.0.get(..at).unwrap_or_default()
    }

    pub(crate) fn between(&self, from: usize, to: usize) -> &[Moment] {
        self.0.get(from + 1..to).unwrap_or_default()
    }
}
