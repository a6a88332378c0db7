//! Arguments that a schema refuses, made from some that it accepts.

use serde_json::{Map, Value, json};

use probity_behaviour::values::product::{left_out, with};
use probity_behaviour::values::schema::required;
use probity_engine::{Fields, Tool};

const UNKNOWN: &str = "not_a_parameter";

/// Variations of arguments, most of which the tool's schema refuses: a required one missing, one of
/// another type, one out of range, and one that is not there.
pub fn variations(tool: &Tool, valid: &Fields) -> Vec<Fields> {
    let none = Map::new();
    let properties = tool.parameters.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let mut found: Vec<Fields> = required(&tool.parameters).into_iter().map(|name| left_out(valid, name)).collect();
    for (name, schema) in properties {
        found.extend(wrong_values(schema).iter().map(|value| with(valid, name, value)));
    }
    found.push(with(valid, UNKNOWN, &json!(1)));
    found
}

/// Values of another type, and values beyond each bound.
fn wrong_values(schema: &Value) -> Vec<Value> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
    let length = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let mut values = vec![json!(null), json!({}), json!([[]])];
    values.push(if schema.get("type") == Some(&json!("string")) { json!(7) } else { json!("x y") });
    values.extend(bound("minimum").map(|least| json!(least.saturating_sub(1))));
    values.extend(bound("maximum").map(|most| json!(most.saturating_add(1))));
    values.extend(length("minLength").and_then(|least| Some(json!("x".repeat(least.checked_sub(1)?)))));
    values.extend(length("maxLength").map(|most| json!("x".repeat(most.min(4000) + 1))));
    if schema.get("type") == Some(&json!("integer")) {
        values.push(json!(1.5));
    }
    if schema.get("format").is_some() || schema.get("pattern").is_some() || schema.get("enum").is_some() {
        values.push(json!("no such thing"));
    }
    values
}
