//! A unit of a run: which agent plays which instance, and how.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::episodes::EpisodeLine;
use super::error::RunError;
use super::journal::LineSpan;
use super::record::{EpisodeRecord, Order, name};
use crate::agent::Agent;
use crate::agent::spec::AgentSpec;
use crate::benchmark::{Benchmark, Services};
use crate::event::EndReason;
use crate::instance::{Instance, Setting};
use crate::options::Options;
use crate::provider::client::Client;
use crate::rollout::Rollout;
use crate::trace::{Header, Limits, Trace};
use crate::user::Line;
use probity_engine::Stream;

/// How the name of a user's unit begins in a cassette.
pub const USER_UNIT: &str = "user of ";

/// One rollout that is to be played.
#[derive(Clone)]
pub struct Unit {
    /// The agent's name in the report.
    pub agent: Arc<str>,
    /// What it plays.
    pub at: Arc<Instance>,
    /// Which repetition, from 0.
    pub trial: u32,
    pub(super) next: Option<Arc<Instance>>,
    pub(super) common: Arc<Common>,
}

/// What all units of a run have in common.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) benchmark: Arc<dyn Benchmark>,
    pub(super) seed: u64,
    pub(super) limits: Limits,
    pub(super) options: Options,
    pub(super) user: String,
    pub(super) user_client: Option<Arc<Client>>,
    pub(super) line: Option<Arc<dyn Line>>,
}

impl Unit {
    /// How it is played.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            seed: self.episode_seed(),
            limits: self.common.limits,
            options: &self.common.options,
            user: &self.common.user,
            next: self.next.as_deref(),
        }
    }

    /// The episode's own seed: from the run's seed, the task, its levels and the trial alone.
    pub fn episode_seed(&self) -> u64 {
        episode_seed(self.common.seed, &self.at, self.trial)
    }

    /// The same with another user.
    #[must_use]
    pub fn of_user(&self, user: &str) -> Unit {
        let common = Common { user: user.to_owned(), ..(*self.common).clone() };
        Unit { common: Arc::new(common), ..self.clone() }
    }

    /// The header that its trace will have: a finished episode is known by it.
    pub fn header(&self) -> Option<Header> {
        self.common.benchmark.header(&self.at, &self.setting())
    }

    /// Whether a record is this unit's.
    pub(crate) fn is_recorded_in(&self, record: &EpisodeRecord) -> bool {
        *record.agent == *self.agent
            && record.trial == self.trial
            && self.header().is_some_and(|header| header == record.trace.header)
    }

    /// The order of episodes in files and digests.
    pub fn order(&self) -> Order<'_> {
        (&self.agent, &self.at.task, &self.at.setting, self.trial)
    }

    pub(super) fn entry(&self, place: LineSpan) -> EpisodeLine {
        EpisodeLine::at(self.order(), place)
    }

    /// `agent task levels seed`: how its requests are named in a cassette, those of its user with [`USER_UNIT`] before.
    pub fn asking(&self) -> String {
        format!("{} {} {} {}", self.agent, self.at.task, self.at.setting, self.episode_seed())
    }

    /// `agent task levels #trial`, as [`EpisodeRecord::name`] has it.
    pub fn name(&self) -> String {
        name(self.order())
    }

    /// Whether the agent has something to play there.
    pub fn is_playable(&self, agent: &AgentSpec) -> bool {
        agent.create(self.common.benchmark.as_ref(), &self.at, self.episode_seed()).is_some()
    }

    /// Whether its own agent, one of these, has something to play there.
    pub fn is_played_by(&self, agents: &BTreeMap<String, AgentSpec>) -> bool {
        agents.get(&*self.agent).is_some_and(|agent| self.is_playable(agent))
    }

    /// Plays and scores it; `None` when the agent has nothing to play there.
    ///
    /// # Errors
    /// The benchmark has nobody who could be its user there.
    pub fn play(&self, agent: &AgentSpec) -> Result<Option<EpisodeRecord>, RunError> {
        let agent = agent.create(self.common.benchmark.as_ref(), &self.at, self.episode_seed());
        agent.map(|mut agent| self.play_by(agent.as_mut())).transpose()
    }

    /// The same by an agent at hand.
    ///
    /// # Errors
    /// The benchmark has nobody who could be its user there.
    pub(crate) fn play_by(&self, agent: &mut dyn Agent) -> Result<EpisodeRecord, RunError> {
        let unit = format!("{USER_UNIT}{}", self.asking());
        let services = Services {
            user_client: self.common.user_client.as_ref(),
            line: self.common.line.as_deref(),
            user_unit: &unit,
        };
        let rollout = self.common.benchmark.play(&self.at, &self.setting(), agent, &services);
        let rollout = rollout.ok_or_else(|| RunError::NoUser { user: self.common.user.clone(), unit: self.name() })?;
        let user_usage = rollout.user_usage;
        let mut record = self.record(rollout);
        record.user_usage = user_usage;
        record.usage = agent.usage();
        record.mended = agent.mended();
        if matches!(record.trace.end(), Some((EndReason::AgentFailed, _))) {
            record.agent_errors = agent.errors();
        }
        Ok(record)
    }

    /// Plays it again as a trace has it: the agent says what it said, and everything else is found anew.
    pub fn replay(&self, trace: &Trace) -> Option<EpisodeRecord> {
        Some(self.record(self.common.benchmark.replay(&self.at, &self.setting(), trace)?))
    }

    fn record(&self, played: Rollout) -> EpisodeRecord {
        self.common.benchmark.record(&self.agent, self.trial, &self.at, played)
    }
}

/// The seed of an episode: from the run's seed, the task, its levels and the trial alone.
pub fn episode_seed(seed: u64, at: &Instance, trial: u32) -> u64 {
    let name = format!("{}/{}/{trial}", at.task, at.setting);
    // Below 2^53, so that it is the same number in every JSON reader.
    Stream::new(seed, "episode", &name).below(1 << 53)
}
