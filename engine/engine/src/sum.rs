//! An order-free hash: 256-bit numbers that are added up, one for each entity.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

use crate::model::canonical::Hash;

/// A sum of SHA-256 hashes modulo 2^256. Adding and taking away an entity's hash keeps it current.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum([u64; 4]);

impl Sum {
    /// The hash of one piece of text.
    pub fn of(text: &str) -> Self {
        let hash = Hash::of_bytes(text.as_bytes());
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(hash.bytes().chunks_exact(8)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        Sum(words)
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        let mut carry = false;
        for (word, added) in self.0.iter_mut().zip(other.0).rev() {
            let (first, over) = word.overflowing_add(added);
            let (second, over_again) = first.overflowing_add(u64::from(carry));
            *word = second;
            carry = over || over_again;
        }
    }
}

impl SubAssign for Sum {
    fn sub_assign(&mut self, other: Sum) {
        let mut borrow = false;
        for (word, taken) in self.0.iter_mut().zip(other.0).rev() {
            let (first, under) = word.overflowing_sub(taken);
            let (second, under_again) = first.overflowing_sub(u64::from(borrow));
            *word = second;
            borrow = under || under_again;
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, "{word:016x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn adding_and_taking_away_in_any_order_comes_back(texts in prop::collection::vec(".*", 1..8)) {
            let sums: Vec<Sum> = texts.iter().map(|text| Sum::of(text)).collect();
            let mut forwards = Sum::default();
            let mut backwards = Sum::default();
            sums.iter().for_each(|sum| forwards += *sum);
            sums.iter().rev().for_each(|sum| backwards += *sum);
            prop_assert_eq!(forwards, backwards);
            sums.iter().for_each(|sum| forwards -= *sum);
            prop_assert_eq!(forwards, Sum::default());
        }
    }

    #[test]
    fn carries_run_through_all_words() {
        let mut sum = Sum([u64::MAX; 4]);
        sum += Sum([0, 0, 0, 1]);
        assert_eq!(sum, Sum::default());
        sum -= Sum([0, 0, 0, 1]);
        assert_eq!(sum, Sum([u64::MAX; 4]));
    }
}
