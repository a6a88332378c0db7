//! pass@k and pass^k against drawing every set of trials.

use probity_mm_tau::measures::{MeasureRefusal, pass_at_k, pass_hat_k, pass_pow_k};
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
    fn of_one_trial_all_forms_are_the_share(n in 1_u64..1_000_000, c in 0_u64..1_000_000) {
        prop_assume!(c <= n);
        let share = c as f64 / n as f64;
        prop_assert_eq!(pass_hat_k(n, c, 1), Ok(Some(share)));
        prop_assert!((pass_at_k(n, c, 1).unwrap() - share).abs() < 1e-15);
        prop_assert_eq!(pass_pow_k(n, c, 1), Ok(share));
    }

    #[test]
    fn many_trials_stay_in_bounds(n in 1_u64..5_000, c in 0_u64..5_000, k in 0_u64..5_000) {
        prop_assume!(c <= n && k <= n);
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
