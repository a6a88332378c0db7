//! Seeded randomness: one root seed, split into named streams.
//!
//! The ChaCha stream itself is stable across releases of its crate; distributions are not. So what states, traces,
//! certificates and snapshots hang on is drawn by the five functions here, which golden values in the tests pin;
//! everything else takes the stream's generator to `rand`.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest as _, Sha256};

/// A named stream of random numbers. Drawing from one stream never shifts another.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// The stream called `purpose` of the root seed `seed`, e.g. `("populate", "travel/front_desk")`.
    pub fn new(seed: u64, purpose: &str, name: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(b"probity.stream.1");
        for part in [purpose.as_bytes(), name.as_bytes()] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.update(seed.to_le_bytes());
        Stream(ChaCha20Rng::from_seed(hasher.finalize().into()))
    }

    /// The generator, for draws that no recorded value hangs on.
    pub fn generator(&mut self) -> &mut impl Rng {
        &mut self.0
    }

    /// A number below `n`, each equally likely; 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Reject the draws that would make small numbers likelier.
        let zone = u64::MAX - (u64::MAX - n + 1) % n;
        loop {
            let draw = self.0.next_u64();
            if draw <= zone {
                return draw % n;
            }
        }
    }

    /// A number from `low` to `high`, both included; `low` when the range is empty.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        if high < low {
            return low;
        }
        let width = high.abs_diff(low);
        let offset = if width == u64::MAX { self.0.next_u64() } else { self.below(width + 1) };
        low.wrapping_add_unsigned(offset)
    }

    /// True with probability `numerator / denominator`; never true when the denominator is 0.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        denominator > 0 && self.below(denominator) < numerator
    }

    /// Puts the items into a random order (Fisher-Yates, from the back).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = usize::try_from(self.below(i as u64 + 1)).unwrap_or(0);
            items.swap(i, j);
        }
    }

    /// One of the items, each equally likely; `None` when there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let index = self.below(items.len() as u64);
        items.get(usize::try_from(index).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A change of any of these numbers changes every populated state: it needs a new format version.
    #[test]
    fn golden_values() {
        let mut stream = Stream::new(41, "populate", "travel/front_desk");
        let drawn: Vec<u64> = (0..6).map(|_| stream.below(1000)).collect();
        let ranged: Vec<i64> = (0..6).map(|_| stream.range(-3, 3)).collect();
        let mut order: Vec<u8> = (0..8).collect();
        stream.shuffle(&mut order);
        assert_eq!(drawn, [654, 743, 628, 222, 897, 862]);
        assert_eq!(ranged, [2, 1, 1, 0, -3, 1]);
        assert_eq!(order, [4, 1, 5, 6, 7, 2, 3, 0]);
        assert_eq!(stream.pick(&["a", "b", "c"]), Some(&"b"));
        assert!(!stream.chance(1, 3));
    }

    #[test]
    fn streams_of_other_names_differ() {
        let draw = |seed, purpose, name| Stream::new(seed, purpose, name).below(u64::MAX);
        let all = [draw(1, "user", "a"), draw(1, "agent", "a"), draw(2, "user", "a"), draw(1, "use", "ra")];
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    }

    proptest! {
        #[test]
        fn samples_stay_in_bounds(seed: u64, n in 1_u64.., low: i64, high: i64) {
            let mut stream = Stream::new(seed, "test", "");
            prop_assert!(stream.below(n) < n);
            let drawn = stream.range(low, high);
            let expected = if low <= high { low..=high } else { low..=low };
            prop_assert!(expected.contains(&drawn));
        }
    }
}
