//! Agreement of two raters beyond chance: Cohen's kappa, plain and with quadratic weights.

/// Why a coefficient of agreement has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// Nothing was graded twice.
    NoPairs,
    /// Every grade is the same one, so that chance alone would agree as well.
    NoVariance,
    /// It compares two raters, and there are more or fewer.
    NotTwo,
}

/// How much two grades differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Every difference counts the same: Cohen's kappa.
    Nominal,
    /// A difference counts by its square: weighted kappa.
    Quadratic,
}

impl Weights {
    fn disagreement(self, left: u8, right: u8) -> u64 {
        match self {
            Weights::Nominal => u64::from(left != right),
            Weights::Quadratic => u64::from(left.abs_diff(right)).pow(2),
        }
    }
}

/// `1 - observed / expected disagreement` of two raters over what both graded.
///
/// # Errors
/// It has no value: there is nothing, or both gave one and the same grade throughout.
pub fn kappa(pairs: &[(u8, u8)], weights: Weights) -> Result<f64, Undefined> {
    if pairs.is_empty() {
        return Err(Undefined::NoPairs);
    }
    let observed: u64 = pairs.iter().map(|(left, right)| weights.disagreement(*left, *right)).sum();
    let (lefts, rights) = (counts(pairs.iter().map(|pair| pair.0)), counts(pairs.iter().map(|pair| pair.1)));
    let expected: u64 = lefts
        .iter()
        .flat_map(|left| rights.iter().map(move |right| (left, right)))
        .map(|((left, n), (right, m))| weights.disagreement(*left, *right) * n * m)
        .sum();
    if expected == 0 {
        return Err(Undefined::NoVariance);
    }
    #[expect(clippy::cast_precision_loss, reason = "episodes of a run are at most a million, grades below 256")]
    let ratio = observed as f64 * pairs.len() as f64 / expected as f64;
    Ok(1.0 - ratio)
}

fn counts(grades: impl Iterator<Item = u8>) -> std::collections::BTreeMap<u8, u64> {
    let mut counts = std::collections::BTreeMap::new();
    grades.for_each(|grade| *counts.entry(grade).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(left: Result<f64, Undefined>, right: f64) -> bool {
        left.is_ok_and(|left| (left - right).abs() < 1e-12)
    }

    /// So many pairs of each kind.
    fn table(cells: &[(u8, u8, usize)]) -> Vec<(u8, u8)> {
        cells.iter().flat_map(|(left, right, n)| std::iter::repeat_n((*left, *right), *n)).collect()
    }

    #[test]
    fn two_readers_of_fifty_proposals() {
        // 35 of 50 equal, 25 by chance: (0.7 - 0.5) / (1 - 0.5).
        let pairs = table(&[(1, 1, 20), (1, 0, 5), (0, 1, 10), (0, 0, 15)]);
        assert!(close(kappa(&pairs, Weights::Nominal), 0.4));
        // With two grades every difference is 1, so the weights change nothing.
        assert!(close(kappa(&pairs, Weights::Quadratic), 0.4));
    }

    #[test]
    fn far_grades_weigh_more() {
        // Left 0 1 2, right 0 1 0. Plain: 1 of 3 differs, by chance 2/3: 1 - (1/3) / (2/3).
        let pairs = [(0, 0), (1, 1), (2, 0)];
        assert!(close(kappa(&pairs, Weights::Nominal), 0.5));
        // Squares: 4/3 seen; by chance (0+1+4) * 2 + (1+0+1) * 1 = 12 over 9: 1 - (4/3) / (12/9).
        assert!(close(kappa(&pairs, Weights::Quadratic), 0.0));
        assert!(close(kappa(&[(0, 3), (3, 0)], Weights::Quadratic), -1.0));
    }

    #[test]
    fn without_variance_there_is_no_value() {
        for weights in [Weights::Nominal, Weights::Quadratic] {
            assert_eq!(kappa(&[(3, 3), (3, 3)], weights), Err(Undefined::NoVariance));
            assert_eq!(kappa(&[], weights), Err(Undefined::NoPairs));
            assert!(close(kappa(&[(3, 2), (3, 2)], weights), 0.0));
        }
    }

    /// By the definition: shares of all cells, one after the other.
    fn naive(pairs: &[(u8, u8)], weight: impl Fn(f64, f64) -> f64) -> f64 {
        let n = pairs.len() as f64;
        let (mut observed, mut expected) = (0.0, 0.0);
        for i in 0..=4 {
            for j in 0..=4 {
                let cell = pairs.iter().filter(|pair| **pair == (i, j)).count() as f64 / n;
                let row = pairs.iter().filter(|pair| pair.0 == i).count() as f64 / n;
                let column = pairs.iter().filter(|pair| pair.1 == j).count() as f64 / n;
                observed += weight(f64::from(i), f64::from(j)) * cell;
                expected += weight(f64::from(i), f64::from(j)) * row * column;
            }
        }
        1.0 - observed / expected
    }

    proptest! {
        #[test]
        fn it_is_what_the_definition_gives(pairs in prop::collection::vec((0_u8..=4, 0_u8..=4), 1..40)) {
            let plain = naive(&pairs, |i, j| if i == j { 0.0 } else { 1.0 });
            let squared = naive(&pairs, |i, j| (i - j) * (i - j) / 16.0);
            for (weights, naive) in [(Weights::Nominal, plain), (Weights::Quadratic, squared)] {
                match kappa(&pairs, weights) {
                    Ok(value) => prop_assert!((value - naive).abs() < 1e-9 && (-1.0..=1.0).contains(&value)),
                    Err(why) => prop_assert!(why == Undefined::NoVariance && !naive.is_finite()),
                }
            }
            let turned: Vec<(u8, u8)> = pairs.iter().map(|(left, right)| (*right, *left)).collect();
            prop_assert_eq!(kappa(&pairs, Weights::Quadratic), kappa(&turned, Weights::Quadratic));
        }
    }
}
