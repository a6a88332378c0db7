//! What an agent has in sight: what it was told, heard and observed.

use serde_json::Value;

use crate::agent::{Brief, Heard, Past};
use crate::dialogue::{MAX_DEPTH, MAX_TEXT};

#[derive(Default)]
pub(super) struct Sight {
    pub system: String,
    pub tools: Value,
    /// The user's words, message by message.
    pub said: Vec<String>,
    pub observed: Vec<Value>,
}

impl Sight {
    pub(super) fn of(brief: &Brief) -> Sight {
        let mut sight = Sight { system: brief.system.clone(), tools: brief.tools.clone(), ..Sight::default() };
        for past in &brief.history {
            match past {
                Past::Heard(heard) => sight.take(heard),
                Past::Said(_) => {}
            }
        }
        sight
    }

    pub(super) fn take(&mut self, heard: &Heard) {
        match heard {
            Heard::User(text) => self.said.push(text.clone()),
            Heard::Observations(values) => self.observed.extend(values.iter().cloned()),
        }
    }

    /// Every observed field as a sentence: `status is open.`
    pub(super) fn fields(&self) -> String {
        let mut told = Vec::new();
        self.observed
            .iter()
            .for_each(|value| walk(value, "it", MAX_DEPTH, &mut |key, leaf| told.push(sentence(key, leaf))));
        told.join(" ")
    }

    /// The values that were observed under a name.
    pub(super) fn observed_as(&self, name: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut take = |key: &str, leaf: &Value| {
            if is_same_name(key, name) && !found.contains(leaf) {
                found.push(leaf.clone());
            }
        };
        self.observed.iter().for_each(|value| walk(value, "it", MAX_DEPTH, &mut take));
        found
    }
}

/// `booking_id` may be observed as `id`, and `booking` as `booking_id`.
fn is_same_name(key: &str, name: &str) -> bool {
    key == name
        || name.strip_suffix("_id").is_some_and(|stem| key == stem || key == "id")
        || key.strip_suffix("_id") == Some(name)
}

fn walk(value: &Value, key: &str, depth: usize, take: &mut dyn FnMut(&str, &Value)) {
    match value {
        _ if depth == 0 => {}
        Value::Array(items) => items.iter().for_each(|item| walk(item, key, depth - 1, take)),
        Value::Object(map) => map.iter().for_each(|(key, item)| walk(item, key, depth - 1, take)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => take(key, value),
    }
}

fn sentence(key: &str, leaf: &Value) -> String {
    let value = leaf.as_str().map_or_else(|| leaf.to_string(), str::to_owned);
    format!("{} is {value}.", key.replace('_', " "))
}

/// A text that a message can hold; one that says something where there is nothing to say.
pub(super) fn sayable(text: &str) -> String {
    let end = (0..=text.len().min(MAX_TEXT)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    match text.get(..end).map(str::trim) {
        Some(text) if !text.is_empty() => text.to_owned(),
        Some(_) | None => "...".to_owned(),
    }
}
