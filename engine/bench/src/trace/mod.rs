//! Traces: what happened in an episode, complete enough to be played again.

pub mod render;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{EndReason, Event, Step};
use crate::levels::Levels;
use probity_engine::Hash;

/// The version of the trace format this build writes and reads.
pub const FORMAT: u32 = 2;

/// The limits of an episode; part of the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Agent messages at most; 20 by default, as in the paper.
    pub max_messages: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_messages: 20 }
    }
}

/// What was played: everything that decides the episode but the agent (DESIGN 8, digest).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the trace format.
    pub format: u32,
    /// Version of the engine that played it.
    pub engine: String,
    /// The benchmark, by the name of its card.
    pub benchmark: String,
    /// The environment's id.
    pub environment: String,
    /// The content hash of the environment file.
    pub environment_hash: Hash,
    /// The content hashes of the scripts, by path.
    pub scripts: BTreeMap<String, Hash>,
    /// The task's id.
    pub task: String,
    /// The content hash of the task file.
    pub task_hash: Hash,
    /// The levels at which the task was played: `{"variant": "ideal"}`.
    pub levels: Levels,
    /// The root seed.
    pub seed: u64,
    /// The limits.
    pub limits: Limits,
    /// Which user: `scripted`, `contract`, `model:NAME`.
    pub user: String,
    /// The hash of what the agent was told.
    pub prompt: Hash,
}

/// A recorded episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// What was played.
    pub header: Header,
    /// What happened, in order; the last event is the end.
    pub events: Vec<Event>,
    /// The hash of the state it ended in.
    pub final_state: Hash,
}

impl Trace {
    /// SHA-256 over the canonical JSON of header, events and final state.
    pub fn digest(&self) -> Hash {
        Hash::of_serialized(self)
    }

    /// The steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.events.iter().filter_map(|event| match event {
            Event::Step(step) => Some(step),
            Event::User { .. } | Event::Reply { .. } | Event::Finding(_) | Event::End { .. } => None,
        })
    }

    /// The user's words with the turn they belong to, in order.
    pub fn heard(&self) -> impl Iterator<Item = (u32, &str)> {
        self.events.iter().filter_map(|event| match event {
            Event::User { turn, text, .. } => Some((*turn, text.as_str())),
            Event::Step(_) | Event::Reply { .. } | Event::Finding(_) | Event::End { .. } => None,
        })
    }

    /// How often a model's words were refused so often that the contract user's own were taken.
    pub fn user_fallbacks(&self) -> u32 {
        let fell_back = |event: &&Event| matches!(event, Event::User { rephrased: Some(r), .. } if r.fell_back);
        u32::try_from(self.events.iter().filter(fell_back).count()).unwrap_or(u32::MAX)
    }

    /// Why it ended, and for people what went wrong.
    pub fn end(&self) -> Option<(EndReason, Option<&str>)> {
        match self.events.last() {
            Some(Event::End { reason, detail }) => Some((*reason, detail.as_deref())),
            Some(Event::User { .. } | Event::Reply { .. } | Event::Step(_) | Event::Finding(_)) | None => None,
        }
    }
}
