//! Constraints as authored: precedence edges and exclusions between call patterns (RUT-Bench 3.2).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pattern::CallPattern;

/// The constraint graph of an environment, or what a task adds to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    /// What must come before what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub precedence: Vec<Precedence>,
    /// What must not both happen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclusions: Vec<Exclusion>,
}

/// Each successful `after` needs an earlier successful `before`, in an earlier batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Precedence {
    /// Its name, for rules of the policy; unique among the constraints of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The call that must have been made.
    pub before: CallPattern,
    /// The call that needs it.
    pub after: CallPattern,
    /// Arguments that must agree: `{argument of before: argument of after}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bind: BTreeMap<String, String>,
    /// An argument of `after` whose value must occur in what `before` returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// The words of the policy, or of the user in every variant, by which an agent can know that this order is
    /// wanted. Needed where neither the environment nor the result asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

/// No two successful calls of different members may agree in the bound arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// Its name, for rules of the policy; unique among the constraints of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The members, at least two.
    pub calls: Vec<CallPattern>,
    /// Arguments that must be equal for two calls to exclude each other; none means always.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bind: Vec<String>,
}
