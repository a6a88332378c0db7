//! pass@k, pass^k and the plug-in power.

use super::ratio::Ratio;
use super::refusal::MeasureRefusal;

/// The chance that at least one of `k` trials, drawn without replacement, succeeded: 1 - C(n-c, k) / C(n, k).
/// An error: when there are fewer than `k` trials, or more successes than trials.
pub fn pass_at_k(trials: u64, successes: u64, k: u64) -> Result<f64, MeasureRefusal> {
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
pub fn pass_hat_k(trials: u64, successes: u64, k: u64) -> Result<Option<f64>, MeasureRefusal> {
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
pub fn pass_pow_k(tasks: u64, successes: u64, k: u64) -> Result<f64, MeasureRefusal> {
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
