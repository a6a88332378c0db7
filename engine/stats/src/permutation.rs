//! Whether two runs of one agent differ by chance alone. If they do, then within an instance each outcome could as
//! well have been the other run's: the chance of a drop is the share of such swaps that fall as far.

use probity_engine::Stream;
use rand::seq::SliceRandom as _;

/// Most instances with one trial whose swaps are counted one by one; above that, and with trials, swaps are drawn.
const EXACT: usize = 14;
const DRAWS: u32 = 10_000;
/// Swaps after which a drop that none of them reached is called as rare as it looks.
const RARE: u32 = 2_000;
/// The least chance that is told where swaps are drawn.
pub const LEAST: f64 = 1.0 / (RARE as f64 + 1.0);
/// Swaps that fall as far, after which the chance is known well enough (Besag and Clifford 1991).
const ENOUGH: u32 = 200;
/// Sums that differ by less are the same.
const SAME: f64 = 1e-12;

/// The outcomes of one instance, as many of the base as of the new run.
#[derive(Clone, Debug, Default)]
pub struct Stratum {
    /// Those of the base.
    pub base: Vec<f64>,
    /// Those of the new run.
    pub new: Vec<f64>,
}

impl Stratum {
    fn change(&self) -> f64 {
        self.new.iter().sum::<f64>() - self.base.iter().sum::<f64>()
    }

    fn all(&self) -> Vec<f64> {
        self.base.iter().chain(&self.new).copied().collect()
    }

    /// Whether a swap can change anything.
    fn is_mixed(&self) -> bool {
        let all = self.all();
        all.iter().any(|value| all.first().is_some_and(|first| (value - first).abs() > SAME))
    }
}

/// The chance that outcomes of one agent fall by as much as these do, were it chance alone which run they are in.
/// One-sided: small when there is a drop, 1 where there is none.
pub fn drop(strata: &[Stratum], seed: u64, name: &str) -> f64 {
    let fallen: f64 = strata.iter().map(Stratum::change).sum();
    if fallen >= -SAME {
        return 1.0;
    }
    let mixed: Vec<&Stratum> = strata.iter().filter(|stratum| stratum.is_mixed()).collect();
    let is_as_low = |swapped: f64| swapped <= fallen + SAME;
    if mixed.len() <= EXACT && mixed.iter().all(|stratum| stratum.new.len() == 1) {
        let ways = 1_u32 << mixed.len();
        let swapped = |way: u32| -> f64 {
            let sign = |at: usize| if way >> at & 1 == 1 { -1.0 } else { 1.0 };
            mixed.iter().enumerate().map(|(at, stratum)| sign(at) * stratum.change()).sum()
        };
        #[expect(clippy::cast_precision_loss, reason = "at most 2^14 ways")]
        let low = (0..ways).filter(|way| is_as_low(swapped(*way))).count() as f64;
        return low / f64::from(ways);
    }
    let mut stream = Stream::new(seed, "permutation", name);
    let mut pools: Vec<(Vec<f64>, usize)> = mixed.iter().map(|stratum| (stratum.all(), stratum.base.len())).collect();
    let (mut low, mut drawn) = (0, 0);
    while drawn < DRAWS && low < ENOUGH && (drawn < RARE || low > 0) {
        low += u32::from(is_as_low(pools.iter_mut().map(|pool| swap(pool, &mut stream)).sum()));
        drawn += 1;
    }
    // The way that was observed is one of them.
    f64::from(low + 1) / f64::from(drawn + 1)
}

/// The change of an instance whose outcomes were dealt to both runs anew.
fn swap((values, of_base): &mut (Vec<f64>, usize), stream: &mut Stream) -> f64 {
    values.shuffle(stream.generator());
    values.iter().skip(*of_base).sum::<f64>() - values.iter().take(*of_base).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(changes: &[(f64, f64)]) -> Vec<Stratum> {
        changes.iter().map(|(base, new)| Stratum { base: vec![*base], new: vec![*new] }).collect()
    }

    #[test]
    fn single_trials_are_flips_of_a_coin() {
        assert!((drop(&single(&[(1.0, 0.0); 3]), 0, "x") - 0.125).abs() < 1e-12);
        assert!((drop(&single(&[(1.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]), 0, "x") - 0.5).abs() < 1e-12);
        assert!((drop(&[], 0, "x") - 1.0).abs() < 1e-12);
        assert!((drop(&single(&[(0.0, 1.0); 4]), 0, "x") - 1.0).abs() < 1e-12, "no drop is no drop");
    }

    #[test]
    fn drawn_swaps_come_near_counted_ones() {
        assert!(drop(&single(&[(1.0, 0.0); 20]), 0, "x") < 0.001);
        // 18 fell and 12 rose: 0.1808 of the 2^30 ways fall as far.
        let mixed: Vec<(f64, f64)> = (0..30).map(|at| if at < 18 { (1.0, 0.0) } else { (0.0, 1.0) }).collect();
        assert!((drop(&single(&mixed), 0, "x") - 0.1808).abs() < 0.04);
    }

    #[test]
    fn trials_of_one_instance_tell_more_than_their_flips() {
        // Three of three against none of three: one of the 20 ways to deal three of six.
        let stratum = Stratum { base: vec![1.0; 3], new: vec![0.0; 3] };
        assert!((drop(&[stratum], 0, "x") - 0.05).abs() < 0.01);
    }
}
