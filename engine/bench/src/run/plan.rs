//! The units of a run: which agent plays which instance, in a fixed order.

use std::sync::Arc;

use super::config::RunConfig;
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
use crate::trace::{Header, Limits, Trace};
use crate::user::Line;
use probity_engine::Stream;

/// How the name of a user's unit begins in a cassette.
pub const USER_UNIT: &str = "user of ";

/// One rollout that is to be played.
#[derive(Clone)]
pub struct Unit {
    /// The agent's name in the report.
    pub agent: String,
    /// What it plays.
    pub at: Arc<Instance>,
    /// Which repetition, from 0.
    pub trial: u32,
    benchmark: Arc<dyn Benchmark>,
    next: Option<Arc<Instance>>,
    seed: u64,
    limits: Limits,
    options: Arc<Options>,
    user: Arc<str>,
    user_client: Option<Arc<Client>>,
    line: Option<Arc<dyn Line>>,
}

impl Unit {
    /// How it is played.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            seed: self.episode_seed(),
            limits: self.limits,
            options: &self.options,
            user: &self.user,
            next: self.next.as_deref(),
        }
    }

    /// The episode's own seed: from the run's seed, the task, its levels and the trial alone.
    pub fn episode_seed(&self) -> u64 {
        episode_seed(self.seed, &self.at, self.trial)
    }

    /// The same with another user.
    #[must_use]
    pub fn of_user(&self, user: &str) -> Unit {
        Unit { user: user.into(), ..self.clone() }
    }

    /// The header that its trace will have: a finished episode is known by it.
    pub fn header(&self) -> Option<Header> {
        self.benchmark.header(&self.at, &self.setting())
    }

    /// Whether a record is this unit's.
    pub fn is_recorded_in(&self, record: &EpisodeRecord) -> bool {
        record.agent == self.agent
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

    /// `agent task levels #trial`, as [`EpisodeRecord::name`] has it.
    pub fn name(&self) -> String {
        name(self.order())
    }

    /// Whether the agent has something to play there.
    pub fn is_playable(&self, agent: &AgentSpec) -> bool {
        agent.create(self.benchmark.as_ref(), &self.at, self.episode_seed()).is_some()
    }

    /// Plays and scores it; `None` when the agent has nothing to play there.
    ///
    /// # Errors
    /// The benchmark has nobody who could be its user there.
    pub fn play(&self, agent: &AgentSpec) -> Result<Option<EpisodeRecord>, RunError> {
        let agent = agent.create(self.benchmark.as_ref(), &self.at, self.episode_seed());
        agent.map(|mut agent| self.play_by(agent.as_mut())).transpose()
    }

    /// The same by an agent at hand.
    ///
    /// # Errors
    /// The benchmark has nobody who could be its user there.
    pub fn play_by(&self, agent: &mut dyn Agent) -> Result<EpisodeRecord, RunError> {
        let unit = format!("{USER_UNIT}{} {} {} {}", self.agent, self.at.task, self.at.setting, self.episode_seed());
        let services =
            Services { user_client: self.user_client.as_ref(), line: self.line.as_deref(), user_unit: &unit };
        let rollout = self.benchmark.play(&self.at, &self.setting(), agent, &services);
        let rollout = rollout.ok_or_else(|| RunError::NoUser { user: self.user.to_string(), unit: self.name() })?;
        let mut record = self.record(rollout.trace);
        record.user_usage = rollout.user_usage;
        record.usage = agent.usage();
        record.mended = agent.mended();
        if matches!(record.trace.end(), Some((EndReason::AgentFailed, _))) {
            record.agent_errors = agent.errors();
        }
        Ok(record)
    }

    /// Plays it again as a trace has it: the agent says what it said, and everything else is found anew.
    pub fn replay(&self, trace: &Trace) -> Option<EpisodeRecord> {
        Some(self.record(self.benchmark.replay(&self.at, &self.setting(), trace)?))
    }

    /// Gives a model user the provider to ask.
    pub fn ask(&mut self, client: &Arc<Client>) {
        self.user_client = Some(Arc::clone(client));
    }

    /// Lets what the user says go through programs.
    pub fn speak_over(&mut self, line: &Arc<dyn Line>) {
        self.line = Some(Arc::clone(line));
    }

    fn record(&self, trace: Trace) -> EpisodeRecord {
        self.benchmark.record(&self.agent, self.trial, &self.at, trace)
    }
}

/// The seed of an episode: from the run's seed, the task, its levels and the trial alone.
pub fn episode_seed(seed: u64, at: &Instance, trial: u32) -> u64 {
    let name = format!("{}/{}/{trial}", at.task, at.setting);
    // Below 2^53, so that it is the same number in every JSON reader.
    Stream::new(seed, "episode", &name).below(1 << 53)
}

/// The units of a run, in unit order.
///
/// # Errors
/// There are more than a run may have, or the benchmark does not have its options.
pub fn units(benchmark: &Arc<dyn Benchmark>, config: &RunConfig) -> Result<Vec<Unit>, RunError> {
    let asked: Vec<(String, String)> = config.options.clone().into_iter().collect();
    benchmark.card().options(&asked).map_err(|(what, help)| RunError::Option(format!("{what}: {help}")))?;
    let instances: Vec<Arc<Instance>> = config.selection.of(benchmark.instances()).into_iter().map(Arc::new).collect();
    let count = config.count_units(instances.len()).map_err(RunError::TooLarge)?;
    let options = Arc::new(config.options.clone());
    let user: Arc<str> = config.user_name().into();
    let mut units = Vec::with_capacity(count);
    for (place, at) in instances.iter().enumerate() {
        let first = Unit {
            agent: String::new(),
            at: Arc::clone(at),
            trial: 0,
            benchmark: Arc::clone(benchmark),
            next: next(&instances, place),
            seed: config.seed,
            limits: config.limits,
            options: Arc::clone(&options),
            user: Arc::clone(&user),
            user_client: None,
            line: None,
        };
        // A control that another task's words are needed for has no unit where there is no other task.
        if first.header().is_none() {
            continue;
        }
        for agent in &config.agents {
            units.extend((0..config.trials).map(|trial| Unit { agent: agent.name.clone(), trial, ..first.clone() }));
        }
    }
    units.sort_by(|a, b| a.order().cmp(&b.order()));
    Ok(units)
}

/// The next task's instance of the same setting, from the beginning again behind the last.
fn next(instances: &[Arc<Instance>], place: usize) -> Option<Arc<Instance>> {
    let at = instances.get(place)?;
    let (before, after) = instances.split_at_checked(place + 1)?;
    after.iter().chain(before).find(|other| other.setting == at.setting && other.task != at.task).cloned()
}
