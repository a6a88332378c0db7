//! Agreement of any number of raters, some of whom may not have graded everything: Krippendorff's alpha.
//!
//! Ordinal: the grades of a rubric have an order, but nothing says that its steps are equally wide. How far two
//! grades are apart is therefore counted by the grades given between them, not by their difference.

use std::collections::BTreeMap;

use super::kappa::Undefined;

/// Krippendorff's alpha for ordered grades; each unit holds the grades that raters gave to one thing.
/// Units with fewer than two grades say nothing about agreement.
///
/// # Errors
/// It has no value: nothing was graded twice, or every grade is the same one.
pub fn ordinal(units: &[Vec<u8>]) -> Result<f64, Undefined> {
    let units: Vec<&Vec<u8>> = units.iter().filter(|grades| grades.len() > 1).collect();
    if units.is_empty() {
        return Err(Undefined::NoPairs);
    }
    let mut given: BTreeMap<u8, f64> = BTreeMap::new();
    units.iter().copied().flatten().for_each(|grade| *given.entry(*grade).or_default() += 1.0);
    let n: f64 = given.values().sum();
    let observed: f64 = units.iter().map(|grades| within(grades, &given)).sum();
    let expected: f64 = pairs(&given).map(|((c, of_c), (k, of_k))| of_c * of_k * distance(*c, *k, &given)).sum();
    match expected > 0.0 {
        true => Ok(1.0 - (n - 1.0) * observed / expected),
        false => Err(Undefined::NoVariance),
    }
}

/// The distances between all grades of one unit, each grade counted once.
fn within(grades: &[u8], given: &BTreeMap<u8, f64>) -> f64 {
    let mut counts: BTreeMap<u8, f64> = BTreeMap::new();
    grades.iter().for_each(|grade| *counts.entry(*grade).or_default() += 1.0);
    let sum: f64 = pairs(&counts).map(|((c, of_c), (k, of_k))| of_c * of_k * distance(*c, *k, given)).sum();
    let raters: f64 = counts.values().sum();
    sum / (raters - 1.0)
}

fn pairs<'a>(counts: &'a BTreeMap<u8, f64>) -> impl Iterator<Item = ((&'a u8, &'a f64), (&'a u8, &'a f64))> + use<'a> {
    counts.iter().flat_map(|left| counts.iter().map(move |right| (left, right)))
}

/// How far two grades are apart: the square of the number of grades given from one to the other, half of each end.
fn distance(left: u8, right: u8, given: &BTreeMap<u8, f64>) -> f64 {
    if left == right {
        return 0.0;
    }
    let between: f64 = given.range(left.min(right)..=left.max(right)).map(|(_, n)| n).sum();
    let of = |grade: u8| given.get(&grade).copied().unwrap_or_default();
    (between - (of(left) + of(right)) / 2.0).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn four_observers_of_twelve_units() {
        // The worked example that Krippendorff gives for data with gaps: 0.815 for ordered grades.
        let units = [
            vec![1, 1, 1],
            vec![2, 2, 3, 2],
            vec![3, 3, 3, 3],
            vec![3, 3, 3, 3],
            vec![2, 2, 2, 2],
            vec![1, 2, 3, 4],
            vec![4, 4, 4, 4],
            vec![1, 1, 2, 1],
            vec![2, 2, 2, 2],
            vec![5, 5, 5],
            vec![1, 1],
            vec![3],
        ];
        let alpha = ordinal(&units).unwrap();
        assert!((alpha - 0.815).abs() < 5e-4, "{alpha}");
    }

    #[test]
    fn by_hand() {
        // Grades 0 0 1 1: distance ((2 + 2) - (2 + 2) / 2)^2 = 4. Two units of 0 1: observed 2 * 8, expected 2 * 2 * 2 * 4.
        assert_eq!(ordinal(&[vec![0, 1], vec![0, 1]]), Ok(1.0 - 3.0 * 16.0 / 32.0));
        assert_eq!(ordinal(&[vec![0, 0], vec![1, 1]]), Ok(1.0));
    }

    #[test]
    fn without_variance_there_is_no_value() {
        assert_eq!(ordinal(&[vec![3, 3], vec![3, 3, 3]]), Err(Undefined::NoVariance));
        assert_eq!(ordinal(&[vec![3, 3], vec![1]]), Err(Undefined::NoVariance));
        assert_eq!(ordinal(&[vec![3], vec![1], vec![]]), Err(Undefined::NoPairs));
        assert_eq!(ordinal(&[]), Err(Undefined::NoPairs));
    }

    /// By the definition: every pair of grades within a unit against every pair of grades at all.
    fn naive(units: &[Vec<u8>]) -> f64 {
        let units: Vec<&Vec<u8>> = units.iter().filter(|grades| grades.len() > 1).collect();
        let all: Vec<u8> = units.iter().copied().flatten().copied().collect();
        let n = |grade: u8| all.iter().filter(|other| **other == grade).count() as f64;
        let distance = |c: u8, k: u8| {
            let (low, high) = (c.min(k), c.max(k));
            let between: f64 = (low..=high).map(n).sum();
            if c == k { 0.0 } else { (between - n(c) / 2.0 - n(k) / 2.0).powi(2) }
        };
        let of = |grades: &[u8]| -> f64 {
            let mut sum = 0.0;
            for (i, c) in grades.iter().enumerate() {
                for (j, k) in grades.iter().enumerate() {
                    sum += if i == j { 0.0 } else { distance(*c, *k) };
                }
            }
            sum / (grades.len() as f64 - 1.0)
        };
        let observed: f64 = units.iter().map(|grades| of(grades)).sum();
        1.0 - observed / of(&all)
    }

    proptest! {
        #[test]
        fn it_is_what_the_definition_gives(units in prop::collection::vec(prop::collection::vec(0_u8..=4, 0..5), 0..12)) {
            match ordinal(&units) {
                Ok(alpha) => prop_assert!((alpha - naive(&units)).abs() < 1e-9 && alpha <= 1.0),
                Err(_) => prop_assert!(!naive(&units).is_finite()),
            }
            let mut turned: Vec<Vec<u8>> = units.iter().map(|grades| grades.iter().rev().copied().collect()).collect();
            turned.reverse();
            prop_assert_eq!(ordinal(&units).is_ok(), ordinal(&turned).is_ok());
        }
    }
}
