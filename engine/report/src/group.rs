//! A group of episodes while it is being counted. Turns into a [`Summary`]; knows nothing of other groups.

use std::collections::BTreeMap;

use super::aggregate::{Score, Summary};
use super::spread::Spread;
use probity_bench::{Aggregation, Card, EndReason, EpisodeRecord, Found, Measure, Metric, Reading, stats::pass_k};

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
