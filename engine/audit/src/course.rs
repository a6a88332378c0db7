//! The course of a dialogue: its calls with what was known of their arguments, and what was said between them.

use std::cell::OnceCell;

use probity_bench::Shown;
use probity_honesty::argument::ArgumentClaim;
use probity_prose::Text;
use serde_json::Value;

use crate::field;
use crate::nature::{Basis, Nature};

/// A call of the agent.
pub(crate) struct Made<'d> {
    /// Its number among all calls of the dialogue, from 1.
    pub step: u32,
    /// Its place in the log's list.
    pub message: u32,
    /// The place of its result.
    pub answered: u32,
    /// Which calls it was made together with: before any of their results was seen.
    pub batch: u32,
    pub tool: &'d str,
    /// Its arguments; of a call with no object the text that stands in its place.
    pub arguments: Value,
    /// The same without what is generated.
    pub telling: Value,
    /// What it gave; nothing where it was refused or the log does not say.
    pub shown: &'d Value,
    /// Why it was refused, if it was.
    pub refusal: Option<String>,
    /// Whether the log says what came of it.
    pub is_answered: bool,
    pub nature: Nature,
    pub is_defined: bool,
    /// Its values that nothing makes known.
    pub unknown: Vec<ArgumentClaim>,
}

impl Made<'_> {
    pub(crate) fn is_write(&self) -> bool {
        self.nature.changes
    }

    pub(crate) fn is_sure(&self) -> bool {
        matches!(self.nature.basis, Basis::Told | Basis::Annotation)
    }

    /// Whether it has an argument.
    pub(crate) fn names_something(&self) -> bool {
        self.telling.as_object().is_some_and(|arguments| !arguments.is_empty())
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.refusal.is_none()
    }

    /// Where it shows a value.
    pub(crate) fn shows(&self, value: &str) -> Shown {
        let (field, written) = field::of(self.shown, value).unwrap_or_else(|| (String::new(), value.to_owned()));
        Shown { tool: self.tool.to_owned(), field, value: written, message: self.answered }
    }
}

/// What happened, in order, as far as discipline asks.
pub(crate) enum Moment<'d> {
    User(Heard<'d>),
    Reply(Heard<'d>),
    Call(Made<'d>),
}

/// Words, read where they are asked for, and once.
pub(crate) struct Heard<'d> {
    pub text: &'d str,
    read: OnceCell<Text>,
}

impl<'d> Heard<'d> {
    pub(crate) fn new(text: &'d str) -> Heard<'d> {
        Heard { text, read: OnceCell::new() }
    }

    pub(crate) fn read(&self) -> &Text {
        self.read.get_or_init(|| Text::read(self.text))
    }
}

/// The moments of a dialogue.
#[derive(Default)]
pub(crate) struct Course<'d>(pub Vec<Moment<'d>>);

impl<'d> Course<'d> {
    pub(crate) fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &Made<'d>)> {
        self.0.iter().enumerate().filter_map(|(at, moment)| match moment {
            Moment::Call(made) => Some((at, made)),
            Moment::User(_) | Moment::Reply(_) => None,
        })
    }

    /// The last of so many moments before one.
    pub(crate) fn before(&self, at: usize, most: usize) -> &[Moment<'d>] {
        self.0.get(at.saturating_sub(most)..at).unwrap_or_default()
    }

    pub(crate) fn between(&self, from: usize, to: usize) -> &[Moment<'d>] {
        self.0.get(from + 1..to).unwrap_or_default()
    }
}
