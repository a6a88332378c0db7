//! How large a loss some episodes leave possible, and how many would tell it from chance.

use super::noise::Noise;
use probity_bench::stats::permutation::Stratum;

/// Standard normal quantile of 95 %.
const Z: f64 = 1.645;
/// A level of 5 % shared by three questions, and a power of 80 %: the sum of both normal quantiles.
const TELLING_Z: f64 = 2.128 + 0.842;
/// More trials than anybody plays.
const MOST_TRIALS: u32 = 100;

/// What the paired episodes of a metric say of a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The largest loss that they do not rule out, one-sided at 95 %.
    pub worst: Option<f64>,
    /// Trials of each instance that would tell a loss like the one seen from chance, four times out of five.
    pub trials_that_tell: Option<u32>,
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
            return Loss { worst: Some(sum / n), trials_that_tell: None };
        }
        let squares = losses.iter().map(|loss| loss * loss).sum::<f64>() + width * width;
        let (mean, wide) = (sum / (n + 2.0), n + 2.0);
        let variance = (squares / wide - mean * mean).max(0.0);
        let worst = (mean + Z * (variance / wide).sqrt()).min(width);
        let needed = (TELLING_Z * TELLING_Z * variance / (instances * mean * mean)).ceil();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two small numbers")]
        let trials = needed.clamp((n / instances).floor() + 1.0, f64::from(MOST_TRIALS)) as u32;
        Loss { worst: Some(worst), trials_that_tell: (sum > 0.0).then_some(trials) }
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
        let trials = |lost, kept| Loss::of(&singles(lost, kept), (0.0, 1.0), Noise::Unknown).trials_that_tell;
        assert_eq!(trials(0, 16), None);
        assert!(trials(2, 14).unwrap() > trials(8, 8).unwrap());
        assert_eq!(trials(16, 0), Some(2));
    }
}
