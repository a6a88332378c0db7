//! Whether two runs of one agent differ by chance alone. If they do, then within an instance each outcome could as
//! well have been the other run's: the chance of a drop is the share of such swaps that fall as far.

use probity_engine::Stream;
use rand::seq::SliceRandom as _;

use super::swaps::{Swaps, exact};

/// How many swaps are drawn where they cannot be counted.
const DRAWS: u32 = 20_000;
/// The least chance that is told where swaps are drawn.
pub const LEAST: f64 = 1.0 / (DRAWS as f64 + 1.0);
/// Standard errors of a drawn chance that no other seed's draws leave: once in thirty thousand times on either side.
const SURE: f64 = 4.0;
/// Values are told apart to so many parts of one.
const PARTS: f64 = 1e9;

/// The outcomes of one instance, of the base and of the new run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stratum {
    /// Those of the base.
    pub base: Vec<f64>,
    /// Those of the new run.
    pub new: Vec<f64>,
}

/// The chance of a drop, and how far other draws might be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The chance.
    pub p: f64,
    /// How far off it may be, on either side: 0 where every swap was counted.
    pub error: f64,
}

impl Chance {
    /// A chance that is known.
    pub fn sure(p: f64) -> Chance {
        Chance { p, error: 0.0 }
    }

    /// The least and the greatest that it may be.
    pub fn bounds(self) -> (f64, f64) {
        ((self.p - self.error).max(0.0), (self.p + self.error).min(1.0))
    }
}

impl Stratum {
    /// All values in whole parts, the base's first; what is beyond the most is cut there.
    fn parts(&self, most: f64) -> Vec<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "it is cut before")]
        let part = |value: &f64| (value * PARTS).round().clamp(-most, most) as i64;
        self.base.iter().chain(&self.new).map(part).collect()
    }

    /// The variance of the sum of its changes, were its outcomes dealt to both runs anew.
    #[expect(clippy::cast_precision_loss, reason = "trials of an instance are few")]
    pub fn variance(&self) -> f64 {
        let all: Vec<f64> = self.base.iter().chain(&self.new).copied().collect();
        let (of_base, of_new, n) = (self.base.len() as f64, self.new.len() as f64, all.len() as f64);
        // The sum of the new ones varies as that of draws without putting back; the change is twice that and a constant.
        super::moments::variance(&all).map_or(0.0, |variance| 4.0 * variance * of_base * of_new / n)
    }
}

/// The chance that outcomes of one agent fall by as much as these do, were it chance alone which run they are in.
/// One-sided: small when there is a drop, 1 where there is none.
///
/// Every swap is counted where the sums that they can come to are few enough, as they always are for shares of zeros
/// and ones; else a fixed number is drawn by the seed, and the error says how far other draws may be from these. The
/// same outcomes have the same chance under whatever name they are asked about.
pub fn drop(strata: &[Stratum], seed: u64) -> Chance {
    let most = most_parts(strata);
    let pools: Vec<Pool> = strata.iter().map(|one| Pool::of(one, most)).filter(Pool::is_mixed).collect();
    let fallen: i64 = pools.iter().map(Pool::change).sum();
    // Rounded values may add up to a little more or less than the same sum of others.
    let slack = pools.iter().map(|pool| pool.values.len()).sum::<usize>();
    let limit = fallen.saturating_add(i64::try_from(slack).unwrap_or(i64::MAX));
    if limit >= 0 {
        return Chance::sure(1.0);
    }
    let swaps: Option<Vec<Swaps>> = pools.iter().map(|pool| Swaps::of(&pool.values, pool.of_base)).collect();
    match swaps.as_deref().and_then(|swaps| exact(swaps, limit)) {
        Some(p) => Chance::sure(p),
        None => drawn(pools, limit, seed),
    }
}

/// Outcomes that must fall, and none rise, for the chance to be below a level, where an instance has so many trials:
/// those that fall in one instance are rarer than as many in several, so one after another falls whole.
#[expect(clippy::cast_precision_loss, reason = "trials are at most 10 000")]
pub fn fewest(trials: usize, level: f64) -> f64 {
    let (mut fallen, mut chance) = (0_usize, 1.0);
    // A chance that is the level but for an error of floats is not below it.
    while chance > level * (1.0 - 1e-9) && trials > 0 {
        // Of the outcomes of this instance that are still good, so many are the new run's.
        let gone = fallen % trials;
        chance *= (trials - gone) as f64 / (2 * trials - gone) as f64;
        fallen += 1;
    }
    fallen as f64
}

fn drawn(mut pools: Vec<Pool>, limit: i64, seed: u64) -> Chance {
    let mut stream = Stream::new(seed, "permutation", "swaps");
    let mut low = 0_u32;
    for _ in 0..DRAWS {
        low += u32::from(pools.iter_mut().map(|pool| pool.dealt(&mut stream)).sum::<i64>() <= limit);
    }
    // The way that was observed is one of them.
    let n = f64::from(DRAWS) + 1.0;
    let p = (f64::from(low) + 1.0) / n;
    Chance { p, error: SURE * (p * (1.0 - p).max(0.0) / n).sqrt() }
}

/// The greatest value, in parts, of which so many can be added up and taken away without an overflow.
#[expect(clippy::cast_precision_loss, reason = "an eighth of what there is room for is far from its end")]
fn most_parts(strata: &[Stratum]) -> f64 {
    let values: usize = strata.iter().map(|one| one.base.len() + one.new.len()).sum();
    (i64::MAX / 8) as f64 / values.max(1) as f64
}

/// The outcomes of an instance, in whole parts.
struct Pool {
    /// The base's first.
    values: Vec<i64>,
    of_base: usize,
}

impl Pool {
    fn of(stratum: &Stratum, most: f64) -> Pool {
        Pool { values: stratum.parts(most), of_base: stratum.base.len() }
    }

    /// Whether a swap can change anything; runs of different sizes differ by how much is in them alone.
    fn is_mixed(&self) -> bool {
        let is_uneven = self.of_base * 2 != self.values.len();
        is_uneven || self.values.iter().any(|value| self.values.first() != Some(value))
    }

    fn change(&self) -> i64 {
        let (base, new) = self.values.split_at(self.of_base.min(self.values.len()));
        new.iter().sum::<i64>() - base.iter().sum::<i64>()
    }

    /// The change of outcomes that were dealt to both runs anew.
    fn dealt(&mut self, stream: &mut Stream) -> i64 {
        self.values.shuffle(stream.generator());
        self.change()
    }
}

#[cfg(test)]
#[path = "permutation_tests.rs"]
mod tests;
