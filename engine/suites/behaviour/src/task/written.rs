//! What stands written in a state: its names of several words, and its days.

use std::collections::BTreeSet;

use compact_str::CompactString;
use jiff::civil::Date;
use probity_engine::within;
use probity_prose::Words;
use probity_prose::token::words;
use serde_json::Value;

/// Longest name that is looked for.
const MAX_NAME: usize = 60;
/// `2026-06-12`
const DAY: usize = 10;

/// What stands in a state, read once for a task.
pub struct WrittenState {
    /// The names of several words, with those words, in order.
    pub names: Vec<(String, Vec<CompactString>)>,
    days: Words,
}

impl WrittenState {
    pub fn of(state: &Value) -> WrittenState {
        let names: BTreeSet<String> = within::texts(state).filter(|text| is_name(text)).map(str::to_owned).collect();
        let with_words = |name: String| {
            let words = words(&name);
            (name, words)
        };
        let text = state.to_string();
        let is_day = |part: &&[u8]| {
            (0..).zip(*part).all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() })
        };
        let days = text.as_bytes().windows(DAY).filter(is_day).filter_map(|part| CompactString::from_utf8(part).ok());
        WrittenState { days: days.collect(), names: names.into_iter().map(with_words).collect() }
    }

    /// Whether a day stands there, alone or within a text.
    pub fn has_day(&self, day: Date) -> bool {
        self.days.contains(day.to_string().as_str())
    }
}

/// Whether a text is a name of several words.
fn is_name(text: &str) -> bool {
    let is_part = |part: &str| part.chars().next().is_some_and(char::is_uppercase);
    text.len() <= MAX_NAME && text.contains(' ') && text.split(' ').all(is_part)
}
