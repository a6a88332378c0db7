//! A rollout: one agent on one task under one behaviour with one seed; and the record it leaves.

use serde::{Deserialize, Serialize};

use crate::engine::environment::Environment;
use crate::episode::play::{Setting, play};
use crate::episode::spec::AgentSpec;
use crate::episode::user::ScriptedUser;
use crate::model::canonical::Hash;
use crate::model::ids::{Difficulty, Variant};
use crate::model::stream::Stream;
use crate::score::episode::{Scores, score};
use crate::task::Task;
use crate::trace::{Limits, Trace};

/// The version of the episode format this build writes and reads.
pub const FORMAT: u32 = 1;

/// The only user of this version: fixed turns.
pub const USER: &str = "scripted";

/// What is played, before it is played.
#[derive(Clone, Copy)]
pub struct Rollout<'a> {
    /// The task.
    pub task: &'a Task,
    /// The user's behaviour.
    pub variant: Variant,
    /// Which repetition, from 0.
    pub trial: u32,
    /// The root seed of the run.
    pub seed: u64,
    /// The limits.
    pub limits: Limits,
}

/// One line of `episodes.jsonl`: an episode with its scores, complete in itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRecord {
    /// Version of the episode format.
    pub format: u32,
    /// The agent's name in the report.
    pub agent: String,
    /// The domain, for grouping.
    pub domain: String,
    /// The difficulty, for grouping.
    pub difficulty: Difficulty,
    /// Which repetition, from 0.
    pub trial: u32,
    /// What happened.
    pub trace: Trace,
    /// SHA-256 over the canonical JSON of the trace.
    pub digest: Hash,
    /// What the scorers say.
    pub scores: Scores,
}

impl EpisodeRecord {
    /// `agent task variant trial`: how messages name an episode.
    pub fn name(&self) -> String {
        format!("{} {} {} {}", self.agent, self.trace.header.task, self.trace.header.variant, self.trial)
    }

    /// The order of episodes in files and digests.
    pub fn order(&self) -> (&str, &str, Variant, u32) {
        (&self.agent, &self.trace.header.task, self.trace.header.variant, self.trial)
    }
}

impl Rollout<'_> {
    /// The episode's own seed: from the run's seed, the task, the behaviour and the trial alone.
    pub fn episode_seed(&self) -> u64 {
        let name = format!("{}/{}/{}", self.task.id(), self.variant, self.trial);
        // Below 2^53, so that it is the same number in every JSON reader.
        Stream::new(self.seed, "episode", &name).below(1 << 53)
    }

    /// Plays and scores it; `None` when the agent has nothing to play there.
    pub fn play(&self, agent_name: &str, agent: &AgentSpec) -> Option<EpisodeRecord> {
        let behaviour = self.task.behaviour(self.variant)?;
        let seed = self.episode_seed();
        let mut agent = agent.create(self.task, self.variant, seed)?;
        let setting = Setting { task: self.task, variant: self.variant, seed, limits: self.limits, user: USER };
        let trace = play(setting, agent.as_mut(), &mut ScriptedUser::new(behaviour.turns.clone()));
        self.record(agent_name, trace)
    }

    /// A trace with its digest and scores.
    pub fn record(&self, agent_name: &str, trace: Trace) -> Option<EpisodeRecord> {
        let scores = score(self.task, &trace)?;
        Some(EpisodeRecord {
            format: FORMAT,
            agent: agent_name.to_owned(),
            domain: self.task.domain().to_owned(),
            difficulty: self.task.difficulty(),
            trial: self.trial,
            digest: trace.digest(),
            trace,
            scores,
        })
    }
}

/// The inputs of an environment as they are kept in a run directory: content by hash.
pub fn inputs_of(environment: &Environment) -> Vec<(String, Hash, String)> {
    let file = serde_json::to_value(environment.file()).unwrap_or_default();
    let text = crate::model::canonical::to_string(&file);
    let mut inputs = vec![(format!("environments/{}.json", environment.id()), environment.hash(), text)];
    let sources = environment.sources();
    for source in std::iter::once(&sources.main).chain(sources.libraries.values()) {
        inputs.push((source.file.clone(), source.hash(), source.text.clone()));
    }
    inputs
}
