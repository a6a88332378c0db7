//! Whose fault an answer is that is no message: the table `blame.toml`, read once.

use std::sync::LazyLock;

use serde::Deserialize;

use super::phrase::{Counts, Phrase, plain_words};
use super::signals::Signals;

/// Whose fault an answer is, and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Blame {
    Again,
    Model,
    Refused,
    Filtered,
    Settings,
    Share,
    TooLong,
    Unreadable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    row: Vec<WrittenRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRow {
    #[serde(default)]
    status: Vec<String>,
    #[serde(default)]
    code: Vec<String>,
    #[serde(default)]
    finish: Vec<String>,
    /// Whether it is of messages alone in which nothing is said.
    #[serde(default)]
    silent: bool,
    #[serde(default)]
    phrase: Vec<String>,
    blame: Blame,
    /// What of ours to look at.
    #[serde(default)]
    flag: String,
    #[expect(dead_code, reason = "for people, and so that no row stands without one")]
    source: String,
}

struct Row {
    written: WrittenRow,
    phrases: Vec<Phrase>,
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let written = toml::from_str::<Written>(include_str!("blame.toml")).map(|table| table.row).unwrap_or_default();
    let row = |written: WrittenRow| {
        let phrases = written.phrase.iter().map(|text| Phrase::read(text)).collect();
        Row { written, phrases }
    };
    written.into_iter().map(row).collect()
});

/// What the table says, with what of ours to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub blame: Blame,
    pub flag: &'static str,
    /// Whether it is why the message ended.
    pub is_of_end: bool,
    /// Which row says so, from 0.
    #[cfg(test)]
    pub row: usize,
}

/// The first row that holds; nothing where none does.
pub(super) fn find(signals: &Signals) -> Option<Decided> {
    let words = plain_words(&signals.message);
    TABLE.iter().find_map(|row| {
        let counts = row.holds(signals, &words)?;
        let (mut blame, mut flag) = (row.written.blame, row.written.flag.as_str());
        if blame == Blame::Share {
            (blame, flag) = if is_ours(counts) { (Blame::Settings, SHARE) } else { (Blame::TooLong, "") };
        }
        Some(Decided {
            blame,
            flag,
            is_of_end: !row.written.finish.is_empty() || row.written.silent,
            #[cfg(test)]
            row: TABLE.iter().position(|one| std::ptr::eq(one, row)).unwrap_or_default(),
        })
    })
}

const SHARE: &str = "--max-tokens asks for more than the model may read and write together";

/// Whether what was asked for is what is too long, and not the dialogue.
fn is_ours(counts: Counts) -> bool {
    let Some(asked) = counts.asked else { return false };
    counts.limit.is_some_and(|limit| asked >= limit) || counts.input.is_some_and(|input| asked > input)
}

impl Row {
    fn holds(&self, signals: &Signals, words: &str) -> Option<Counts> {
        let WrittenRow { status, code, finish, silent, phrase, .. } = &self.written;
        let is_status = |pattern: &String| {
            let digits = signals.status.to_string();
            pattern
                .strip_suffix("xx")
                .map_or(*pattern == digits, |first| digits.len() == 3 && digits.starts_with(first))
        };
        let is_held = (status.is_empty() || status.iter().any(is_status))
            && (code.is_empty() || code.iter().any(|code| is_among(code, signals)))
            && (!silent || signals.is_silent)
            && (finish.is_empty() || finish.iter().any(|finish| signals.finish.as_ref() == Some(finish)));
        if !is_held {
            return None;
        }
        if phrase.is_empty() {
            return Some(Counts::default());
        }
        self.phrases.iter().find_map(|phrase| phrase.find(words))
    }
}

/// Whether there is such a code; one that is written between `*` may stand in another.
fn is_among(code: &str, signals: &Signals) -> bool {
    match code.strip_prefix('*').and_then(|code| code.strip_suffix('*')) {
        Some(part) => signals.codes.iter().any(|code| code.contains(part)),
        None => signals.codes.contains(code),
    }
}

#[cfg(test)]
pub(super) fn rows() -> usize {
    TABLE.len()
}
