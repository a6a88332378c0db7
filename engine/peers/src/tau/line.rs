//! A line of recordings, as tau2-bench's own program made them (`peers/tau2` README).

use serde::Deserialize;
use serde_json::{Map, Value};

use super::diff::Diff;
use super::domain::Domain;
use probity_engine::Actor;

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
