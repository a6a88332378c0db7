//! Which entities `where` and its like find.

use std::cmp::Ordering;

use serde_json::Value;

use crate::script::fuel;
use crate::state::Fields;

/// What a field of an entity must be; `address.zip` is a field within one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    field: String,
    wanted: Wanted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Value(Value),
    /// Text as [`fold`] leaves it.
    Text(String),
}

/// Some fixed order: values before texts, each by what it is as JSON.
impl Ord for Wanted {
    fn cmp(&self, other: &Wanted) -> Ordering {
        match (self, other) {
            (Wanted::Text(one), Wanted::Text(other)) => one.cmp(other),
            (Wanted::Value(one), Wanted::Value(other)) if one == other => Ordering::Equal,
            (Wanted::Value(one), Wanted::Value(other)) => one.to_string().cmp(&other.to_string()),
            (Wanted::Value(_), Wanted::Text(_)) => Ordering::Less,
            (Wanted::Text(_), Wanted::Value(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Wanted {
    fn partial_cmp(&self, other: &Wanted) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Match {
    /// Entities whose field is exactly this; null is the value of a field that is not there.
    pub fn value(field: &str, value: Value) -> Match {
        Match { field: field.to_owned(), wanted: Wanted::Value(value) }
    }

    /// Entities whose field is this text, case and white space aside.
    pub fn text(field: &str, text: &str) -> Match {
        Match { field: field.to_owned(), wanted: Wanted::Text(fold(text)) }
    }

    /// Whether an entity matches.
    pub fn admits(&self, fields: &Fields) -> bool {
        match &self.wanted {
            Wanted::Value(value) => at_path(fields, &self.field).unwrap_or(&Value::Null) == value,
            Wanted::Text(text) => self.text_of(fields).is_some_and(|found| fold(found) == *text),
        }
    }

    /// The operations that telling it of an entity costs beside the visit: those of long text.
    pub fn cost(&self, fields: &Fields) -> usize {
        match &self.wanted {
            Wanted::Value(_) => 0,
            Wanted::Text(_) => self.text_of(fields).map_or(0, |text| fuel::operations_of_text(text.len())),
        }
    }

    fn text_of<'f>(&self, fields: &'f Fields) -> Option<&'f str> {
        at_path(fields, &self.field)?.as_str()
    }
}

/// Text without regard to case and to surrounding or repeated white space.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The value of a field, or of one within it: `address.zip`.
fn at_path<'f>(fields: &'f Fields, path: &str) -> Option<&'f Value> {
    match fields.get(path) {
        Some(value) => Some(value),
        None => path.split_once('.').and_then(|(first, rest)| at_path(fields.get(first)?.as_object()?, rest)),
    }
}
