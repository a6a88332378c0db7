//! How much two runs of one agent differ by chance alone, from its repeated trials; how large a loss some episodes
//! leave possible, and how many would tell it from chance.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pair::Pair;
use probity_bench::Levels;
use probity_bench::stats::moments::variance;
use probity_bench::stats::normal;
use probity_bench::stats::permutation::Stratum;

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

/// Standard normal quantile of 95 %.
const Z: f64 = 1.645;
const MOST_TRIALS: u32 = 100;

/// What the paired episodes of a metric say of a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The largest loss that they do not rule out, one-sided at 95 %.
    pub worst: Option<f64>,
    /// The loss that was seen, where chance may have made it.
    seen: Option<Seen>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    mean: f64,
    variance: f64,
    instances: f64,
    trials: f64,
}

impl Loss {
    /// Of outcomes by instance, where more is better, of a metric with this range.
    ///
    /// Half an episode is added to each of lost, won and the two that stayed (Agresti and Min 2005): without them, few
    /// episodes that all came out alike would rule out everything.
    pub fn of(strata: &[Stratum], (least, most): (f64, f64), noise: Noise) -> Loss {
        let losses: Vec<f64> = strata
            .iter()
            .flat_map(|stratum| stratum.base.iter().zip(&stratum.new).map(|(base, new)| base - new))
            .collect();
        let width = most - least;
        if losses.is_empty() || !width.is_finite() {
            return Loss::default();
        }
        #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
        let (n, instances) = (losses.len() as f64, strata.len() as f64);
        let sum: f64 = losses.iter().sum();
        if noise == Noise::None {
            return Loss { worst: Some(sum / n), seen: None };
        }
        let squares = losses.iter().map(|loss| loss * loss).sum::<f64>() + width * width;
        let (mean, wide) = (sum / (n + 2.0), n + 2.0);
        let variance = (squares / wide - mean * mean).max(0.0);
        let worst = (mean + Z * (variance / wide).sqrt()).min(width);
        let seen = Seen { mean, variance, instances, trials: (n / instances).floor() };
        Loss { worst: Some(worst), seen: (sum > 0.0).then_some(seen) }
    }

    /// Trials of each instance that would tell a loss like the one seen from chance at this level, four times out of
    /// five; nothing where there was none, or where that is more than anybody plays.
    pub(crate) fn trials_that_tell(&self, level: f64) -> Option<u32> {
        let Seen { mean, variance, instances, trials } = self.seen?;
        let needed = (normal::telling(level).powi(2) * variance / (instances * mean * mean)).ceil().max(trials + 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two small numbers")]
        (needed <= f64::from(MOST_TRIALS)).then_some(needed as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn singles(lost: usize, kept: usize) -> Vec<Stratum> {
        let stratum = |base, new| Stratum { base: vec![base], new: vec![new] };
        std::iter::repeat_n(stratum(1.0, 0.0), lost).chain(std::iter::repeat_n(stratum(1.0, 1.0), kept)).collect()
    }

    #[test]
    fn few_episodes_leave_a_large_loss_possible() {
        let worst = |lost, kept| Loss::of(&singles(lost, kept), (0.0, 1.0), Noise::Unknown).worst.unwrap();
        assert!(worst(1, 15) < 0.25 && worst(2, 14) > 0.25, "{} {}", worst(1, 15), worst(2, 14));
        assert!(worst(4, 108) < 0.1);
        assert!((Loss::of(&singles(4, 12), (0.0, 1.0), Noise::None).worst.unwrap() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn the_trials_that_tell_are_more_than_there_are() {
        let trials =
            |lost, kept| Loss::of(&singles(lost, kept), (0.0, 1.0), Noise::Unknown).trials_that_tell(0.05 / 3.0);
        assert_eq!(trials(0, 16), None);
        assert!(trials(2, 14).unwrap() > trials(8, 8).unwrap());
        assert_eq!(trials(16, 0), Some(2));
        let one =
            |lost, kept| Stratum { base: vec![1.0; lost + kept], new: [vec![0.0; lost], vec![1.0; kept]].concat() };
        let told = |stratum| Loss::of(&[stratum], (0.0, 1.0), Noise::Unknown).trials_that_tell(0.05);
        assert_eq!(told(one(1, 59)), None, "nobody plays so many");
        assert_eq!(told(one(20, 180)), None, "there are more already");
    }

    #[test]
    fn a_stricter_level_takes_more_trials() {
        let loss = Loss::of(&singles(2, 14), (0.0, 1.0), Noise::Unknown);
        assert!(loss.trials_that_tell(0.001).unwrap() > loss.trials_that_tell(0.05).unwrap());
    }
}
