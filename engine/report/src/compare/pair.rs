//! Episodes of two runs that were played on the same thing, same task, levels and trial, and all trials of one
//! instance.

use std::collections::BTreeMap;

use probity_bench::stats::pass_k::pass_hat;
use probity_bench::{Card, EpisodeRecord, Levels};

#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub base: &'a EpisodeRecord,
    pub new: &'a EpisodeRecord,
}

/// How the episodes of one agent in each run fit together.
#[derive(Default)]
pub struct Pairs<'a> {
    /// Those that fit, in unit order.
    pub pairs: Vec<Pair<'a>>,
    /// Episodes of the base run that the new one lacks.
    pub only_base: Vec<String>,
    /// Episodes of the new run that the base lacks.
    pub only_new: Vec<String>,
    /// Episodes that were played on other versions of a task, under other limits or options, or with another user.
    pub unlike: Vec<String>,
}

impl<'a> Pairs<'a> {
    pub fn of(base: &'a [EpisodeRecord], base_agent: &str, new: &'a [EpisodeRecord], new_agent: &str) -> Self {
        let (mut left, mut right) = (by_unit(base, base_agent), by_unit(new, new_agent));
        let mut pairs = Pairs::default();
        for (unit, base) in std::mem::take(&mut left) {
            match right.remove(&unit) {
                None => pairs.only_base.push(base.instance_name()),
                Some(new) if !is_alike(base, new) => pairs.unlike.push(base.instance_name()),
                Some(new) => pairs.pairs.push(Pair { base, new }),
            }
        }
        pairs.only_new.extend(right.into_values().map(EpisodeRecord::instance_name));
        pairs
    }
}

impl<'a> Pair<'a> {
    /// The values of a metric in both; nothing when either was not scored.
    pub fn values(&self, metric: &str) -> Option<(f64, f64)> {
        Some((self.base.scores.value(metric)?, self.new.scores.value(metric)?))
    }

    pub fn task(&self) -> &'a str {
        &self.base.trace.header.task
    }

    pub fn levels(&self) -> &'a Levels {
        &self.base.trace.header.levels
    }
}

type UnitKey<'a> = (&'a str, &'a Levels, u32);

fn by_unit<'a>(records: &'a [EpisodeRecord], agent: &str) -> BTreeMap<UnitKey<'a>, &'a EpisodeRecord> {
    let own = records.iter().filter(|record| record.agent == agent);
    own.map(|record| ((record.task(), &record.trace.header.levels, record.trial), record)).collect()
}

/// Whether two episodes were played on the same thing.
fn is_alike(base: &EpisodeRecord, new: &EpisodeRecord) -> bool {
    base.trace.header.unlike(&new.trace.header).is_empty()
}

/// Its pairs of episodes, trial by trial.
#[derive(Clone)]
pub struct Instance<'a> {
    pub task: &'a str,
    pub levels: &'a Levels,
    pub factors: &'a Levels,
    pub pairs: Vec<Pair<'a>>,
}

/// Scored trials, and how many of them succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trials {
    pub n: usize,
    pub successes: usize,
}

impl Trials {
    /// Whether there are trials, and all of them succeeded.
    pub(crate) fn all_succeed(self) -> bool {
        self.n > 0 && self.successes == self.n
    }

    /// Whether there are trials, and none of them succeeded.
    pub(crate) fn all_fail(self) -> bool {
        self.n > 0 && self.successes == 0
    }

    /// The chance that all of `k` of them succeed; nothing when there are fewer.
    pub fn pass_hat(self, k: usize) -> Option<f64> {
        pass_hat(self.n, self.successes, k)
    }
}

impl<'a> Instance<'a> {
    /// The instances of some pairs, in order of task and levels.
    pub fn all(pairs: &[Pair<'a>]) -> Vec<Instance<'a>> {
        let mut instances: BTreeMap<(&str, &Levels), Instance> = BTreeMap::new();
        for pair in pairs {
            let (task, levels, factors) = (pair.task(), pair.levels(), &pair.base.factors);
            let entry = || Instance { task, levels, factors, pairs: Vec::new() };
            instances.entry((task, levels)).or_insert_with(entry).pairs.push(*pair);
        }
        instances.into_values().collect()
    }

    /// `task levels`.
    pub fn name(&self) -> String {
        format!("{} {}", self.task, self.levels)
    }

    /// The trials of the base and of the new run, by the first metric of the card; what is not scored is no trial.
    pub fn trials(&self, card: &Card) -> (Trials, Trials) {
        let count = |side: fn(&Pair<'a>) -> &'a EpisodeRecord| {
            let values = self.pairs.iter().filter_map(|pair| side(pair).scores.value(card.headline()));
            values.fold(Trials::default(), |Trials { n, successes }, value| Trials {
                n: n + 1,
                successes: successes + usize::from(card.is_success(value)),
            })
        };
        (count(|pair| pair.base), count(|pair| pair.new))
    }
}
