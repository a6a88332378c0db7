//! How far raters agree on what more than one of them gave a value: equal values, kappa, weighted kappa, alpha.

use std::collections::{BTreeMap, BTreeSet};

use probity_bench::stats::kappa::kappa;
use probity_bench::{Measure, Undefined, Weights, stats::alpha};

/// One rater's values, by unit.
pub type Column<U> = BTreeMap<U, u8>;

#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Units with two values or more.
    pub units: usize,
    /// Of all pairs of values of one unit, those that are equal.
    pub equal: Measure,
    /// Cohen's kappa; it compares two raters.
    pub kappa: Result<f64, Undefined>,
    /// The same with quadratic weights.
    pub weighted_kappa: Result<f64, Undefined>,
    /// Krippendorff's alpha for ordered values.
    pub alpha: Result<f64, Undefined>,
}

impl Agreement {
    pub fn of<U: Ord>(raters: &[&Column<U>]) -> Agreement {
        let all: BTreeSet<&U> = raters.iter().flat_map(|column| column.keys()).collect();
        let values = |unit: &U| raters.iter().filter_map(|column| column.get(unit).copied()).collect::<Vec<u8>>();
        let units: Vec<Vec<u8>> = all.into_iter().map(values).filter(|values| values.len() > 1).collect();
        let (mut equal, mut count) = (0, 0);
        for (left, right) in units.iter().flat_map(|values| pairs(values)) {
            equal += usize::from(left == right);
            count += 1;
        }
        let both: Vec<(u8, u8)> = units.iter().filter_map(|values| Some((*values.first()?, *values.get(1)?))).collect();
        let of_two = |weights| if raters.len() == 2 { kappa(&both, weights) } else { Err(Undefined::NotTwo) };
        Agreement {
            units: units.len(),
            equal: Measure::of(equal, count),
            kappa: of_two(Weights::Nominal),
            weighted_kappa: of_two(Weights::Quadratic),
            alpha: alpha::ordinal(&units),
        }
    }
}

/// Each two of some things, in their order.
pub fn pairs<T>(all: &[T]) -> impl Iterator<Item = (&T, &T)> {
    all.iter().enumerate().flat_map(|(at, left)| all.iter().skip(at + 1).map(move |right| (left, right)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[(u32, u8)]) -> Column<u32> {
        values.iter().copied().collect()
    }

    #[test]
    fn what_was_not_rated_is_no_disagreement() {
        let (one, other) = (column(&[(0, 3), (2, 1), (3, 2)]), column(&[(0, 3), (1, 0), (2, 1)]));
        let found = Agreement::of(&[&one, &other]);
        assert_eq!((found.units, found.equal), (2, Measure::of(2, 2)));
        assert_eq!((found.kappa, found.weighted_kappa, found.alpha), (Ok(1.0), Ok(1.0), Ok(1.0)));
        // 1 0 1 0 and 1 0 0 0: 3 of 4 equal; by chance 2/4 * 1/4 + 2/4 * 3/4 = 1/2; (3/4 - 1/2) / (1/2).
        let (one, other) = (column(&[(0, 1), (1, 0), (2, 1), (3, 0)]), column(&[(0, 1), (1, 0), (2, 0), (3, 0)]));
        assert_eq!(Agreement::of(&[&one, &other]).kappa, Ok(0.5));
    }

    #[test]
    fn of_three_there_are_three_pairs_and_no_kappa() {
        let raters = [column(&[(0, 1), (1, 3)]), column(&[(0, 2), (1, 3)]), column(&[(1, 3)])];
        let found = Agreement::of(&raters.each_ref());
        assert_eq!((found.units, found.equal, found.kappa), (2, Measure::of(3, 4), Err(Undefined::NotTwo)));
        let none = Agreement::of(&[&column(&[]), &column(&[(0, 1)])]);
        assert_eq!((none.units, none.equal.value(), none.kappa), (0, None, Err(Undefined::NoPairs)));
    }
}
