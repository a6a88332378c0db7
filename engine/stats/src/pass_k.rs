//! pass@k and pass^k from repeated trials, without bias.
//!
//! Of `n` trials `c` passed. Drawing `k` of them without putting any back, pass@k is the chance that one passes,
//! pass^k the chance that all do. Estimating pass^k by `(c / n)^k` is biased upwards.

/// The chance that at least one of `k` trials passes; nothing when there are fewer than `k`.
pub fn pass_at(n: usize, c: usize, k: usize) -> Option<f64> {
    (k >= 1 && k <= n && c <= n).then(|| 1.0 - all_of(n, n - c, k))
}

/// The chance that all of `k` trials pass; nothing when there are fewer than `k`.
pub fn pass_hat(n: usize, c: usize, k: usize) -> Option<f64> {
    (k >= 1 && k <= n && c <= n).then(|| all_of(n, c, k))
}

/// `C(c, k) / C(n, k)`, factor by factor so that nothing overflows.
#[expect(clippy::cast_precision_loss, reason = "trials are at most 10 000")]
fn all_of(n: usize, c: usize, k: usize) -> f64 {
    (0..k).map(|i| c.saturating_sub(i) as f64 / (n - i) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to draw `k` of `n` trials, the first `c` of which passed.
    fn naive(n: usize, c: usize, k: usize) -> (f64, f64) {
        let (mut any, mut all, mut draws) = (0.0, 0.0, 0.0);
        for drawn in 0_u32..1 << n {
            if drawn.count_ones() as usize == k {
                draws += 1.0;
                let passed = (drawn & ((1 << c) - 1)).count_ones() as usize;
                any += f64::from(u8::from(passed > 0));
                all += f64::from(u8::from(passed == k));
            }
        }
        (any / draws, all / draws)
    }

    #[test]
    fn they_are_the_shares_of_all_draws() {
        for n in 1..=8 {
            for c in 0..=n {
                for k in 1..=n {
                    let (any, all) = naive(n, c, k);
                    assert!((pass_at(n, c, k).unwrap() - any).abs() < 1e-12, "{n} {c} {k}");
                    assert!((pass_hat(n, c, k).unwrap() - all).abs() < 1e-12, "{n} {c} {k}");
                }
            }
        }
    }

    #[test]
    fn more_than_there_are_cannot_be_drawn() {
        assert_eq!(pass_at(3, 1, 4), None);
        assert_eq!(pass_hat(3, 1, 0), None);
        assert_eq!(pass_hat(0, 0, 1), None);
    }
}
