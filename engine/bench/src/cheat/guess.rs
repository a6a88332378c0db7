//! Calls of every tool, with arguments made from its schema and from what is in sight.

use serde_json::{Map, Value, json};

use super::sight::Sight;
use crate::dialogue::{MAX_CALLS_PER_MESSAGE, MAX_DEPTH};
use probity_engine::ToolCall;

/// A call of every tool; the next `round` takes the next values in sight.
pub(super) fn calls(sight: &Sight, round: usize) -> Vec<ToolCall> {
    let tools = sight.tools.as_array().map(Vec::as_slice).unwrap_or_default();
    let call = |tool: &Value| {
        let tool = tool.get("function").unwrap_or(tool);
        let arguments = object(tool.get("parameters").unwrap_or(&Value::Null), sight, round, MAX_DEPTH);
        Some(ToolCall::new(tool.get("name")?.as_str()?.to_owned(), arguments))
    };
    tools.iter().filter_map(call).take(MAX_CALLS_PER_MESSAGE).collect()
}

fn object(schema: &Value, sight: &Sight, round: usize, depth: usize) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_none_or(|all| all.iter().any(|one| one == name));
    let wanted = properties.into_iter().flatten().filter(|(name, _)| is_required(name));
    Value::Object(
        wanted.map(|(name, schema)| (name.clone(), value(name, schema, sight, round, depth))).collect::<Map<_, _>>(),
    )
}

fn value(name: &str, schema: &Value, sight: &Sight, round: usize, depth: usize) -> Value {
    let nth = |values: &[Value]| values.get(round % values.len().max(1)).cloned();
    if let Some(one) = schema.get("enum").and_then(Value::as_array).and_then(|values| nth(values)) {
        return one;
    }
    let kind = schema.get("type").and_then(|kind| kind.as_str().or_else(|| kind.as_array()?.first()?.as_str()));
    let seen: Vec<Value> =
        sight.observed_as(name).into_iter().filter(|value| kind.is_none_or(|kind| is_of_kind(value, kind))).collect();
    let said = || nth(&said(sight, kind == Some("string")));
    match kind {
        _ if depth == 0 => Value::Null,
        Some("object") => object(schema, sight, round, depth - 1),
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            json!([value(name.strip_suffix('s').unwrap_or(name), items, sight, round, depth - 1)])
        }
        Some("boolean") => json!(round.is_multiple_of(2)),
        Some("integer" | "number") => nth(&seen).or_else(said).unwrap_or_else(|| json!(1)),
        Some(_) | None => nth(&seen).or_else(said).unwrap_or_else(|| json!(name)),
    }
}

fn is_of_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_string(),
    }
}

/// What the user's words have of ids and numbers.
fn said(sight: &Sight, is_text: bool) -> Vec<Value> {
    let words = sight.said.iter().flat_map(|text| text.split_whitespace());
    let bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#'));
    let numbered = bare.filter(|word| word.chars().any(|c| c.is_ascii_digit()));
    let read =
        |word: &str| if is_text { Some(json!(word)) } else { word.parse::<i64>().ok().map(|number| json!(number)) };
    numbered.filter_map(read).collect()
}
