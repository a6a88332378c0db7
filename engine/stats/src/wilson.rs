//! The interval of a share: Wilson's, which stays within 0 and 1 and says something of 0 of 20 too.

use super::bootstrap::Interval;

/// Two standard errors, for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval of `count` of `total`; nothing of nothing.
#[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million")]
pub fn interval(count: usize, total: usize) -> Option<Interval> {
    if total == 0 || count > total {
        return None;
    }
    let (n, share) = (total as f64, count as f64 / total as f64);
    let scale = 1.0 + Z * Z / n;
    let center = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    let low = if count == 0 { 0.0 } else { (center - half).max(0.0) };
    let high = if count == total { 1.0 } else { (center + half).min(1.0) };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn published_examples() {
        // Newcombe's four (1998), by the method without continuity correction.
        for (count, total, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = interval(count, total).unwrap();
            assert!((found.0 - low).abs() < 5e-5 && (found.1 - high).abs() < 5e-5, "{count}/{total}: {found:?}");
        }
        assert_eq!(interval(0, 0), None);
        assert_eq!(interval(2, 1), None);
        assert_eq!(interval(20, 20).unwrap().1, 1.0);
    }

    /// The least share that is not refused at two standard errors of its own, by bisection.
    fn naive_low(share: f64, n: f64) -> f64 {
        let is_refused = |p: f64| share - p > Z * (p * (1.0 - p) / n).sqrt();
        let (mut low, mut high) = (0.0, share);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if is_refused(middle) { low = middle } else { high = middle }
        }
        high
    }

    proptest! {
        #[test]
        fn its_ends_are_where_the_test_turns(total in 1_usize..300, part in 0_usize..300) {
            let count = part % (total + 1);
            let (low, high) = interval(count, total).unwrap();
            let share = count as f64 / total as f64;
            prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
            prop_assert!((low - naive_low(share, total as f64)).abs() < 1e-9);
            prop_assert!((high - (1.0 - naive_low(1.0 - share, total as f64))).abs() < 1e-9);
        }
    }
}
