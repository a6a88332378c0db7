//! What was told or shown, in pieces of a few lines.

use compact_str::CompactString;
use serde_json::Value;

use crate::knowledge::Knowledge;
use crate::reading::Event;
use crate::source::{Source, SourceKind};
use probity_prose::{Calendar, Text, Value as ToldValue};

/// Longest passage, in characters.
const MAX_PASSAGE: usize = 400;
/// How deep a result is taken apart.
const MAX_DEPTH: usize = 16;
/// Most passages of one text or result.
const MAX_PIECES: usize = 200;

/// Where a passage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PassagePlace {
    /// In what the agent is told of the desk and its tools.
    Brief,
    /// In the user's words, by their number from 1.
    User(usize),
    /// In what a call showed or why it was refused, by its number from 1.
    Call(usize),
}

impl PassagePlace {
    /// The order of what speaks of a sentence alike: what was shown last first, then the user's words, then the brief.
    pub(crate) fn after_what_was_shown(self) -> std::cmp::Reverse<(bool, PassagePlace)> {
        std::cmp::Reverse((matches!(self, PassagePlace::Call(_)), self))
    }
}

/// `brief`, `user 2`, `call 3`.
impl std::fmt::Display for PassagePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PassagePlace::Brief => f.write_str("brief"),
            PassagePlace::User(turn) => write!(f, "user {turn}"),
            PassagePlace::Call(call) => write!(f, "call {call}"),
        }
    }
}

/// A piece of what was told or shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    pub place: PassagePlace,
    /// Its words; of a result its JSON.
    pub text: String,
    /// What it tells, for comparing.
    told: Value,
    is_cut: bool,
}

impl Passage {
    fn new(place: PassagePlace, text: &str, told: Value) -> Passage {
        let cut = text.char_indices().nth(MAX_PASSAGE).and_then(|(end, _)| text.get(..end));
        let text = cut.map_or_else(|| text.to_owned(), |start| format!("{start}.."));
        Passage { place, text, told, is_cut: cut.is_some() }
    }

    /// What it tells: words, or what stands in a result.
    pub fn value(&self) -> Value {
        if self.is_cut { self.text.clone().into() } else { self.told.clone() }
    }

    pub(crate) fn of_brief(text: &str) -> Passage {
        Passage::new(PassagePlace::Brief, text, text.into())
    }

    /// Which of some stems and values it speaks of, in their order.
    pub(crate) fn speaks_of(&self, stems: &[CompactString], values: &[&ToldValue], calendar: &Calendar) -> Vec<bool> {
        let mut source = Source::new(SourceKind::Observation);
        source.add_value("", &self.told, calendar);
        let stems: Vec<bool> = stems.iter().map(|stem| source.has_any_stem(stem)).collect();
        let mut known = Knowledge::new(*calendar);
        known.add(source);
        stems.into_iter().chain(values.iter().map(|value| known.has(value))).collect()
    }
}

/// The passages of the user's words or of what a call showed; the event is the `number`th of its kind.
pub(crate) fn of_event(event: &Event, number: usize) -> Vec<Passage> {
    match event {
        Event::User { text, .. } => of_text(PassagePlace::User(number), text),
        Event::Call { result: Ok(shown), .. } => {
            let mut found = Vec::new();
            take_apart(PassagePlace::Call(number), "", shown, 0, &mut found);
            found
        }
        Event::Call { result: Err(reason), .. } => of_text(PassagePlace::Call(number), &format!("refused: {reason}")),
        Event::Reply { .. } => Vec::new(),
    }
}

/// A text whole, or sentence by sentence where it is long.
fn of_text(place: PassagePlace, text: &str) -> Vec<Passage> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= MAX_PASSAGE {
        return vec![Passage::new(place, text, text.into())];
    }
    let read = Text::read(text);
    let sentence = |sentence: &probity_prose::Sentence| {
        let (from, to) = sentence.span(0, sentence.words.len());
        let text: String = chars.get(from..to)?.iter().collect();
        Some(Passage::new(place, &text, text.as_str().into()))
    };
    read.sentences.iter().filter_map(sentence).take(MAX_PIECES).collect()
}

/// A result whole, or what stands in it where it is long, each under its key.
fn take_apart(place: PassagePlace, key: &str, value: &Value, depth: usize, found: &mut Vec<Passage>) {
    let named = |value: &Value| if key.is_empty() { value.clone() } else { serde_json::json!({key: value}) };
    let whole = named(value);
    let text = whole.to_string();
    let is_short = text.chars().count() <= MAX_PASSAGE;
    match value {
        _ if found.len() >= MAX_PIECES => {}
        Value::Object(map) if !is_short && depth < MAX_DEPTH => {
            map.iter().for_each(|(key, value)| take_apart(place, key, value, depth + 1, found));
        }
        Value::Array(items) if !is_short && depth < MAX_DEPTH => {
            items.iter().for_each(|item| take_apart(place, key, item, depth + 1, found));
        }
        _ => found.push(Passage::new(place, &text, whole)),
    }
}
