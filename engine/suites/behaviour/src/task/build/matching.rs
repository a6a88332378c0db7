//! `matching` of an assertion takes equality alone: its fields are there, and its values are of their types.

use serde_json::Value;

use super::context::Context;
use crate::model::assertion::Assertion;
use crate::task::reference::Reference;
use probity_engine::{Problem, environment_file::properties, pointer, suggest};

/// Fields that new entities do not have, and values that a field never has.
pub(super) fn check(assertion: &Assertion, context: &Context) -> Vec<Problem> {
    let Assertion::New { new, matching, .. } = assertion else { return Vec::new() };
    let Some(slot) = context.environment.file().state.get(new) else { return Vec::new() };
    let known = properties(&slot.item);
    let mut problems = Vec::new();
    for (field, value) in matching {
        let at = format!("/matching/{}", pointer::escape(field));
        match known.get(field) {
            None => {
                let message = format!("the entities of `{new}` have no field `{field}`");
                let help = suggest::help(field, known.keys().map(String::as_str));
                problems.push(Problem::error(at, "unknown_field", message).help(help));
            }
            Some(schema) if !may_be(schema, value) => problems.push(wrong_type(at, new, field, value)),
            Some(_) => {}
        }
    }
    problems
}

fn wrong_type(at: String, new: &str, field: &str, value: &Value) -> Problem {
    let message = format!("`{field}` of `{new}` is never {}: `matching` asks for equal values", kind(value));
    let help = match value.get("matches") {
        Some(_) => format!(
            "count it here, and match its text by its path, with the call that makes it: \
             `{{\"path\": \"/{new}/$2.KEY/{field}\", \"matches\": \"..\"}}`"
        ),
        None => "write the value as the schema of the state has it".to_owned(),
    };
    Problem::error(at, "wrong_type", message).help(help)
}

/// Whether a schema that says its type lets a value of this kind through; references are known only when played.
fn may_be(schema: &Value, value: &Value) -> bool {
    if value.as_str().is_some_and(|text| Reference::parse(text).is_some()) {
        return true;
    }
    match schema.get("type") {
        Some(Value::String(name)) => is_of(value, name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(|name| is_of(value, name)),
        Some(_) | None => schema.get("enum").and_then(Value::as_array).is_none_or(|listed| listed.contains(value)),
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => kind(value).ends_with(other),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
