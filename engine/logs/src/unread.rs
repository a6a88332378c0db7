//! A value of a log with its place, and what could not be read, with its.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

/// Something of a log that could not be read; the rest of it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The file, as its caller named it.
    pub file: String,
    /// The line, from 1; 0 when the whole file is meant.
    pub line: usize,
    /// The column in bytes, from 1; 0 when the whole line is meant.
    pub column: usize,
    /// JSON Pointer below the value on that line, or of the file where it is one value; empty when all of it is meant.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pointer: String,
    /// What is wrong.
    pub what: String,
    /// What to do next.
    pub help: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match (self.line, self.column) {
            (0, _) => {}
            (line, 0) => write!(f, ":{line}")?,
            (line, column) => write!(f, ":{line}:{column}")?,
        }
        if !self.pointer.is_empty() {
            write!(f, " at {}", self.pointer)?;
        }
        write!(f, ": {}\n  help: {}", self.what, self.help)
    }
}

/// A problem before its file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub line: usize,
    pub column: usize,
    pub pointer: String,
    pub what: String,
    pub help: String,
}

impl Fault {
    /// About a whole file.
    pub(crate) fn file(what: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { line: 0, column: 0, pointer: String::new(), what: what.into(), help: help.into() }
    }

    pub(crate) fn of(self, file: &str) -> Unread {
        let Fault { line, column, pointer, what, help } = self;
        Unread { file: file.to_owned(), line, column, pointer, what, help }
    }
}

/// Where a value stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// From 1.
    pub line: usize,
    /// In bytes, from 1.
    pub column: usize,
    /// The JSON Pointer of the value, where it is part of a larger one.
    pub pointer: String,
}

impl Place {
    /// A problem with a part of the value.
    pub(crate) fn fault(&self, pointer: &str, what: impl Into<String>, help: impl Into<String>) -> Fault {
        let pointer = format!("{}{pointer}", self.pointer);
        Fault { line: self.line, column: self.column, pointer, what: what.into(), help: help.into() }
    }
}

/// A value that a form reads as a whole: a dialogue, or a part of some.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub value: Value,
    /// What stands beside the list that holds the value.
    pub head: Option<Arc<Value>>,
    pub place: Place,
    /// The length of its text in bytes.
    pub size: usize,
}

impl Unit {
    /// What stands at a pointer beside the list that holds the value.
    pub(crate) fn beside(&self, pointer: &str) -> Option<&Value> {
        self.head.as_ref()?.pointer(pointer).filter(|value| !value.is_null())
    }
}
