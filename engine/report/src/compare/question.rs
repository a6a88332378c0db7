//! Questions that are asked at once: whether each of some differences is a drop that chance does not make.

use super::difference::Difference;
use probity_bench::stats::{holm, permutation::Chance};

/// The chance of a drop with the number of questions accounted for: what decides, and all that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    pub p: f64,
    /// The least and the greatest that it may be, where swaps were drawn.
    pub bounds: (f64, f64),
}

/// The corrected chances of differences, by Holm; nothing for one that has no numbers.
pub fn decide(asked: &[&Difference], seed: u64) -> Vec<Option<Decided>> {
    let chances: Vec<Option<Chance>> = asked.iter().map(|difference| difference.chance(seed)).collect();
    let tested = |of: fn(Chance) -> f64| holm::adjust(&chances.iter().flatten().copied().map(of).collect::<Vec<_>>());
    let all = [tested(|chance| chance.p), tested(|chance| chance.bounds().0), tested(|chance| chance.bounds().1)];
    let mut all = all.map(Vec::into_iter);
    chances
        .iter()
        .map(|chance| {
            chance.as_ref()?;
            let [p, low, high] = all.each_mut().map(Iterator::next);
            Some(Decided { p: p?, bounds: (low?, high?) })
        })
        .collect()
}

impl Decided {
    /// Whether it is below a level whatever is drawn.
    pub fn is_below(self, level: f64) -> bool {
        self.bounds.1 < level
    }

    /// Whether other draws could put it on the other side of a level.
    pub fn is_near(self, level: f64) -> bool {
        let (low, high) = self.bounds;
        low < level && level <= high
    }
}
