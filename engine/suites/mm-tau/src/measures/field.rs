//! The critical fields of a task, and how their values are compared (`mm-tau-p2.md` a, f.2).

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
    /// An e-mail address.
    Email,
    /// Words of letters: a name.
    #[serde(alias = "text")]
    Name,
}

/// A value that a task hangs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticalField {
    /// How its spellings are compared.
    pub kind: FieldKind,
    /// The true value, in any spelling.
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
