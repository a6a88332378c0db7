//! The units of a run, in their one order: agent, task, levels, trial. None is held; each is made when it is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config::RunConfig;
use super::error::RunError;
use super::record::Order;
use super::unit::{Common, Unit};
use crate::benchmark::Benchmark;
use crate::instance::Instance;
use crate::provider::client::Client;
use crate::user::Line;

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
