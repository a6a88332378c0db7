//! A group of episodes while it is being counted. Turns into a [`Summary`]; knows nothing of other groups.

use std::collections::BTreeMap;

use crate::aggregate::{Score, Summary};
use probity_bench::stats::bootstrap::interval;
use probity_bench::stats::moments::mean;
use probity_bench::stats::pass_k;
use probity_bench::{
    Aggregation, Card, Cluster, EndReason, EpisodeRecord, Found, Interval, Levels, Measure, Metric, Reading, Visibility,
};

/// A metric while it is being summed, in the order in which readings are added.
#[derive(Default)]
struct Sum {
    sum: f64,
    n: usize,
    pooled: Option<Measure>,
    reasons: BTreeMap<String, usize>,
}

impl Sum {
    fn add(&mut self, reading: Option<&Reading>) {
        match reading {
            Some(Reading::Scored { value, of }) => {
                self.sum += value;
                self.n += 1;
                if let Some(of) = of {
                    let pooled = self.pooled.get_or_insert_default();
                    pooled.numerator += of.numerator;
                    pooled.denominator += of.denominator;
                }
            }
            Some(Reading::NotScored { reason }) => self.is_missing(reason),
            None => self.is_missing("its scorer does not say"),
        }
    }

    fn is_missing(&mut self, reason: &str) {
        *self.reasons.entry(reason.to_owned()).or_default() += 1;
    }

    fn score(self, metric: &Metric) -> Score {
        let mean = (self.n > 0).then(|| self.sum / self.n as f64);
        let value = match (metric.aggregation, &self.pooled) {
            (Aggregation::Pooled, Some(pooled)) => pooled.value(),
            (Aggregation::Pooled, None) | (Aggregation::Mean, _) => mean,
        };
        let not_scored = self.reasons.values().sum();
        Score { value, n: self.n, not_scored, pooled: self.pooled, reasons: self.reasons, ..Score::default() }
    }
}

pub(super) struct Group {
    card: &'static Card,
    episodes: usize,
    /// In the order of the card.
    sums: Vec<Sum>,
    tags: BTreeMap<String, BTreeMap<String, usize>>,
    findings: BTreeMap<String, BTreeMap<String, usize>>,
    ends: BTreeMap<EndReason, usize>,
    user_fallbacks: u64,
    spread: Spread,
}

impl Group {
    pub fn new(card: &'static Card) -> Group {
        Group {
            card,
            episodes: 0,
            sums: card.metrics.iter().map(|_| Sum::default()).collect(),
            tags: BTreeMap::new(),
            findings: BTreeMap::new(),
            ends: BTreeMap::new(),
            user_fallbacks: 0,
            spread: Spread::new(card),
        }
    }

    /// Counts an episode in; what is not measured in it is in no part of a number.
    pub fn add(&mut self, record: &EpisodeRecord) {
        let scores = &record.scores;
        self.episodes += 1;
        for (metric, sum) in self.card.metrics.iter().zip(&mut self.sums) {
            if metric.applies(&record.factors) {
                sum.add(scores.metrics.get(metric.name));
            }
        }
        self.spread.add(record);
        for (tag, word) in &scores.tags {
            *self.tags.entry(tag.clone()).or_default().entry(word.clone()).or_default() += 1;
        }
        let card = self.card;
        let is_counted = |found: &&Found| !found.findings.is_empty() && card.is_counted(scores, found);
        for Found { by, findings } in scores.found.iter().filter(is_counted) {
            let counts = self.findings.entry(by.clone()).or_default();
            findings.iter().for_each(|finding| *counts.entry(finding.code.clone()).or_default() += 1);
        }
        self.user_fallbacks += u64::from(record.trace.user_fallbacks());
        if let Some((reason, _)) = record.trace.end() {
            *self.ends.entry(reason).or_default() += 1;
        }
    }

    pub fn summary(self) -> Summary {
        let mut intervals = self.spread.intervals();
        let score = |(metric, sum): (&Metric, Sum)| {
            let interval = intervals.remove(metric.name);
            (metric.name.to_owned(), Score { interval, ..sum.score(metric) })
        };
        Summary {
            episodes: self.episodes,
            metrics: self.card.metrics.iter().zip(self.sums).map(score).collect(),
            tags: self.tags,
            findings: self.findings,
            ends: self.ends,
            user_fallbacks: self.user_fallbacks,
            pass_at: self.spread.pass(pass_k::pass_at),
            pass_hat: self.spread.pass(pass_k::pass_hat),
        }
    }
}

/// Most trials that are looked at together.
const MOST_K: usize = 10;
/// The seed of the draws: a report is the same every time it is written.
const SEED: u64 = 0;

/// What a group's episodes say of chance, while they are being counted.
struct Spread {
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
    fn new(card: &'static Card) -> Spread {
        Spread { card, tasks: BTreeMap::new() }
    }

    fn add(&mut self, record: &EpisodeRecord) {
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

    fn intervals(&self) -> BTreeMap<&'static str, Interval> {
        let of = |(at, metric): (usize, &'static Metric)| {
            let clusters: Vec<Cluster> =
                self.tasks.values().filter_map(|task| task.clusters.get(at).copied()).collect();
            Some((metric.name, interval(&clusters, SEED, metric.name)?))
        };
        metrics(self.card).enumerate().filter_map(of).collect()
    }

    /// The mean over task instances for k = 1, 2, .., as far as every instance has as many trials.
    fn pass(&self, estimate: fn(usize, usize, usize) -> Option<f64>) -> Vec<f64> {
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
