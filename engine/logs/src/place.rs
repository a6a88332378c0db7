//! A value of a log with its place: a line, an item of a list, an entry of an archive.

use std::sync::Arc;

use serde_json::Value;

use crate::unread::Fault;

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
