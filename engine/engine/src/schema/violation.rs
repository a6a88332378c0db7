//! How a value breaks its schema, in our own words and codes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::diagnostic::{Place, Problem};

/// What kind of rule a value breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A key that the object may not have.
    UnknownKey,
    /// A key that the object must have.
    MissingKey,
    /// Another JSON type.
    WrongType,
    /// None of the listed values.
    UnknownValue,
    /// Out of bounds, not of the pattern or format, or of no allowed form.
    BadValue,
}

impl ViolationKind {
    /// The stable code used in diagnostics.
    pub fn code(self) -> &'static str {
        match self {
            ViolationKind::UnknownKey => "unknown_key",
            ViolationKind::MissingKey => "missing_key",
            ViolationKind::WrongType => "wrong_type",
            ViolationKind::UnknownValue => "unknown_value",
            ViolationKind::BadValue => "bad_value",
        }
    }
}

/// One way in which a value breaks its schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// JSON Pointer to the value at fault; to the key at fault when `at_key`.
    pub path: String,
    /// Whether the key is at fault rather than its value.
    pub at_key: bool,
    /// What kind of rule it breaks.
    pub kind: ViolationKind,
    /// One line, lower case, no full stop; it does not repeat the path.
    pub message: String,
    /// What was probably meant.
    pub help: Option<String>,
}

impl Violation {
    /// The same as a problem of an authored file.
    pub fn into_problem(self) -> Problem {
        let place = if self.at_key { Place::Key(self.path) } else { Place::Pointer(self.path) };
        Problem { place, help: self.help, ..Problem::error("", self.kind.code(), self.message) }
    }
}

/// The question of a help line, without what is said of the letters.
fn question(help: &str) -> String {
    help.split_once("`? ").map_or_else(|| help.to_owned(), |(question, _)| format!("{question}`?"))
}

/// Leaves out the missing keys that a misspelt key explains: one line about a slip is enough.
pub fn without_echoes(violations: Vec<Violation>) -> Vec<Violation> {
    let parent = |path: &str| path.rsplit_once('/').map(|(parent, _)| parent.to_owned()).unwrap_or_default();
    let misspelt = violations.iter().filter(|violation| violation.kind == ViolationKind::UnknownKey);
    let explained: BTreeSet<(String, String)> =
        misspelt.filter_map(|violation| Some((parent(&violation.path), question(violation.help.as_ref()?)))).collect();
    let is_echo = |violation: &Violation| {
        let name =
            violation.message.strip_prefix("missing key ").filter(|_| violation.kind == ViolationKind::MissingKey);
        name.is_some_and(|name| explained.contains(&(violation.path.clone(), format!("did you mean {name}?"))))
    };
    violations.iter().filter(|violation| !is_echo(violation)).cloned().collect()
}

/// A value in backticks, on one line and not too long.
pub(super) fn quote(value: &Value) -> String {
    const LONGEST: usize = 60;
    let json = value.to_string();
    let bare = json.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let text = bare.unwrap_or(&json);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}
