//! Outcome assertions as authored: what must hold of the final state (RUT-Bench 3.2, outcome set).

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// One statement about the final state. A `path` is a JSON Pointer, of which a segment may be a binding such as
/// `$booking`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Assertion {
    Equals {
        path: String,
        equals: Value,
    },
    Absent {
        path: String,
        /// Always `true`.
        absent: True,
    },
    Exists {
        path: String,
        /// Always `true`.
        exists: True,
    },
    /// The value there is another than in the initial state.
    Changed {
        path: String,
        /// Always `true`.
        changed: True,
    },
    Matches {
        path: String,
        matches: String,
    },
    /// So many entities are not in the initial state.
    New {
        new: String,
        /// Only those with these field values.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        matching: Map<String, Value>,
        count: u32,
    },
}

impl Assertion {
    pub fn path(&self) -> Option<&str> {
        match self {
            Assertion::Equals { path, .. }
            | Assertion::Absent { path, .. }
            | Assertion::Exists { path, .. }
            | Assertion::Changed { path, .. }
            | Assertion::Matches { path, .. } => Some(path),
            Assertion::New { .. } => None,
        }
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let (single, fields) = match self {
            Assertion::Equals { equals, .. } => (Some(equals), None),
            Assertion::New { matching, .. } => (None, Some(matching)),
            Assertion::Absent { .. }
            | Assertion::Exists { .. }
            | Assertion::Changed { .. }
            | Assertion::Matches { .. } => (None, None),
        };
        single.into_iter().chain(fields.into_iter().flat_map(Map::values))
    }
}

impl JsonSchema for Assertion {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Assertion".into()
    }

    /// All keys of all kinds; that they make one kind is said of the whole, where an author is told.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "One statement about the final state: `path` with exactly one of `equals`, `absent`, \
                            `exists`, `changed`, `matches`; or `new` with `matching` and `count`.",
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "path": {"type": "string", "description": "JSON Pointer into the state; a segment may be a binding such as `$booking`."},
                "equals": {"description": "The value there is this one."},
                "absent": {"type": "boolean", "description": "Nothing is there. Always `true` when given."},
                "exists": {"type": "boolean", "description": "Something is there. Always `true` when given."},
                "changed": {"type": "boolean", "description": "The value there is another than in the initial state. Always `true` when given."},
                "matches": {"type": "string", "description": "The text there matches this regular expression."},
                "new": {"type": "string", "description": "Counts entities of this collection that are not in the initial state."},
                "matching": {"type": "object", "additionalProperties": true, "description": "Only new entities with these field values."},
                "count": {"type": "integer", "format": "uint32", "minimum": 0, "description": "So many there must be."},
            }
        })
    }
}

/// What is written `true`, and never `false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct True;

impl Serialize for True {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match bool::deserialize(deserializer)? {
            true => Ok(True),
            false => Err(serde::de::Error::custom("this can only be true")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_kind_is_read_and_written_as_it_was() {
        for value in [
            json!({"path": "/a", "equals": null}),
            json!({"path": "/a", "absent": true}),
            json!({"path": "/a", "exists": true}),
            json!({"path": "/a", "changed": true}),
            json!({"path": "/a", "matches": "x"}),
            json!({"new": "a", "count": 0}),
            json!({"new": "a", "matching": {"b": 1}, "count": 2}),
        ] {
            let read: Assertion = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), value);
        }
        for value in [
            json!({}),
            json!({"path": "/a"}),
            json!({"path": "/a", "absent": false}),
            json!({"path": "/a", "equals": 1, "exists": true}),
            json!({"new": "a"}),
            json!({"new": "a", "path": "/a", "count": 1}),
        ] {
            assert!(serde_json::from_value::<Assertion>(value.clone()).is_err(), "{value}");
        }
    }
}
