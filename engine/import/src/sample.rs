//! Values that fit a schema, as Rhai writes them.

use serde_json::{Map, Value};

use crate::role::{Format, VOCABULARY};

/// A text as a Rhai literal; JSON's `\b` and `\f` are none there.
pub fn text(text: &str) -> String {
    let mut literal = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            c if c.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal + "\""
}

/// A value as a Rhai literal.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null => "()".to_owned(),
        Value::String(own) => text(own),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let fields = map.iter().map(|(key, value)| format!("{}: {}", text(key), literal(value)));
            match map.is_empty() {
                true => "#{}".to_owned(),
                false => format!("#{{ {} }}", fields.collect::<Vec<_>>().join(", ")),
            }
        }
    }
}

/// How deep a populated field is filled, and most fields of an object in it.
const MAX_DEPTH: usize = 3;
const MAX_FIELDS: usize = 8;

/// An expression over `i` (from 0) and `rng` for a field of a populated entity; `field` says what it is called.
pub fn populated(field: &str, schema: &Value, depth: usize) -> String {
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
        let values: Vec<String> = values.iter().filter(|value| !value.is_null()).take(8).map(literal).collect();
        return match values.as_slice() {
            [] => "()".to_owned(),
            [only] => only.clone(),
            values => format!("rng.pick([{}])", values.join(", ")),
        };
    }
    if let Some(first) = schema.get("anyOf").and_then(|all| all.get(0)) {
        return populated(field, first, depth);
    }
    match kind(schema).unwrap_or("string") {
        "integer" | "number" => number(schema),
        "boolean" => "rng.below(2) == 0".to_owned(),
        "array" => "[]".to_owned(),
        "object" => {
            let fields = schema.get("properties").and_then(Value::as_object).filter(|_| depth < MAX_DEPTH);
            let fields = fields.into_iter().flatten().take(MAX_FIELDS);
            let fields: Vec<String> =
                fields.map(|(name, below)| format!("{}: {}", text(name), populated(name, below, depth + 1))).collect();
            if fields.is_empty() { "#{}".to_owned() } else { format!("#{{ {} }}", fields.join(", ")) }
        }
        "null" => "()".to_owned(),
        _ => match format_of(schema) {
            Some(format) => format.any.clone(),
            None => format!(
                "{} + (i + 1)",
                text(&format!("{} ", probity_engine::ids::identifier_of(field).replace('_', " ")))
            ),
        },
    }
}

/// A whole number within the bounds of a schema: of a hundred at most, from the lowest on.
fn number(schema: &Value) -> String {
    const COUNT: f64 = 100.0;
    // Beyond it not every whole number is one of its own.
    const MAX: f64 = 9e15;
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64).filter(|bound| bound.abs() < MAX);
    let least = [bound("minimum").map(f64::ceil), bound("exclusiveMinimum").map(|bound| bound.floor() + 1.0)];
    let most = [bound("maximum").map(f64::floor), bound("exclusiveMaximum").map(|bound| bound.ceil() - 1.0)];
    let least = least.into_iter().flatten().reduce(f64::max);
    let most = most.into_iter().flatten().reduce(f64::min);
    let start = least.unwrap_or_else(|| most.map_or(0.0, |most| (most + 1.0 - COUNT).min(0.0)));
    let count = most.map_or(COUNT, |most| (most - start + 1.0).min(COUNT));
    match (start == 0.0, count >= 1.0) {
        // Between the bounds there is no whole number.
        (_, false) => bound("minimum").or(bound("maximum")).unwrap_or(start).to_string(),
        (true, true) => format!("rng.below({count})"),
        (false, true) => format!("{start} + rng.below({count})"),
    }
}

fn format_of(schema: &Value) -> Option<&'static Format> {
    VOCABULARY.formats.get(schema.get("format")?.as_str()?)
}

/// An expression for one value of a result, where nothing is at hand to make it of.
pub fn fixed(schema: &Value) -> String {
    if let Some(value) = schema.get("const").or_else(|| schema.get("enum")?.get(0)) {
        return literal(value);
    }
    if let Some(first) = schema.get("anyOf").and_then(|all| all.get(0)) {
        return fixed(first);
    }
    let value = match kind(schema) {
        Some("integer" | "number") => "0",
        Some("boolean") => "false",
        Some("array") => "[]",
        Some("null") => "()",
        Some("string") => return format_of(schema).map_or_else(|| text(""), |format| format.one.clone()),
        _ => "#{}",
    };
    value.to_owned()
}

/// The type of a schema's values, null aside.
pub fn kind(schema: &Value) -> Option<&str> {
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.clone().find(|kind| *kind != "null").or(kinds.next())
        }
        kind => kind.and_then(Value::as_str),
    }
}

/// Whether two schemas surely take the same values, as far as their types say.
pub fn is_alike(one: &Value, other: &Value) -> bool {
    let bounds = |schema: &Value| {
        let map: Option<&Map<String, Value>> = schema.as_object();
        map.map(|map| map.keys().filter(|key| !matches!(key.as_str(), "description" | "default" | "unit")).count())
    };
    one.get("type").is_some() && one.get("type") == other.get("type") && bounds(other) == Some(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_lie_within_their_bounds() {
        for (schema, wanted) in [
            (json!({"type": "integer"}), "rng.below(100)"),
            (json!({"type": "integer", "minimum": 1, "maximum": 40}), "1 + rng.below(40)"),
            (json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}), "1 + rng.below(9)"),
            (json!({"type": "number", "minimum": 0.5}), "1 + rng.below(100)"),
            (json!({"type": "integer", "maximum": 20}), "-79 + rng.below(100)"),
            (json!({"type": "integer", "maximum": 2000}), "rng.below(100)"),
            (json!({"type": "number", "minimum": 0.2, "maximum": 0.8}), "0.2"),
            (json!({"type": "integer", "minimum": 0, "maximum": 1e18}), "rng.below(100)"),
        ] {
            assert_eq!(populated("count", &schema, 0), wanted, "{schema}");
        }
    }
}
