//! Instances that turned round whole: every trial of the base succeeds and none of the new run's.

use super::instance::Instance;
use probity_bench::{Card, stats::turned};

/// What the trials of all instances say of those that are lost whole.
pub struct Turned<'i, 'a> {
    pub lost: Vec<&'i Instance<'a>>,
    /// Instances that both runs together solve about as often as not, the lost ones among them.
    pub near: usize,
    /// Whether the trials of every instance agree within each run, so that nothing looks like chance.
    pub is_steady: bool,
    /// The chance of so many lost ones when nothing changed, at most.
    pub p: f64,
}

impl<'i, 'a> Turned<'i, 'a> {
    /// Counts them where both runs have at least so many trials.
    pub fn of(card: &Card, instances: &'i [Instance<'a>], least: usize) -> Turned<'i, 'a> {
        let mut turned = Turned { lost: Vec::new(), near: 0, is_steady: true, p: 1.0 };
        let mut fewest = usize::MAX;
        for instance in instances.iter().filter(|_| card.has_verdicts()) {
            let (base, new) = instance.trials(card);
            if base.n + new.n == 0 {
                continue;
            }
            let is_lost = base.all_succeed() && new.all_fail() && base.n >= least && new.n >= least;
            let agrees = [base, new].into_iter().all(|side| side.n < 2 || side.all_succeed() || side.all_fail());
            let both = base.successes + new.successes;
            turned.is_steady &= agrees;
            turned.near += usize::from(is_lost || (2 * both).abs_diff(base.n + new.n) <= 2);
            if is_lost {
                fewest = fewest.min(base.n).min(new.n);
                turned.lost.push(instance);
            }
        }
        if !turned.lost.is_empty() {
            turned.p = turned::chance(turned.lost.len(), turned.near, fewest);
        }
        turned
    }
}
