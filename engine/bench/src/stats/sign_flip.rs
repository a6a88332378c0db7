//! Paired differences without any assumption of their shape: each sign could as well have been the other.

use probity_engine::Stream;

/// Most differences that are flipped in all ways; above that, ways are drawn.
const EXACT: usize = 14;
/// How many ways are drawn.
const DRAWS: u32 = 10_000;

/// The chance that differences of these sizes add up to as little as they do, were every sign a coin flip.
/// Differences of 0 say nothing either way. One-sided: small when there is a drop.
pub fn drop(differences: &[f64], seed: u64, name: &str) -> f64 {
    let moved: Vec<f64> = differences.iter().copied().filter(|difference| difference.abs() > 1e-12).collect();
    let sum: f64 = moved.iter().sum();
    let is_as_low = |flipped: f64| flipped <= sum + 1e-12;
    if moved.len() <= EXACT {
        let ways = 1_u32 << moved.len();
        let low = (0..ways).filter(|way| is_as_low(flipped(&moved, |at| way >> at & 1 == 1))).count();
        #[expect(clippy::cast_precision_loss, reason = "at most 2^14 ways")]
        return low as f64 / f64::from(ways);
    }
    let mut stream = Stream::new(seed, "sign_flip", name);
    let low = (0..DRAWS).filter(|_| is_as_low(flipped(&moved, |_| stream.chance(1, 2)))).count();
    // The way that was observed is one of them.
    #[expect(clippy::cast_precision_loss, reason = "at most 10 000 ways")]
    let share = (low + 1) as f64 / f64::from(DRAWS + 1);
    share
}

fn flipped(moved: &[f64], mut is_flipped: impl FnMut(usize) -> bool) -> f64 {
    moved.iter().enumerate().map(|(at, difference)| if is_flipped(at) { -difference } else { *difference }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_are_counted() {
        assert!((drop(&[-1.0, -1.0, -1.0], 0, "x") - 0.125).abs() < 1e-12);
        assert!((drop(&[-1.0, 0.0, 1.0], 0, "x") - 0.75).abs() < 1e-12);
        assert!((drop(&[], 0, "x") - 1.0).abs() < 1e-12);
        assert!((drop(&[1.0; 4], 0, "x") - 1.0).abs() < 1e-12);
    }

    #[test]
    fn drawn_ways_come_near_all_ways() {
        let drops = [-1.0; 20];
        assert!(drop(&drops, 0, "x") < 0.001);
        let even: Vec<f64> = (0..30).map(|at| if at % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert!((drop(&even, 0, "x") - 0.57).abs() < 0.05);
    }
}
