//! The difference of two states as nested `added`, `removed` and `changed` entries (spec C.2).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::host;

/// What changed from `old` to `new`. Lists and values of another type are replaced whole.
pub fn diff(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let entry = |key: &String| match (old.get(key), new.get(key)) {
        (None, None) => None,
        (None, Some(value)) => Some(json!({"added": value})),
        (Some(value), None) => Some(json!({"removed": value})),
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let below = diff(old, new);
            (!below.is_empty()).then_some(Value::Object(below))
        }
        (Some(old), Some(new)) if host::is_equal(old, new) => None,
        (Some(old), Some(new)) => Some(json!({"changed": {"old": old, "new": new}})),
    };
    keys.into_iter().filter_map(|key| Some((key.clone(), entry(key)?))).collect()
}

/// [`diff`] of two values; what is no object counts as an empty one.
pub(crate) fn diff_values(old: &Value, new: &Value) -> Map<String, Value> {
    let none = Map::new();
    diff(old.as_object().unwrap_or(&none), new.as_object().unwrap_or(&none))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Plays a difference on the old state. Slow and obvious; only for field names that are not its own words.
    fn apply(diff: &Map<String, Value>, state: &Map<String, Value>) -> Map<String, Value> {
        let mut state = state.clone();
        for (key, entry) in diff {
            let entry = entry.as_object().unwrap();
            if let Some(value) = entry.get("added") {
                assert!(state.insert(key.clone(), value.clone()).is_none());
            } else if let Some(value) = entry.get("removed") {
                assert_eq!(state.remove(key).as_ref(), Some(value));
            } else if let Some(changed) = entry.get("changed") {
                assert_eq!(state.insert(key.clone(), changed["new"].clone()).as_ref(), Some(&changed["old"]));
            } else {
                let below = state.get(key).and_then(Value::as_object).unwrap();
                let after = apply(entry, below);
                state.insert(key.clone(), Value::Object(after));
            }
        }
        state
    }

    fn any_state() -> impl Strategy<Value = Map<String, Value>> {
        let leaf = prop_oneof![
            Just(Value::Null),
            (2_i64..5).prop_map(Value::from),
            "[ab]{0,2}".prop_map(Value::from),
            prop::collection::vec(2_i64..4, 0..3).prop_map(Value::from),
        ];
        let value = leaf.prop_recursive(3, 20, 4, |inner| {
            prop::collection::btree_map("[a-d]", inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect()))
        });
        prop::collection::btree_map("[a-d]", value, 0..4).prop_map(|map| map.into_iter().collect())
    }

    proptest! {
        #[test]
        fn a_difference_played_on_the_old_state_gives_the_new(old in any_state(), new in any_state()) {
            let diff = diff(&old, &new);
            prop_assert_eq!(apply(&diff, &old), new.clone());
            prop_assert_eq!(diff.is_empty(), old == new);
        }
    }
}
