//! How much two runs of one agent differ by chance alone, from its repeated trials.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pair::Pair;
use probity_bench::{Levels, stats::moments::variance};

/// Standard normal quantile of the noise floor: by chance alone a difference is beyond it once in a hundred times.
pub(crate) const FLOOR_Z: f64 = 2.576;

/// The values of the base and of the new run.
type Both = (Vec<f64>, Vec<f64>);

/// What is known of the chance in a difference of means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Noise {
    /// None: both agents do the same every time they are asked the same.
    None,
    /// The standard error of the difference, from repeated trials of the same instances.
    Trials(f64),
    /// Nothing: each instance was played once, by an agent that may do otherwise the next time.
    Unknown,
}

impl Noise {
    /// The noise in the difference of means of a metric over some pairs.
    pub fn of(pairs: &[Pair], metric: &str, is_repeatable: bool) -> Noise {
        if is_repeatable {
            return Noise::None;
        }
        let mut instances: BTreeMap<(&str, &Levels), Both> = BTreeMap::new();
        for pair in pairs {
            if let Some((base, new)) = pair.values(metric) {
                let (bases, news) = instances.entry((pair.task(), pair.levels())).or_default();
                bases.push(base);
                news.push(new);
            }
        }
        if instances.is_empty() || instances.values().any(|(bases, _)| bases.len() < 2) {
            return Noise::Unknown;
        }
        // The variance of a sum of independent trials; instances weigh as in the mean over episodes.
        #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
        let sum = |values: &[f64]| values.len() as f64 * variance(values).unwrap_or_default();
        let total: f64 = instances.values().map(|(bases, news)| sum(bases) + sum(news)).sum();
        #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
        let count = instances.values().map(|(bases, _)| bases.len()).sum::<usize>() as f64;
        Noise::Trials(total.sqrt() / count)
    }

    /// The largest difference that chance alone makes, but once in a hundred times; nothing where none was seen, which is
    /// not to say that there is none.
    pub fn floor(self) -> Option<f64> {
        match self {
            Noise::None => Some(0.0),
            Noise::Trials(error) => (error > 0.0).then_some(FLOOR_Z * error),
            Noise::Unknown => None,
        }
    }
}
