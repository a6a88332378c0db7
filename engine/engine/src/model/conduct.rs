//! What an environment says of an agent's conduct, beyond what its tools refuse and its constraints forbid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::environment_file::Effect;
use super::pattern::CallPattern;

/// Whose affairs are whose, what an overwrite keeps, and what a yes needs; only discipline reads it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conduct {
    /// The people who are served here, if records belong to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// Prose that replaces older prose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overwrites: Vec<Overwrite>,
    /// What the user must have been told before the yes to a call counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

impl Conduct {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Conduct::default()
    }
}

/// The collection of people. A record belongs to those whose key its fields hold, or the records they refer to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// The collection, e.g. `customers`.
    pub collection: String,
    /// Fields by which a person is known once the user has said all of one list, and nobody else shares them.
    pub known_by: Vec<Vec<String>>,
    /// What must wait until the person is known: `read`, any call about them; `write`, only changes.
    pub before: Effect,
}

/// A tool that puts a text in the place of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overwrite {
    /// The tool.
    pub tool: String,
    /// The parameter with the new text.
    pub argument: String,
    /// The collection it is written to.
    pub collection: String,
    /// The parameter that names the entity.
    pub key: String,
    /// The field that is replaced.
    pub field: String,
}

/// A call whose price or consequence the user must have heard before saying yes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The call.
    pub before: CallPattern,
    /// Parameters in minor units whose amounts must have been told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<String>,
    /// Words of which one must have been told, in any case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}
