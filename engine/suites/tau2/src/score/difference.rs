//! What differs between two states, whatever the order of lists.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use probity_engine::{State, canonical, entity_path};

/// The paths of the entities in which two states of one environment differ; lists are compared as bags.
pub fn difference(one: &State, other: &State) -> Vec<String> {
    if one.sum() == other.sum() {
        return Vec::new();
    }
    let mut paths = Vec::new();
    for (slot, shape) in one.shape().slots.iter().enumerate() {
        let keys: BTreeSet<&str> =
            one.entities(slot).chain(other.entities(slot)).map(|(key, _)| key.as_str()).collect();
        let differs = |key: &&str| match (one.get(slot, key), other.get(slot, key)) {
            (Some(one), Some(other)) => one != other && unordered_fields(one) != unordered_fields(other),
            (None, Some(_)) | (Some(_), None) => true,
            (None, None) => false,
        };
        paths.extend(keys.into_iter().filter(differs).map(|key| entity_path(shape, key)));
    }
    paths
}

fn unordered_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    fields.iter().map(|(name, value)| (name.clone(), unordered(value))).collect()
}

/// A value with every list in one order.
fn unordered(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(unordered).collect();
            items.sort_by_cached_key(canonical::to_string);
            Value::Array(items)
        }
        Value::Object(fields) => Value::Object(unordered_fields(fields)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::unordered;
    use serde_json::json;

    #[test]
    fn lists_are_bags() {
        let same = |one, other| unordered(&one) == unordered(&other);
        assert!(same(json!({"a": [1, {"b": [2, 3]}]}), json!({"a": [{"b": [3, 2]}, 1]})));
        assert!(!same(json!([1, 1, 2]), json!([1, 2, 2])));
    }
}
