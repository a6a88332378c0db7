//! Attributes of OpenTelemetry: plain values of wrapped ones, and lists of keys with numbers in them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The most parts that a key of nested values has.
const MAX_PARTS: usize = 12;

/// Attributes by name: from a list of keys and wrapped values, or an object.
pub(crate) fn attributes(value: Option<&Value>) -> Map<String, Value> {
    match value {
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(|item| Some((item.get("key")?.as_str()?.to_owned(), plain(item.get("value")?))))
            .collect(),
        Some(Value::Object(map)) => map.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        _ => Map::new(),
    }
}

/// A value without its wrapper: `{"stringValue": "open"}`.
pub(crate) fn plain(value: &Value) -> Value {
    let Some((key, inner)) = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next()) else {
        return value.clone();
    };
    match (key.as_str(), inner) {
        ("stringValue" | "boolValue" | "doubleValue" | "bytesValue" | "string_value" | "bool_value", inner) => {
            inner.clone()
        }
        ("intValue" | "int_value", Value::String(text)) => {
            text.parse::<i64>().map_or_else(|_| inner.clone(), Value::from)
        }
        ("intValue" | "int_value", inner) => inner.clone(),
        ("arrayValue" | "array_value", inner) => {
            inner.get("values").and_then(Value::as_array).into_iter().flatten().map(plain).collect()
        }
        ("kvlistValue" | "kvlist_value", inner) => Value::Object(attributes(inner.get("values"))),
        _ => value.clone(),
    }
}

/// What stands under the keys that begin with a prefix, put together: `llm.tools.0.name` is `[{"name": ..}]`.
pub(crate) fn nested(found: &Map<String, Value>, prefix: &str) -> Option<Value> {
    let mut root = Node::default();
    for (key, value) in found {
        let Some(rest) = key.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('.')) else { continue };
        let parts: Vec<&str> = rest.split('.').collect();
        if parts.len() <= MAX_PARTS {
            parts.iter().fold(&mut root, |node, part| node.inside.entry((*part).to_owned()).or_default()).value =
                Some(value.clone());
        }
    }
    (!root.inside.is_empty()).then(|| root.value())
}

#[derive(Default)]
struct Node {
    value: Option<Value>,
    inside: BTreeMap<String, Node>,
}

impl Node {
    fn value(self) -> Value {
        let numbered: Option<BTreeMap<usize, &String>> =
            self.inside.keys().map(|key| Some((key.parse().ok()?, key))).collect();
        match (self.inside.is_empty(), numbered) {
            (true, _) => self.value.unwrap_or_default(),
            (false, Some(numbered)) => {
                let order: Vec<String> = numbered.into_values().cloned().collect();
                let mut inside = self.inside;
                order.iter().filter_map(|key| Some(inside.remove(key)?.value())).collect()
            }
            (false, None) => Value::Object(self.inside.into_iter().map(|(key, node)| (key, node.value())).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wrapped_values_and_flat_keys_are_put_together() {
        let wrapped = json!([
            {"key": "a", "value": {"stringValue": "x"}},
            {"key": "b", "value": {"arrayValue": {"values": [{"intValue": "2"}]}}},
            {"key": "c", "value": {"kvlistValue": {"values": [{"key": "d", "value": {"boolValue": true}}]}}},
        ]);
        assert_eq!(Value::Object(attributes(Some(&wrapped))), json!({"a": "x", "b": [2], "c": {"d": true}}));
        let flat = json!({"m.0.role": "user", "m.10.role": "tool", "m.2.calls.0.id": "c1", "n.0": 1});
        let wanted = json!([{"role": "user"}, {"calls": [{"id": "c1"}]}, {"role": "tool"}]);
        assert_eq!(nested(flat.as_object().unwrap(), "m"), Some(wanted));
        assert_eq!(nested(flat.as_object().unwrap(), "o"), None);
    }
}
