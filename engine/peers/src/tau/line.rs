//! A line of recordings, as tau2-bench's own program made them (`peers/tau2` README). A recorded difference between two
//! databases is held where their hashes cannot agree: numbers count by value, and texts however they spell them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::domain::Domain;
use probity_engine::number::is_same_number;
use probity_engine::{Actor, pointer};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Line {
    pub(super) domain: Domain,
    pub(super) initialization_actions: Vec<OwnCall>,
    #[serde(alias = "actions")]
    pub(super) calls: Vec<RecordedCall>,
    /// Whether the peer took what its own schema forbids.
    #[serde(default)]
    pub(super) lax: bool,
    #[serde(default)]
    pub(super) initial_agent_db_sha256: Option<String>,
    #[serde(default)]
    pub(super) initial_user_db_sha256: Option<String>,
    /// How the agent's database changed.
    #[serde(default)]
    pub(super) diff: Option<Diff>,
    pub(super) final_agent_db_sha256: String,
    pub(super) final_user_db_sha256: Option<String>,
    #[serde(default)]
    pub(super) assertions: Vec<Asserted>,
    #[serde(default)]
    pub(super) assertions_before_fix: Vec<bool>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct OwnCall {
    #[serde(with = "Requestor")]
    pub(super) env_type: Actor,
    pub(super) func_name: String,
    pub(super) arguments: Map<String, Value>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RecordedCall {
    #[serde(with = "Requestor")]
    pub(super) requestor: Actor,
    pub(super) name: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) result: String,
    pub(super) error: bool,
    #[serde(default)]
    pub(super) error_kind: Option<String>,
    /// Whether the arguments fit the peer's own schema.
    #[serde(default = "yes")]
    pub(super) schema_valid: bool,
}

/// An assertion of a task, and what the peer made of it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asserted {
    #[serde(flatten)]
    pub(super) call: OwnCall,
    pub(super) assert_value: bool,
    pub(super) met: bool,
}

/// Who calls, as the peer writes it.
#[derive(Deserialize)]
#[serde(remote = "Actor")]
pub(super) enum Requestor {
    #[serde(rename = "assistant")]
    Agent,
    #[serde(rename = "user")]
    User,
    #[serde(skip)]
    Task,
}

fn yes() -> bool {
    true
}

/// What a line of recordings has to have: of a task, or of a sequence of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingKind {
    Gold,
    Adversarial,
}

impl RecordingKind {
    /// What a line lacks to be one of these, if anything.
    pub fn missing(self, line: &Value) -> Option<&'static str> {
        let both = ["domain", "initialization_actions", "final_agent_db_sha256", "final_user_db_sha256"];
        let own: &[&'static str] = match self {
            RecordingKind::Gold => &["task_id", "actions", "assertions", "initial_agent_db_sha256"],
            RecordingKind::Adversarial => &["seq_id", "calls", "lax", "diff"],
        };
        let missing = both.iter().chain(own).find(|name| line.get(**name).is_none()).copied();
        let calls = line.get("calls").and_then(Value::as_array).into_iter().flatten();
        let is_marked = |call: &Value| call.get("schema_valid").is_some();
        missing.or_else(|| (!calls.into_iter().all(is_marked)).then_some("schema_valid"))
    }
}

pub(super) type Diff = BTreeMap<String, Became>;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Became {
    New(Value),
    Removed(bool),
}

/// Whether a database became another by a recorded difference and by nothing else.
pub(super) fn leads_to(before: &Value, diff: &Diff, after: &Value) -> bool {
    let mut expected = before.clone();
    diff.iter().all(|(place, became)| apply(&mut expected, place, became).is_some()) && is_alike(&expected, after)
}

fn apply(database: &mut Value, place: &str, became: &Became) -> Option<()> {
    let (parent, key) = place.rsplit_once('/')?;
    let key = pointer::split(&format!("/{key}"))?.pop()?;
    match (database.pointer_mut(parent)?, became) {
        (Value::Object(fields), Became::New(value)) => drop(fields.insert(key, value.clone())),
        (Value::Object(fields), Became::Removed(_)) => drop(fields.remove(&key)?),
        (Value::Array(items), Became::New(value)) => *items.get_mut(key.parse::<usize>().ok()?)? = value.clone(),
        (Value::Array(_), Became::Removed(_)) | (_, _) => return None,
    }
    Some(())
}

fn is_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => is_same_number(a, b),
        (Value::String(a), Value::String(b)) => a == b || respelled(a) == respelled(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_alike(a, b)))
        }
        _ => a == b,
    }
}

/// A text with its whole numbers without a point.
pub(super) fn respelled(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once(".0") {
        out.push_str(before);
        let is_digit = |c: char| c.is_ascii_digit();
        if !before.ends_with(is_digit) || after.starts_with(is_digit) {
            out.push_str(".0");
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_difference_is_held_whole() {
        let before = json!({"bills": [{"id": "B1", "total": 1.0}], "users": {"u": {"methods": {"a": 1, "b": 2}}}});
        let diff = json!({"/bills/0/total": {"new": 2.0}, "/bills/0/text": {"new": "2 GB"},
            "/users/u/methods/b": {"removed": true}});
        let diff: Diff = serde_json::from_value(diff).unwrap();
        let after = |text: &str, more: Value| json!({"bills": [{"id": "B1", "total": 2, "text": text}], "users": {"u": {"methods": {"a": more}}}});
        assert!(leads_to(&before, &diff, &after("2.0 GB", json!(1))));
        assert!(!leads_to(&before, &diff, &after("3.0 GB", json!(1))));
        assert!(!leads_to(&before, &diff, &after("2.0 GB", json!(7))), "what else changed is told");
        assert_eq!(respelled("2.0 GB at 1.05, 10.0"), "2 GB at 1.05, 10");
    }
}
