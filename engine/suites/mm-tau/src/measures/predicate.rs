//! Conditions over a state, written as data.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use probity_engine::number::is_same;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "PredicateFields")]
pub enum StatePredicate {
    Equals {
        /// Names joined by dots, from the root.
        path: String,
        value: Value,
    },
    Among {
        /// Names joined by dots, from the root.
        path: String,
        values: Vec<Value>,
    },
    /// Every condition is met; so is none at all.
    All(Vec<StatePredicate>),
    /// Some condition is met; of none, none is.
    Any(Vec<StatePredicate>),
    Not(Box<StatePredicate>),
}

impl StatePredicate {
    /// Whether a state meets the condition. Where the path leads nowhere the value is null.
    pub fn holds(&self, state: &Value) -> bool {
        match self {
            StatePredicate::Equals { path, value } => is_same(at(state, path), value),
            StatePredicate::Among { path, values } => values.iter().any(|value| is_same(at(state, path), value)),
            StatePredicate::All(parts) => parts.iter().all(|part| part.holds(state)),
            StatePredicate::Any(parts) => parts.iter().any(|part| part.holds(state)),
            StatePredicate::Not(part) => !part.holds(state),
        }
    }
}

fn at<'s>(state: &'s Value, path: &str) -> &'s Value {
    path.split('.').try_fold(state, |value, name| value.as_object()?.get(name)).unwrap_or(&Value::Null)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PredicateFields {
    path: Option<String>,
    #[serde(default, deserialize_with = "present")]
    eq: Option<Value>,
    r#in: Option<Vec<Value>>,
    all: Option<Vec<StatePredicate>>,
    any: Option<Vec<StatePredicate>>,
    not: Option<Box<StatePredicate>>,
}

/// Keeps a null that was written apart from what was not written.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl TryFrom<PredicateFields> for StatePredicate {
    type Error = &'static str;

    fn try_from(fields: PredicateFields) -> Result<StatePredicate, &'static str> {
        let PredicateFields { path, eq, r#in, all, any, not } = fields;
        match (path, eq, r#in, all, any, not) {
            (Some(path), Some(value), None, None, None, None) => Ok(StatePredicate::Equals { path, value }),
            (Some(path), None, Some(values), None, None, None) => Ok(StatePredicate::Among { path, values }),
            (None, None, None, Some(parts), None, None) => Ok(StatePredicate::All(parts)),
            (None, None, None, None, Some(parts), None) => Ok(StatePredicate::Any(parts)),
            (None, None, None, None, None, Some(part)) => Ok(StatePredicate::Not(part)),
            _ => Err("a condition is one of `path` with `eq`, `path` with `in`, `all`, `any` and `not`"),
        }
    }
}
