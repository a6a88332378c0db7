//! Outcome assertions as authored: what must hold of the final state (RUT-Bench 3.2, outcome set).

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// One statement about the final state: `path` with exactly one of `equals`, `absent`, `exists`,
/// `changed`, `matches`; or `new` with `matching` and `count`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// JSON Pointer into the state; a segment may be a binding such as `$booking`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The value there is this one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
    /// Nothing is there. Always `true` when given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<bool>,
    /// Something is there. Always `true` when given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
    /// The value there is another than in the initial state. Always `true` when given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<bool>,
    /// The text there matches this regular expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<String>,
    /// Counts entities of this collection that are not in the initial state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Only new entities with these field values.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub matching: Map<String, Value>,
    /// So many there must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// Keeps `null` apart from absence.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
