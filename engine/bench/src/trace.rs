//! Traces: what happened in an episode, complete enough to be played again.

pub mod render;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::{EndReason, Event, Step};
use crate::instance::{Levels, Limits, Options, Setting};
use probity_engine::{Environment, Hash};

/// The version of the trace format this build writes and reads.
pub const FORMAT: u32 = 2;

/// What was played: everything that decides the episode but the agent.
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
    /// The benchmark's options that are not the usual ones.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// Which user: `scripted`, `contract`, `model:NAME`.
    pub user: String,
    /// The hash of what the agent was told.
    pub prompt: Hash,
}

impl Header {
    /// What can be other in two headers of a task, in words.
    pub const PARTS: [&str; 6] = [
        "another environment",
        "another version of the task",
        "other limits",
        "other options",
        "another user",
        "another prompt",
    ];

    /// The header of a benchmark's task at some levels, played in an environment; `hashes` are of the task and of what
    /// the agent is told.
    pub fn new(
        benchmark: &str,
        environment: &Environment,
        (task, levels): (&str, Levels),
        setting: &Setting,
        hashes: [Hash; 2],
    ) -> Header {
        let [task_hash, prompt] = hashes;
        Header {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: benchmark.to_owned(),
            environment: environment.id().to_owned(),
            environment_hash: environment.hash(),
            scripts: environment.script_hashes().clone(),
            task: task.to_owned(),
            task_hash,
            levels,
            seed: setting.seed,
            limits: setting.limits,
            options: setting.options.clone(),
            user: setting.user.to_owned(),
            prompt,
        }
    }

    /// In words, what was played otherwise there. Seeds may differ, which are the chance that trials repeat, and so may
    /// versions.
    pub fn unlike(&self, other: &Header) -> Vec<&'static str> {
        let is_same_world = (self.environment_hash, &self.scripts) == (other.environment_hash, &other.scripts);
        let same = [
            is_same_world,
            self.task_hash == other.task_hash,
            self.limits == other.limits,
            self.options == other.options,
            self.user == other.user,
            self.prompt == other.prompt,
        ];
        Header::PARTS.into_iter().zip(same).filter(|(_, is_same)| !is_same).map(|(what, _)| what).collect()
    }

    /// A hash of each of the [`PARTS`](Header::PARTS), for those who hold many against each other and keep none.
    pub fn marks(&self) -> [Hash; Header::PARTS.len()] {
        let of = |part: &dyn std::fmt::Debug| Hash::of_bytes(format!("{part:?}").as_bytes());
        [
            of(&(self.environment_hash, &self.scripts)),
            self.task_hash,
            of(&self.limits),
            of(&self.options),
            of(&self.user),
            self.prompt,
        ]
    }
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
        self.events.iter().filter_map(Event::step)
    }

    /// The user's words with the turn they belong to, in order.
    pub fn heard(&self) -> impl Iterator<Item = (u32, &str)> {
        self.events.iter().filter_map(Event::heard)
    }

    /// How often a model's words were refused so often that the contract user's own were taken.
    pub fn user_fallbacks(&self) -> u32 {
        let fell_back = |event: &&Event| matches!(event, Event::User { rephrased: Some(r), .. } if r.fell_back);
        u32::try_from(self.events.iter().filter(fell_back).count()).unwrap_or(u32::MAX)
    }

    /// Why it ended, and for people what went wrong.
    pub fn end(&self) -> Option<(EndReason, Option<&str>)> {
        let Some(Event::End { reason, detail }) = self.events.last() else { return None };
        Some((*reason, detail.as_deref()))
    }
}
