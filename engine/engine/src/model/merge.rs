//! Merge patches (RFC 7396).

use serde_json::{Map, Value};

/// Objects merge key by key, null removes, anything else replaces.
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    for (key, value) in patch {
        if value.is_null() {
            target.remove(key);
        } else {
            merge(target.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn null_removes_at_every_depth() {
        let mut target = json!({"a": 1, "b": {"c": 2, "d": 3}, "e": [1]});
        merge(&mut target, &json!({"a": null, "b": {"c": null, "x": {"y": null, "z": 1}}, "e": 4}));
        assert_eq!(target, json!({"b": {"d": 3, "x": {"z": 1}}, "e": 4}));
    }
}
