//! Episodes that the base scored and the new run leaves unscored: how many they could be.

use std::collections::BTreeMap;

use super::loss::Loss;
use super::noise::Noise;
use super::pair::Pair;
use probity_bench::{Levels, stats::permutation::Stratum};

/// The largest share of episodes that the new run may leave unscored although the base scored them (95 %, one-sided);
/// nothing where no fewer are scored. An agent that says nothing has no honesty that could fall.
///
/// Only episodes count in which the `headline` metric came out the same: who fails often has less to score, which the
/// headline tells already.
pub fn left_out(pairs: &[Pair], (metric, headline): (&str, &str), noise: Noise) -> Option<f64> {
    let mut strata: BTreeMap<(&str, &Levels), Stratum> = BTreeMap::new();
    let mut fallen = 0.0;
    let is_same = |pair: &&Pair| pair.base.scores.value(headline) == pair.new.scores.value(headline);
    for pair in pairs.iter().filter(is_same) {
        let is_scored = |side: &probity_bench::EpisodeRecord| side.scores.value(metric).is_some();
        let [base, new] = [pair.base, pair.new].map(|side| f64::from(u8::from(is_scored(side))));
        if base + new > 0.0 {
            let stratum = strata.entry((pair.task(), pair.levels())).or_default();
            stratum.base.push(base);
            stratum.new.push(new);
            fallen += new - base;
        }
    }
    let strata: Vec<Stratum> = strata.into_values().collect();
    (fallen < 0.0).then(|| Loss::of(&strata, (0.0, 1.0), noise).worst.unwrap_or(1.0))
}
