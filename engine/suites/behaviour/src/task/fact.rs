//! Facts as the user says them.

use serde_json::Value;

use crate::model::task_file::Fact;

/// The ways in which the user can say a fact: its value as text, and its paraphrases.
pub fn ways_to_say(fact: &Fact) -> impl Iterator<Item = String> + '_ {
    let value = match &fact.value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    std::iter::once(value).chain(fact.also.iter().cloned())
}
