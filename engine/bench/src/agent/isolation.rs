//! How agents in a process are kept apart from the rest of the machine: part of `run.json`.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What stands between an agent and the rest of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    /// Nothing but the rights of the user that it runs as.
    #[default]
    None,
    /// Namespaces of its own, made by `bwrap`.
    Bubblewrap,
}

impl fmt::Display for Barrier {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Barrier::None => "agents in a process could reach all that their user can: no barrier",
            Barrier::Bubblewrap => "agents in a process were kept apart by bubblewrap",
        })
    }
}

/// What agents in a process are given, and what they are kept from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Isolation {
    /// What keeps them from the rest.
    pub barrier: Barrier,
    /// The folder they work in and read as their own, in place of an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The folder of the suite, which a barrier keeps out of their sight, also when the run goes on from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// What of the caller's environment they get: `NAME`, or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Whether they have a network in spite of the barrier.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
}
