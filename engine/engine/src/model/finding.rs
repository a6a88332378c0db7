//! A finding: one named reason of a checker or a scorer.

use serde::{Deserialize, Serialize};

/// The words of a reply that a finding is about, and what they were compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The first character, from 0.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What they were compared with, for people.
    pub against: String,
}

/// What a tool showed that a finding goes by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The tool.
    pub tool: String,
    /// The field of its result, `rooms[0].price`; empty where the result is a text, or where no one field has it.
    pub field: String,
    /// The value of the field, as the tool wrote it.
    pub value: String,
    /// The message in which the result stands.
    pub message: u32,
}

/// One named reason, with the step it points at.
#[derive(Clone, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// A stable code, `snake_case`, e.g. `precedence_violated`.
    pub code: String,
    /// The step (from 1) it points at, if it is about a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The agent message (from 1) it points at, if it is about a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<u32>,
    /// One line for people.
    pub text: String,
    /// The words of the reply, if it is about words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// What a tool showed that it goes by, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
}

impl Finding {
    /// A finding about the whole episode.
    pub fn new(code: &str, text: impl Into<String>) -> Self {
        Finding { code: code.to_owned(), step: None, message: None, text: text.into(), evidence: None, shown: None }
    }

    /// The same finding, pointing at a step.
    #[must_use]
    pub fn at_step(mut self, step: u32) -> Self {
        self.step = Some(step);
        self
    }

    /// The same finding, pointing at an agent message.
    #[must_use]
    pub fn at_message(mut self, message: u32) -> Self {
        self.message = Some(message);
        self
    }

    /// The same finding, about the characters from `start` up to `end` of the reply it points at.
    #[must_use]
    pub fn about(mut self, (start, end): (usize, usize), against: impl Into<String>) -> Self {
        self.evidence = Some(Evidence { start, end, against: against.into() });
        self
    }
}
