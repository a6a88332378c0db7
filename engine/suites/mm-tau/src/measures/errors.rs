//! Errors that are open, by field and by tool, and what became of them (ERR and RTC).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorCounts {
    /// A critical field that was misheard.
    pub asr: u64,
    /// A call that failed although its critical fields were right.
    pub tool_failure: u64,
    /// A call with a wrong critical field, heard rightly or not yet heard.
    pub wrong_slot: u64,
}

impl ErrorCounts {
    pub fn total(&self) -> u64 {
        self.asr.saturating_add(self.tool_failure).saturating_add(self.wrong_slot)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldError {
    Misheard,
    WrongSlot,
}

/// The errors of a conversation so far. At most one is open on a field, and at most one on a tool.
#[derive(Default)]
pub(super) struct Errors {
    by_type: ErrorCounts,
    recovered: u64,
    turns: u64,
    /// The agent messages before the error, by field.
    fields: BTreeMap<String, u64>,
    /// The agent messages before the error, by tool.
    tools: BTreeMap<String, u64>,
}

impl Errors {
    /// Something is wrong with a field; while an error is open on it, that is the same error.
    pub(super) fn open_field(&mut self, field: &str, cause: FieldError, messages: u64) {
        if self.fields.contains_key(field) {
            return;
        }
        self.fields.insert(field.to_owned(), messages);
        match cause {
            FieldError::Misheard => self.by_type.asr += 1,
            FieldError::WrongSlot => self.by_type.wrong_slot += 1,
        }
    }

    pub(super) fn close_field(&mut self, field: &str, messages: u64) {
        let opened = self.fields.remove(field);
        self.recover(opened, messages);
    }

    /// A call of a tool failed for no fault of its fields.
    pub(super) fn open_tool(&mut self, tool: &str, messages: u64) {
        if !self.tools.contains_key(tool) {
            self.tools.insert(tool.to_owned(), messages);
            self.by_type.tool_failure += 1;
        }
    }

    pub(super) fn close_tool(&mut self, tool: &str, messages: u64) {
        let opened = self.tools.remove(tool);
        self.recover(opened, messages);
    }

    fn recover(&mut self, opened: Option<u64>, messages: u64) {
        if let Some(opened) = opened {
            self.recovered += 1;
            self.turns = self.turns.saturating_add(messages.saturating_sub(opened));
        }
    }

    pub(super) fn by_type(&self) -> ErrorCounts {
        self.by_type
    }

    pub(super) fn recovered(&self) -> u64 {
        self.recovered
    }

    /// The agent messages between error and recovery, over all recoveries.
    pub(super) fn turns(&self) -> u64 {
        self.turns
    }
}
