//! Words of a user that say something about them.

use std::sync::LazyLock;

use probity_prose::Vocabulary;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Clue {
    /// They know what a setting is called.
    Technical,
    /// They ask where something is, or what it means.
    Lost,
    /// They have not understood, or not heard.
    Confused,
    /// They are out of patience, or worried.
    Upset,
}

/// Words that say so, and beginnings of words.
static CLUES: LazyLock<Vocabulary<Clue>> = LazyLock::new(|| Vocabulary::of("clues"));

impl Clue {
    pub(super) fn is_in(self, text: &str) -> bool {
        CLUES.phrases(&self).any(|phrase| text.contains(phrase))
    }
}
