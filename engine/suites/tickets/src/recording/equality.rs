//! When a call is one that was recorded (`cirrusbench.md` b).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use probity_engine::Fields;
use probity_engine::number::is_same_number;

/// Which arguments make a call a recorded one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// The same arguments.
    #[default]
    Exact,
    /// Some of the recorded ones and no others.
    Subset,
}

impl Matching {
    /// Whether arguments that were given are the recorded ones.
    pub fn holds(self, given: &Fields, recorded: &Fields) -> bool {
        let is_complete = self == Matching::Subset || given.len() == recorded.len();
        let is_recorded =
            |(name, value): (&String, &Value)| recorded.get(name).is_some_and(|known| is_same(known, value));
        is_complete && given.iter().all(is_recorded)
    }
}

/// JSON equality: numbers by value, lists in order, objects without one; no booleans for numbers.
pub fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => is_same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => Matching::Exact.holds(left, right),
        (
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
            right,
        ) => left == right,
    }
}
