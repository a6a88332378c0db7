//! What a run was asked to do: `run.json`. A run is played again, or on, from it alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::canonical::Hash;
use crate::model::ids::{Difficulty, Variant};
use crate::trace::Limits;

/// The version of the run format this build writes and reads.
pub const FORMAT: u32 = 1;

/// The content of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Version of the run format.
    pub format: u32,
    /// Version of the engine.
    pub engine: String,
    /// The agents.
    pub agents: Vec<NamedAgent>,
    /// Which tasks, variants and how many.
    pub selection: Selection,
    /// How often each is played.
    pub trials: u32,
    /// The root seed.
    pub seed: u64,
    /// The limits of an episode.
    pub limits: Limits,
    /// Seconds an `exec:` agent has for each message.
    pub agent_timeout: u64,
    /// Which user.
    pub user: UserKind,
    /// The content hashes of all authored files it needs, by path.
    pub inputs: BTreeMap<String, Hash>,
}

/// An agent and its name in the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedAgent {
    /// The name in the report.
    pub name: String,
    /// What `--agent` was given.
    pub agent: String,
}

/// Which task instances are played; an empty list means all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Environment ids.
    pub environments: Vec<String>,
    /// Domains.
    pub domains: Vec<String>,
    /// Task ids, or the last part of one.
    pub tasks: Vec<String>,
    /// Variants.
    pub variants: Vec<Variant>,
    /// Difficulties.
    pub difficulties: Vec<Difficulty>,
    /// At most so many task instances.
    pub limit: Option<usize>,
}

/// Who plays the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UserKind {
    /// The fixed turns of the task.
    Scripted,
    /// A control: the fixed turns of the next task. Who still succeeds does not listen.
    ScriptedSwapped,
}

impl UserKind {
    /// The spelling used in traces.
    pub fn name(self) -> &'static str {
        match self {
            UserKind::Scripted => "scripted",
            UserKind::ScriptedSwapped => "scripted_swapped",
        }
    }
}
