//! A unit of a run: which agent plays which instance, and how. All of them have one order: agent, task, levels, trial;
//! none is held, each is made when it is asked for.

use std::collections::BTreeMap;
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
use crate::instance::{Instance, Limits, Options, Setting};
use crate::provider::client::Client;
use crate::trace::{Header, Trace};
use crate::user::Line;
use crate::world::Rollout;
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

/// An instance of a run, and the next task's instance of the same setting.
type Played = (Arc<Instance>, Option<Arc<Instance>>);

/// The units of a run, or of a part of it.
#[derive(Clone)]
pub struct Units {
    common: Arc<Common>,
    agents: Vec<Arc<str>>,
    instances: Vec<Played>,
    trials: u32,
    /// The numbers of those that are meant, rising; nothing where all are.
    part: Option<Arc<[usize]>>,
}

impl Units {
    /// Those of a run.
    ///
    /// # Errors
    /// There are more than a run may have, or the benchmark does not have its options.
    pub fn of(benchmark: &Arc<dyn Benchmark>, config: &RunConfig) -> Result<Units, RunError> {
        let asked: Vec<(String, String)> = config.options.clone().into_iter().collect();
        benchmark.card().options(&asked).map_err(|(what, help)| RunError::Option(format!("{what}: {help}")))?;
        let chosen: Vec<Arc<Instance>> = config.selection.of(benchmark.instances()).into_iter().map(Arc::new).collect();
        config.count_units(chosen.len()).map_err(RunError::TooLarge)?;
        let mut agents: Vec<Arc<str>> = config.agents.iter().map(|agent| agent.name.as_str().into()).collect();
        agents.sort();
        let common = Common {
            benchmark: Arc::clone(benchmark),
            seed: config.seed,
            limits: config.limits,
            options: config.options.clone(),
            user: config.user_name(),
            user_client: None,
            line: None,
        };
        let mut units =
            Units { common: Arc::new(common), agents, instances: Vec::new(), trials: config.trials, part: None };
        let played = chosen.iter().enumerate().map(|(place, at)| (Arc::clone(at), next(&chosen, place)));
        // A control that another task's words are needed for has no unit where there is no other task.
        units.instances = played.filter(|played| units.unit("".into(), played, 0).header().is_some()).collect();
        units.instances.sort_by(|(a, _), (b, _)| (&a.task, &a.setting).cmp(&(&b.task, &b.setting)));
        Ok(units)
    }

    /// Of all units of the run those with these numbers, each once.
    #[must_use]
    pub fn part(&self, mut numbers: Vec<usize>) -> Units {
        numbers.sort_unstable();
        numbers.dedup();
        numbers.truncate(numbers.partition_point(|number| *number < self.total()));
        Units { part: Some(numbers.into()), ..self.clone() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.part.as_ref().map_or_else(|| self.total(), |part| part.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many the whole run has.
    fn total(&self) -> usize {
        self.agents.len() * self.instances.len() * self.trials()
    }

    fn trials(&self) -> usize {
        usize::try_from(self.trials).unwrap_or(usize::MAX)
    }

    /// The unit at a place among them.
    pub fn get(&self, place: usize) -> Option<Unit> {
        let number = match &self.part {
            Some(part) => *part.get(place)?,
            None => place,
        };
        let (row, trial) = (number.checked_div(self.trials())?, number.checked_rem(self.trials())?);
        let agent = self.agents.get(row.checked_div(self.instances.len())?)?;
        let played = self.instances.get(row.checked_rem(self.instances.len())?)?;
        Some(self.unit(Arc::clone(agent), played, u32::try_from(trial).ok()?))
    }

    /// The place of a unit among them.
    pub fn place(&self, (agent, task, levels, trial): Order) -> Option<usize> {
        let agent = self.agents.binary_search_by(|own| (**own).cmp(agent)).ok()?;
        let of = |(at, _): &Played| (at.task.as_str(), &at.setting).cmp(&(task, levels));
        let instance = self.instances.binary_search_by(of).ok()?;
        let trial = usize::try_from(trial).ok().filter(|_| trial < self.trials)?;
        let number = (agent * self.instances.len() + instance) * self.trials() + trial;
        self.part.as_ref().map_or(Some(number), |part| part.binary_search(&number).ok())
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Unit> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// A unit of nobody on each instance of the run, in their order.
    pub fn instances(&self) -> impl Iterator<Item = Unit> + '_ {
        let nobody: Arc<str> = "".into();
        self.instances.iter().map(move |played| self.unit(Arc::clone(&nobody), played, 0))
    }

    /// `agent task levels` of all units of a run, each with the number of its first trial.
    pub fn names(&self) -> BTreeMap<String, usize> {
        let first = |row: usize| {
            let unit = self.get(row * self.trials())?;
            Some((format!("{} {} {}", unit.agent, unit.at.task, unit.at.setting), row * self.trials()))
        };
        (0..self.agents.len() * self.instances.len()).filter_map(first).collect()
    }

    /// The unit, and its number, of a trial where that of the first trial is known.
    pub fn trial(&self, first: usize, trial: u32) -> Option<(usize, Unit)> {
        let number = first + usize::try_from(trial).ok().filter(|_| trial < self.trials)?;
        Some((number, self.get(number)?))
    }

    /// Gives a model user the provider to ask.
    pub fn ask(&mut self, client: &Arc<Client>) {
        Arc::make_mut(&mut self.common).user_client = Some(Arc::clone(client));
    }

    /// Lets what the user says go through programs.
    pub fn speak_over(&mut self, line: &Arc<dyn Line>) {
        Arc::make_mut(&mut self.common).line = Some(Arc::clone(line));
    }

    fn unit(&self, agent: Arc<str>, (at, next): &Played, trial: u32) -> Unit {
        Unit { agent, at: Arc::clone(at), trial, next: next.clone(), common: Arc::clone(&self.common) }
    }
}

/// The next task's instance of the same setting, from the beginning again behind the last.
fn next(instances: &[Arc<Instance>], place: usize) -> Option<Arc<Instance>> {
    let at = instances.get(place)?;
    let (before, after) = instances.split_at_checked(place + 1)?;
    after.iter().chain(before).find(|other| other.setting == at.setting && other.task != at.task).cloned()
}
