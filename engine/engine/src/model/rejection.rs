//! Rejections: the engine's typed refusals of a call. They are observations, never the end.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Why a call was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum RejectionKind {
    /// No tool of this name.
    UnknownTool,
    /// The arguments do not fit the tool's schema.
    InvalidArguments,
    /// A precondition does not hold; `code` says which.
    PreconditionFailed,
    /// The body called `fail(code, message)`.
    ToolFailed,
    /// The body used more operations, depth or memory than it may.
    LimitExceeded,
    /// The body left an entity that its schema refuses: the author's fault.
    SchemaViolation,
    /// The body wrote beyond its declared effects: the author's fault.
    EffectViolation,
    /// The body or a precondition stopped with an error of its own: the author's fault.
    ScriptFault,
}

impl RejectionKind {
    /// The spelling used in JSON and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the environment's author is to blame, not the caller.
    pub fn is_author_fault(self) -> bool {
        match self {
            RejectionKind::UnknownTool
            | RejectionKind::InvalidArguments
            | RejectionKind::PreconditionFailed
            | RejectionKind::ToolFailed => false,
            RejectionKind::LimitExceeded
            | RejectionKind::SchemaViolation
            | RejectionKind::EffectViolation
            | RejectionKind::ScriptFault => true,
        }
    }
}

/// A refused call: the state is what it was before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// Why.
    pub kind: RejectionKind,
    /// The business code of a failed precondition or of `fail`; else the kind's name.
    pub code: String,
    /// One line for the agent.
    pub message: String,
    /// JSON Pointer of the offending argument, if one is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// For the author, never for the agent: what went wrong inside, with its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Rejection {
    /// A rejection whose code is its kind's name.
    pub fn new(kind: RejectionKind, message: impl Into<String>) -> Self {
        Rejection { kind, code: kind.name().to_owned(), message: message.into(), path: None, detail: None }
    }

    /// An author's fault: the agent sees only that the tool is broken.
    pub fn author_fault(kind: RejectionKind, detail: impl Into<String>) -> Self {
        Rejection { detail: Some(detail.into()), ..Rejection::new(kind, "the tool failed; nothing was changed") }
    }

    /// What the agent gets to see.
    pub fn observation(&self) -> Value {
        let mut error = json!({"kind": self.kind.name(), "code": self.code, "message": self.message});
        if let (Some(path), Some(map)) = (&self.path, error.as_object_mut()) {
            map.insert("path".to_owned(), Value::from(path.as_str()));
        }
        json!({"error": error})
    }
}
