//! How much is enough: how many trials find a drop of a size four times out of five, as a base run has it, and what
//! they will take.

use std::collections::BTreeMap;

use serde::Serialize;

use super::comparison::{Side, by_task};
use super::difference::GroupName;
use super::gate::Questions;
use super::outlook::{Outlook, is_at_worst};
use super::rules::{GateFile, LEVEL};
use crate::spent::Spent;
use probity_bench::stats::moments::{mean, round};
use probity_bench::{Card, EpisodeRecord, Levels, MAX_TRIALS, Metric, RunConfig, Usage};

/// How many trials are enough for an agent, and what they take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detection {
    pub agent: String,
    pub metric: &'static str,
    pub group: GroupName,
    /// The drop that is to be found.
    pub drop: f64,
    #[serde(flatten)]
    pub enough: Enough,
    /// Whether the agent does the same every time it is asked the same.
    pub is_repeatable: bool,
    /// The mean of the base over its instances whose chance is known.
    pub base: Option<f64>,
    /// These instances: scored in two trials, or in one of an agent that does the same every time.
    pub instances: usize,
    /// Scored trials of each of them in the base, at least.
    pub base_trials: usize,
    /// The smallest drop that as many trials find four times out of five; nothing where they find none.
    pub base_finds: Option<f64>,
    /// A run of the trials that are enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Bill>,
    /// What of it goes to instances that tell nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wasted: Option<Bill>,
    /// BaseInstances that tell nothing of a drop: at the worst value in every trial, so that nothing can be lost.
    pub silent: Vec<SilentTask>,
    /// BaseInstances of whose chance nothing is known: `task levels`.
    pub unknown: Vec<String>,
}

/// The trials that are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Enough {
    /// So many of each instance, in the base and in the new run.
    Trials(u32),
    /// There is no number.
    None(Lack),
}

/// Why there is no number of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// No episode of the base is scored.
    NotScored,
    /// No instance was scored in two trials, so that nothing is known of chance.
    OneTrialEach,
    /// The base has not so much to lose.
    LessToLose,
    /// No run has so many.
    MoreThanARunHas,
}

/// A task with instances that tell nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SilentTask {
    pub task: String,
    pub settings: Vec<String>,
    /// How many instances the base has of it.
    pub of: usize,
}

/// What a gate asks first: of a metric, in which episodes, with so much of the level to itself.
struct FirstQuestion {
    metric: &'static Metric,
    group: GroupName,
    share: f64,
}

impl FirstQuestion {
    fn of(card: &'static Card, file: Option<&GateFile>) -> Result<FirstQuestion, String> {
        let (name, group, questions) = match file {
            None => {
                let name = card.gate.first().ok_or("the suite's gate asks about no metric")?;
                (*name, GroupName::All, Questions { level: LEVEL, count: card.gate.len() })
            }
            Some(file) => {
                let rule = file.questions().next().ok_or("no rule has `no_significant_drop = true`")?;
                let questions = Questions { level: file.level, count: file.questions().count() };
                (rule.metric, GroupName::of(&rule.levels), questions)
            }
        };
        let metric = card.metric(name).ok_or_else(|| format!("there is no metric `{name}`"))?;
        Ok(FirstQuestion { metric, group, share: questions.share() })
    }
}

impl Detection {
    /// Asks what a gate asks first, by the rules of a file or without one; the drop is in units of the metric.
    ///
    /// One pass over the episodes, then a few sums for each of at most [`MAX_TRIALS`] numbers of trials: nothing is drawn.
    ///
    /// # Errors
    /// The gate asks about no drop, or the metric cannot fall so far.
    pub fn of(card: &'static Card, base: Side, drop: f64, file: Option<&GateFile>) -> Result<Detection, String> {
        let FirstQuestion { metric, group, share } = FirstQuestion::of(card, file)?;
        let (least, most) = metric.range;
        if !(drop > 0.0 && drop <= most - least) {
            return Err(format!("`{}` goes from {least} to {most}: it cannot fall by {drop}", metric.name));
        }
        let instances = instances(&base, metric.name, &group);
        let is_known = |taken: &Taken| taken.values.len() >= if base.is_repeatable { 1 } else { 2 };
        let is_silent = |taken: &Taken| is_known(taken) && is_at_worst(metric, &taken.values);
        let (mut outlook, mut means) = (Outlook::new(metric), Vec::new());
        for taken in instances.values().filter(|taken| is_known(taken)) {
            outlook.add(&taken.values);
            means.extend(mean(&taken.values));
        }
        let enough = match outlook.instances {
            0 if instances.values().all(|taken| taken.values.is_empty()) => Enough::None(Lack::NotScored),
            0 => Enough::None(Lack::OneTrialEach),
            _ if outlook.most().is_some_and(|most| round(most) < drop) => Enough::None(Lack::LessToLose),
            // What always comes out the same way has changed when it comes out otherwise.
            _ if base.is_repeatable => Enough::Trials(1),
            _ => outlook.trials(drop, share).map_or(Enough::None(Lack::MoreThanARunHas), Enough::Trials),
        };
        let bill = |of: &dyn Fn(&Taken) -> bool| match enough {
            Enough::Trials(trials) => Some(Bill::of(instances.values().filter(|taken| of(taken)), trials)),
            Enough::None(_) => None,
        };
        let base_finds = if base.is_repeatable { Some(0.0) } else { outlook.smallest(share) };
        Ok(Detection {
            agent: base.agent.to_owned(),
            metric: metric.name,
            group,
            drop,
            enough,
            is_repeatable: base.is_repeatable,
            base: mean(&means).map(round),
            instances: outlook.instances,
            base_trials: outlook.trials,
            base_finds: base_finds.filter(|_| outlook.instances > 0).map(round),
            run: bill(&|_| true),
            wasted: bill(&is_silent),
            silent: silent(&instances, is_silent),
            unknown: instances
                .iter()
                .filter(|(_, taken)| !is_known(taken))
                .map(|((task, levels), _)| format!("{task} {levels}"))
                .collect(),
        })
    }

