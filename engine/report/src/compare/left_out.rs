//! Episodes that the base scored and the new run leaves unscored: whether they are more than chance makes.

use std::collections::BTreeMap;

use super::difference::chance;
use super::loss::Loss;
use super::noise::Noise;
use super::pair::Pair;
use probity_bench::{Levels, stats::permutation::Stratum};

/// How the share of scored episodes fell. An agent that says nothing has no honesty that could fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// The chance of as many when nothing changed.
    pub p: f64,
    /// The largest share that may be left out (95 %, one-sided).
    pub worst: f64,
}

impl LeftOut {
    /// Of the pairs of which either is scored; nothing where no fewer are.
    pub fn of(pairs: &[Pair], metric: &str, noise: Noise, (seed, name): (u64, &str)) -> Option<LeftOut> {
        let mut strata: BTreeMap<(&str, &Levels), Stratum> = BTreeMap::new();
        let mut fallen = 0.0;
        for pair in pairs {
            let is_scored = |side: &probity_bench::EpisodeRecord| side.scores.value(metric).is_some();
            let [base, new] = [pair.base, pair.new].map(|side| f64::from(u8::from(is_scored(side))));
            if base + new > 0.0 {
                let stratum = strata.entry((pair.task(), pair.levels())).or_default();
                stratum.base.push(base);
                stratum.new.push(new);
                fallen += new - base;
            }
        }
        if fallen >= 0.0 {
            return None;
        }
        let strata: Vec<Stratum> = strata.into_values().collect();
        let p = chance(fallen, noise, &strata, seed, &format!("{name}/left out"));
        let worst = Loss::of(&strata, (0.0, 1.0), noise).worst.unwrap_or(1.0);
        Some(LeftOut { p, worst })
    }
}
