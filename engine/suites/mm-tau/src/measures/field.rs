//! The critical fields of a task, and how their values are compared (paper, 2.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What kind of value a field holds, which says what of its spelling matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Digits alone: a phone number, a zip code, part of a date.
    Digits,
    /// Letters and digits: an order or a customer.
    Id,
    Email,
    /// Words of letters: a name.
    #[serde(alias = "text")]
    Name,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticalField {
    pub kind: FieldKind,
    pub value: String,
}

/// What the measures of a trace need to know of its task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceTask {
    /// The critical fields that the oracle uses, by name.
    pub critical: BTreeMap<String, CriticalField>,
}

/// Whether a channel lies between the parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// None: what is heard is what was said.
    Text,
    /// Speech out and speech recognition in.
    Voice,
}