    /// The trials that are enough; nothing where there is no number.
    pub fn trials(&self) -> Option<u32> {
        match self.enough {
            Enough::Trials(trials) => Some(trials),
            Enough::None(_) => None,
        }
    }

    /// Says what its episodes cost, by the prices of a run.
    pub fn price(&mut self, config: &RunConfig) {
        self.run.iter_mut().chain(&mut self.wasted).for_each(|bill| bill.price(config));
    }
}

type BaseInstances<'a> = BTreeMap<(&'a str, &'a Levels), Taken>;

fn instances<'a>(base: &Side<'a>, metric: &str, group: &GroupName) -> BaseInstances<'a> {
    let mut instances = BaseInstances::new();
    let own = base.records.iter().filter(|record| record.agent == base.agent && group.holds(&record.factors));
    for record in own {
        let taken = instances.entry((record.task(), &record.trace.header.levels)).or_default();
        taken.values.extend(record.scores.value(metric));
        taken.add(record);
    }
    instances
}

/// The tasks with instances that tell nothing, those with most first.
fn silent(instances: &BaseInstances, is_silent: impl Fn(&Taken) -> bool) -> Vec<SilentTask> {
    let all = instances.iter().map(|(at, taken)| (*at, is_silent(taken)));
    by_task(all).into_iter().map(|(task, settings, of)| SilentTask { task, settings, of }).collect()
}

impl std::fmt::Display for SilentTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.settings.len() == self.of && self.of > 1 {
            true => write!(f, "{}: all {}", self.task, self.of),
            false => write!(f, "{}: {}", self.task, self.settings.join(", ")),
        }
    }
}

impl std::fmt::Display for Lack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Lack::NotScored => f.write_str("no episode of it is scored"),
            Lack::OneTrialEach => f.write_str(
                "no instance was scored in two trials, so how its outcome varies is not known: play it with `--trials 3`",
            ),
            Lack::LessToLose => f.write_str("it has not so much to lose"),
            Lack::MoreThanARunHas => write!(f, "a run has {MAX_TRIALS} trials at most: play more tasks"),
        }
    }
}

#[cfg(test)]
#[path = "detection_tests.rs"]
mod tests;

/// So many episodes, and what they ask of providers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bill {
    pub episodes: u64,
    #[serde(flatten)]
    pub spent: Spent,
}

/// The trials of one instance: how they came out, and what they took.
#[derive(Default)]
pub(super) struct Taken {
    pub values: Vec<f64>,
    bill: Bill,
}

impl Taken {
    /// Counts what an episode took.
    pub fn add(&mut self, record: &EpisodeRecord) {
        self.bill.episodes += 1;
        self.bill.spent.add(record);
    }
}

impl Bill {
    /// So many trials of each of some instances, each taking what it took on average, in whole tokens. Requests that had
    /// to be sent again and answers that were cut off are not expected.
    pub(super) fn of<'a>(instances: impl Iterator<Item = &'a Taken>, trials: u32) -> Bill {
        let mut all = Bill::default();
        for Bill { episodes, spent } in instances.map(|taken| taken.bill) {
            all.episodes += u64::from(trials);
            let expected = |count: u64| {
                let of_all = u128::from(count) * u128::from(trials);
                u64::try_from(of_all.div_ceil(u128::from(episodes.max(1)))).unwrap_or(u64::MAX)
            };
            let usage = |usage: Usage| Usage {
                requests: expected(usage.requests - usage.retries.min(usage.requests)),
                uncounted: expected(usage.uncounted),
                prompt_tokens: expected(usage.prompt_tokens),
                cached_tokens: expected(usage.cached_tokens),
                completion_tokens: expected(usage.completion_tokens),
                ..Usage::default()
            };
            all.spent.take(spent.agent.map(usage), spent.user.map(usage));
        }
        all
    }

    /// What it costs, by the prices of a run, where a provider is asked at all.
    pub(super) fn price(&mut self, config: &RunConfig) {
        if self.spent.agent.is_some() || self.spent.user.is_some() {
            self.spent.price(config);
        }
    }
}
