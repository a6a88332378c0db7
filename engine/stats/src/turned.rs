//! Instances that turn round whole: all trials of one run succeed and none of the other's. How often chance does that
//! to an agent that did not change.

/// The chance that of `near` instances at least `lost` turn round whole, where both runs played each of them `trials`
/// times and solved it about as often as not: in `trials` of all outcomes, or one more or less.
///
/// Of such an instance an agent that did not change makes a whole loss at most as often as a coin does: one deal of the
/// `C(2n, n) + 2 C(2n, n - 1)` that bring it there. So this is no less than the chance, whatever each instance is like.
pub fn chance(lost: usize, near: usize, trials: usize) -> f64 {
    let share = 1.0 / (choose(2 * trials, trials) + 2.0 * choose(2 * trials, trials.saturating_sub(1)));
    1.0 - below(lost, near.max(lost), share)
}

/// The chance of fewer than `count` hits in `n` tries.
#[expect(clippy::cast_precision_loss, reason = "instances of a run are at most a million")]
fn below(count: usize, n: usize, share: f64) -> f64 {
    let mut term = (1.0 - share).powf(n as f64);
    let mut sum = 0.0;
    for hits in 0..count {
        sum += term;
        term *= (n - hits) as f64 / (hits + 1) as f64 * share / (1.0 - share);
    }
    sum
}

#[expect(clippy::cast_precision_loss, reason = "trials are at most 10 000")]
fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|at| (n - at) as f64 / (at + 1) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::Stream;

    #[test]
    fn one_loss_is_rarer_with_more_trials() {
        assert!((chance(1, 1, 2) - 1.0 / 14.0).abs() < 1e-12);
        assert!((chance(1, 1, 3) - 1.0 / 50.0).abs() < 1e-12);
        assert!((chance(2, 2, 2) - 1.0 / 196.0).abs() < 1e-12);
        assert!(chance(1, 10, 3) > chance(1, 2, 3) && chance(3, 10, 3) < chance(1, 10, 3));
        assert!((chance(0, 5, 3) - 1.0).abs() < 1e-12);
        assert!(chance(1, 1, 200) < 1e-50 && chance(1, 100_000, 2) <= 1.0);
    }

    /// Agents that do not change, of any skill: what the bound calls rare is as rare as that.
    #[test]
    fn it_is_never_below_what_coins_do() {
        for (percent, trials, instances) in [(50, 2, 12), (50, 3, 40), (70, 3, 60), (90, 3, 200), (80, 2, 60)] {
            let mut coin = Stream::new(7, "turned", "coins");
            let mut alarms = 0;
            for _ in 0..2000 {
                let mut passes = || (0..trials).filter(|_| coin.chance(percent, 100)).count();
                let all: Vec<(usize, usize)> = (0..instances).map(|_| (passes(), passes())).collect();
                let lost = all.iter().filter(|(base, new)| *base == trials && *new == 0).count();
                let near = all.iter().filter(|(base, new)| (base + new).abs_diff(trials) <= 1).count();
                alarms += usize::from(lost > 0 && chance(lost, near, trials) < 0.025);
            }
            assert!(alarms <= 65, "{percent} {trials} {instances}: {alarms} of 2000");
        }
    }
}
