//! Cards as files: `card.toml` beside a suite's code, read once for a process and kept as long as it runs.

use serde::{Deserialize, Deserializer};

use crate::card::{Card, Level};
use crate::code::Code;

impl Card {
    /// The card of a suite, as its file says; `shared` are codes that its findings have beside its own. One that cannot
    /// be read has a problem and nothing else.
    pub fn read(name: &'static str, text: &'static str, shared: &[Code]) -> Card {
        match toml::from_str::<Card>(text) {
            Ok(card) => Card { name, codes: [shared, card.codes].concat().leak(), ..card },
            Err(refused) => Card { name, unread: Some(refused.to_string()), ..Card::default() },
        }
    }
}

/// A level is its name alone where that is its title, in one line and in narrow tables.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum LevelFile {
    Plain(String),
    Titled { name: String, title: Vec<String>, short: Option<Vec<String>> },
}

impl From<LevelFile> for Level {
    fn from(file: LevelFile) -> Level {
        let (name, title, short) = match file {
            LevelFile::Plain(name) => (name.clone(), vec![name], None),
            LevelFile::Titled { name, title, short } => (name, title, short),
        };
        let title = kept_all(title);
        Level { name: name.leak(), title, short: short.map_or(title, kept_all) }
    }
}

/// A code is its name alone where one such finding is no more than a pity.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum CodeFile {
    Usual(String),
    Marked { name: String, is_severe: bool },
}

impl From<CodeFile> for Code {
    fn from(file: CodeFile) -> Code {
        match file {
            CodeFile::Usual(name) => Code { name: name.leak(), is_severe: false },
            CodeFile::Marked { name, is_severe } => Code { name: name.leak(), is_severe },
        }
    }
}

fn kept_all(texts: Vec<String>) -> &'static [&'static str] {
    texts.into_iter().map(|text| &*text.leak()).collect::<Vec<&'static str>>().leak()
}

pub(crate) fn word<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    String::deserialize(from).map(|text| &*text.leak())
}

pub(crate) fn maybe<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'static str>, D::Error> {
    word(from).map(Some)
}

pub(crate) fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<&'static [&'static str], D::Error> {
    Vec::deserialize(from).map(kept_all)
}

pub(crate) fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(&'static str, &'static str)>, D::Error> {
    <(String, String)>::deserialize(from).map(|(one, other)| Some((&*one.leak(), &*other.leak())))
}

pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<&'static [T], D::Error> {
    Vec::deserialize(from).map(|items| &*items.leak())
}
