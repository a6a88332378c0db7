//! The trials of one instance in both runs: a task at its levels.

use std::collections::BTreeMap;

use super::pair::Pair;
use probity_bench::stats::pass_k::pass_hat;
use probity_bench::{Card, EpisodeRecord, Levels};

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
