//! How sure the numbers of a group are: intervals over tasks, and what repeated trials say.

use std::collections::BTreeMap;

use probity_bench::stats::bootstrap::interval;
use probity_bench::stats::moments::mean;
use probity_bench::{Card, Cluster, EpisodeRecord, Interval, Levels, Metric, Visibility};

/// Most trials that are looked at together.
const MOST_K: usize = 10;
/// The seed of the draws: a report is the same every time it is written.
const SEED: u64 = 0;

/// What a group's episodes say of chance, while they are being counted.
pub(super) struct Spread {
    card: &'static Card,
    tasks: BTreeMap<String, TaskSpread>,
}

struct TaskSpread {
    /// Of each metric that has intervals, in the order of the card.
    clusters: Vec<Cluster>,
    /// Scored trials and successes by instance.
    trials: BTreeMap<Levels, (usize, usize)>,
}

fn metrics(card: &'static Card) -> impl Iterator<Item = &'static Metric> {
    card.metrics.iter().filter(|metric| metric.place != Visibility::Beside)
}

impl Spread {
    pub(super) fn new(card: &'static Card) -> Spread {
        Spread { card, tasks: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, record: &EpisodeRecord) {
        let (card, header) = (self.card, &record.trace.header);
        if !self.tasks.contains_key(&header.task) {
            let clusters = metrics(card).map(|_| Cluster::default()).collect();
            self.tasks.insert(header.task.clone(), TaskSpread { clusters, trials: BTreeMap::new() });
        }
        let Some(task) = self.tasks.get_mut(&header.task) else { return };
        for (metric, cluster) in metrics(card).zip(&mut task.clusters) {
            record.scores.value(metric.name).into_iter().for_each(|value| cluster.add(value));
        }
        if let Some(value) = record.scores.value(card.headline()) {
            let (n, c) = task.trials.entry(header.levels.clone()).or_default();
            *n += 1;
            *c += usize::from(card.is_success(value));
        }
    }

    pub(super) fn intervals(&self) -> BTreeMap<&'static str, Interval> {
        let of = |(at, metric): (usize, &'static Metric)| {
            let clusters: Vec<Cluster> =
                self.tasks.values().filter_map(|task| task.clusters.get(at).copied()).collect();
            Some((metric.name, interval(&clusters, SEED, metric.name)?))
        };
        metrics(self.card).enumerate().filter_map(of).collect()
    }

    /// The mean over task instances for k = 1, 2, .., as far as every instance has as many trials.
    pub(super) fn pass(&self, estimate: fn(usize, usize, usize) -> Option<f64>) -> Vec<f64> {
        let trials = || self.tasks.values().flat_map(|task| task.trials.values());
        let least = trials().map(|(n, _)| *n).min().unwrap_or_default();
        if least < 2 {
            return Vec::new();
        }
        let at = |k: usize| {
            let values: Vec<f64> = trials().filter_map(|(n, c)| estimate(*n, *c, k)).collect();
            mean(&values)
        };
        (1..=least.min(MOST_K)).filter_map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::Sketch;
    use probity_behaviour::benchmark::CARD;
    use probity_bench::stats::pass_k::{pass_at, pass_hat};

    #[test]
    fn trials_of_an_instance_are_looked_at_together() {
        let mut spread = Spread::new(&CARD);
        for (trial, passed) in [(0, true), (1, true), (2, false)] {
            spread.add(&Sketch { trial, sr: Some(passed), ..Sketch::default() }.record());
        }
        let close =
            |values: Vec<f64>, expected: [f64; 3]| values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(spread.pass(pass_at), [2.0 / 3.0, 1.0, 1.0]));
        assert!(close(spread.pass(pass_hat), [2.0 / 3.0, 1.0 / 3.0, 0.0]));
        // One task says nothing of other tasks.
        assert!(spread.intervals().is_empty());
    }

    #[test]
    fn one_trial_says_nothing_of_others() {
        let mut spread = Spread::new(&CARD);
        spread.add(&Sketch { sr: Some(true), ..Sketch::default() }.record());
        assert!(spread.pass(pass_at).is_empty());
    }
}
