//! pass@k, pass^k and the plug-in power.

use probity_mm_tau::measures::{MeasureRefusal, Ratio};

/// The chance that at least one of `k` trials, drawn without replacement, succeeded: 1 - C(n-c, k) / C(n, k).
/// An error: when there are fewer than `k` trials, or more successes than trials.
pub(super) fn pass_at_k(trials: u64, successes: u64, k: u64) -> Result<f64, MeasureRefusal> {
    let failures = trials.checked_sub(successes).ok_or(MeasureRefusal::TooManySuccesses { successes, trials })?;
    if trials < k {
        return Err(MeasureRefusal::TooFewTrials { trials, k });
    }
    Ok(match exact_draw(trials, failures, k) {
        Some((none, all)) => (all - none) as f64 / all as f64,
        None => 1.0 - rounded_draw(trials, failures, k),
    })
}

/// The chance that all of `k` trials, drawn without replacement, succeeded: C(c, k) / C(n, k), the unbiased pass^k of a
/// task. Nothing where there are fewer than `k` trials.
/// An error: when there are more successes than trials.
pub(super) fn pass_hat_k(trials: u64, successes: u64, k: u64) -> Result<Option<f64>, MeasureRefusal> {
    if successes > trials {
        return Err(MeasureRefusal::TooManySuccesses { successes, trials });
    }
    Ok((k <= trials).then(|| match exact_draw(trials, successes, k) {
        Some((some, all)) => some as f64 / all as f64,
        None => rounded_draw(trials, successes, k),
    }))
}

/// (c/n)^k, the form that MM-tau-p2's own program prints: biased for k > 1, and above 1 where the judge counted more
/// successes than tasks.
/// An error: when there is no task.
pub(super) fn pass_pow_k(tasks: u64, successes: u64, k: u64) -> Result<f64, MeasureRefusal> {
    let share = Ratio::new(successes, tasks).value().ok_or(MeasureRefusal::NoTasks)?;
    Ok(share.powf(k as f64))
}

/// C(c, k) / C(n, k) as factors (dividend, divisor), from whichever of its two products is shorter. Needs c, k <= n.
fn factors(n: u64, c: u64, k: u64) -> impl Iterator<Item = (u64, u64)> {
    let (count, top) = if k <= n - c { (k, c) } else { (n - c, n - k) };
    (0..count).map(move |i| (top.saturating_sub(i), n - i))
}

/// The fraction itself, in lowest terms, while it fits.
fn exact_draw(n: u64, c: u64, k: u64) -> Option<(u128, u128)> {
    // Fewer successes than are drawn: a factor is zero, however many there are.
    if k > c {
        return Some((0, 1));
    }
    factors(n, c, k).try_fold((1_u128, 1_u128), |(part, whole), (up, down)| {
        let (part, whole) = (part.checked_mul(up.into())?, whole.checked_mul(down.into())?);
        let shared = divisor(part, whole);
        Some((part / shared, whole / shared))
    })
}

/// The fraction rounded factor by factor, for trials in numbers that no run has.
fn rounded_draw(n: u64, c: u64, k: u64) -> f64 {
    let product = factors(n, c, k).try_fold(1.0_f64, |product, (up, down)| {
        let next = product * (up as f64 / down as f64);
        if next > 0.0 { Ok(next) } else { Err(()) }
    });
    product.unwrap_or(0.0)
}

/// The greatest common divisor of a number and one above zero.
fn divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sets of `k` among `n` trials of which the first `c` succeeded: (all, without a failure, without a success).
    fn draws(n: u64, c: u64, k: u64) -> (u64, u64, u64) {
        let successes = (1_u64 << c) - 1;
        let sets = (0_u64..1 << n).filter(|set| u64::from(set.count_ones()) == k);
        sets.fold((0, 0, 0), |(all, passed, failed), set| {
            (all + 1, passed + u64::from(set & !successes == 0), failed + u64::from(set & successes == 0))
        })
    }

    proptest! {
        #[test]
        fn every_draw_is_counted(n in 0_u64..=10, c in 0_u64..=11, k in 0_u64..=11) {
            let (at, hat) = (pass_at_k(n, c, k), pass_hat_k(n, c, k));
            if c > n {
                prop_assert!(at.is_err() && hat.is_err());
            } else if k > n {
                prop_assert_eq!(at, Err(MeasureRefusal::TooFewTrials { trials: n, k }));
                prop_assert_eq!(hat, Ok(None));
            } else {
                let (all, passed, failed) = draws(n, c, k);
                prop_assert!((at.unwrap() - (all - failed) as f64 / all as f64).abs() < 1e-15);
                prop_assert!((hat.unwrap().unwrap() - passed as f64 / all as f64).abs() < 1e-15);
            }
        }

        #[test]
        fn of_one_trial_all_forms_are_the_share((n, c) in (1_u64..1_000_000).prop_flat_map(|n| (Just(n), 0..=n))) {
            let share = c as f64 / n as f64;
            prop_assert_eq!(pass_hat_k(n, c, 1), Ok(Some(share)));
            prop_assert!((pass_at_k(n, c, 1).unwrap() - share).abs() < 1e-15);
            prop_assert_eq!(pass_pow_k(n, c, 1), Ok(share));
        }

        #[test]
        fn many_trials_stay_in_bounds((n, c, k) in (1_u64..5_000).prop_flat_map(|n| (Just(n), 0..=n, 0..=n))) {
            let (at, hat) = (pass_at_k(n, c, k).unwrap(), pass_hat_k(n, c, k).unwrap().unwrap());
            prop_assert!((0.0..=1.0).contains(&at) && (0.0..=1.0).contains(&hat));
            // All of k succeed among c exactly when none of k fails among n - c.
            prop_assert!((hat + pass_at_k(n, n - c, k).unwrap() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_plug_in_form_keeps_what_the_peer_prints() {
        assert_eq!(pass_pow_k(1, 2, 5), Ok(32.0));
        assert_eq!(pass_pow_k(0, 0, 1), Err(MeasureRefusal::NoTasks));
    }
}
