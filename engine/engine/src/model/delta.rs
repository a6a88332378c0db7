//! State deltas: what differs between two states, by JSON Pointer.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pointer;

/// What differs between two states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Delta {
    /// New entities, whole, by pointer (`/charges/C1`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub created: BTreeMap<String, Map<String, Value>>,
    /// Changed fields, by pointer (`/bookings/B1/room_id`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub updated: BTreeMap<String, FieldChange>,
    /// Entities that are gone, whole, by pointer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deleted: BTreeMap<String, Map<String, Value>>,
}

/// The two values of a changed field; a side that is missing has no such field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldChange {
    /// The value before.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// The value after.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Delta {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.updated.is_empty() && self.deleted.is_empty()
    }

    /// Adds what became of the entity at `path` (`/rooms/101`).
    pub fn add(&mut self, path: &str, before: Option<&Map<String, Value>>, after: Option<&Map<String, Value>>) {
        match (before, after) {
            (None, None) => {}
            (None, Some(after)) => {
                self.created.insert(path.to_owned(), after.clone());
            }
            (Some(before), None) => {
                self.deleted.insert(path.to_owned(), before.clone());
            }
            (Some(before), Some(after)) => self.add_fields(path, before, after),
        }
    }

    fn add_fields(&mut self, path: &str, before: &Map<String, Value>, after: &Map<String, Value>) {
        let mut change = |key: &str, from: Option<&Value>, to: Option<&Value>| {
            if from != to {
                let change = FieldChange { from: from.cloned(), to: to.cloned() };
                self.updated.insert(format!("{path}/{}", pointer::escape(key)), change);
            }
        };
        // Most updates keep the keys, and then the two maps are walked side by side.
        if before.len() == after.len() && before.keys().eq(after.keys()) {
            before.iter().zip(after.values()).for_each(|((key, from), to)| change(key, Some(from), Some(to)));
            return;
        }
        let added = after.keys().filter(|key| !before.contains_key(*key));
        before.keys().chain(added).for_each(|key| change(key, before.get(key), after.get(key)));
    }

    /// The pointers of all that differs, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.created.keys().chain(self.updated.keys()).chain(self.deleted.keys()).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_compared_one_by_one() {
        let entity = |value: Value| value.as_object().unwrap().clone();
        let mut delta = Delta::default();
        delta.add("/rooms/1", Some(&entity(json!({"a": 1, "b": 2}))), Some(&entity(json!({"a": 1, "c": null}))));
        delta.add("/rooms/2", None, Some(&entity(json!({"a": 1}))));
        delta.add("/rooms/3", Some(&entity(json!({"a": 1}))), Some(&entity(json!({"a": 1}))));
        assert_eq!(
            serde_json::to_value(&delta).unwrap(),
            json!({"created": {"/rooms/2": {"a": 1}}, "updated": {"/rooms/1/b": {"from": 2}, "/rooms/1/c": {"to": null}}})
        );
    }
}
