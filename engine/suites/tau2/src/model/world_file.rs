//! The state in which every task of a world begins: `tau2/data/<world>.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The state in which every task of a world begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldFile {
    /// The clock, in seconds after 1970.
    pub clock: i64,
    /// Every part of the state, whole.
    pub state: Map<String, Value>,
}
