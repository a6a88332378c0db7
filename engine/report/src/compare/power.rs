//! What so many pairs of episodes can find: the one rule behind what a gate says it could not have found, and how many
//! trials a plan asks for.

use probity_bench::stats::{normal, permutation};

/// Pairs of episodes in one metric, and how much chance there is in the sum of their changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Power {
    /// Pairs of episodes.
    pub pairs: f64,
    /// Trials of each instance in either run, at least.
    pub trials: usize,
    /// The width of the metric's range; 0 where it has none.
    pub width: f64,
    /// The variance of the sum, were the outcomes of each instance dealt to both runs anew: what p is reckoned by.
    pub dealt: f64,
    /// The variance of the sum, were both runs played again.
    pub played: f64,
}

impl Power {
    /// The smallest drop of the mean that a question with so much of the level to itself finds four times out of five: so
    /// many errors, and at least as many outcomes as must fall for chance to be rare enough.
    pub fn smallest(&self, share: f64) -> f64 {
        let by_error = normal::upper(share) * self.dealt.sqrt() + normal::POWER * self.played.sqrt();
        by_error.max(self.width * permutation::fewest(self.trials, share)) / self.pairs
    }
}
