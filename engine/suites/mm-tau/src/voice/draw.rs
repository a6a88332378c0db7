//! The random numbers of one token.

use probity_engine::Stream;

/// Two draws that settle one possible edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    /// Whether it happens, below 1000: it does when this is below the rate.
    pub when: u16,
    /// Which change it is, over the whole range.
    pub which: u64,
}

/// Every draw of one token. All are made whatever the level, so that the levels see the same numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    /// One for each class whose edits the token may suffer, in the order of `TokenClass::suffers`.
    pub chances: [Chance; 2],
    /// Two doubts of the recogniser, below 1000.
    pub doubts: [u16; 2],
}

impl Draws {
    /// The draws of the `token`-th token of a turn of a conversation.
    pub(crate) fn new(seed: u64, conversation: &str, turn: u64, token: u64) -> Self {
        let mut stream = Stream::new(seed, "hear", &format!("{conversation}\0{turn}\0{token}"));
        let mut draw = || stream.below(u64::MAX);
        let mut chance = || Chance { when: thousandth(draw()), which: draw() };
        let chances = [chance(), chance()];
        Draws { chances, doubts: [thousandth(draw()), thousandth(draw())] }
    }
}

/// The item that a draw over the whole range falls on; an item of twice the weight gets twice the room.
pub(crate) fn weighted<T>(items: impl IntoIterator<Item = (T, u32), IntoIter: Clone>, draw: u64) -> Option<T> {
    let items = items.into_iter();
    let total: u64 = items.clone().map(|(_, weight)| u64::from(weight)).sum();
    let mut left = scaled(draw, total);
    for (item, weight) in items {
        match left.checked_sub(u64::from(weight)) {
            Some(rest) => left = rest,
            None => return Some(item),
        }
    }
    None
}

fn thousandth(draw: u64) -> u16 {
    u16::try_from(scaled(draw, 1000)).unwrap_or(0)
}

/// A draw over the whole range, brought below `n`. One draw, one number: nothing is rejected, nothing shifts.
fn scaled(draw: u64, n: u64) -> u64 {
    u64::try_from((u128::from(draw) * u128::from(n)) >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of any of these numbers changes every recorded conversation: it needs a new `NOISE_VERSION`.
    #[test]
    fn golden_values() {
        let draws = Draws::new(7, "telecom-3", 2, 5);
        let numbers = draws.chances.map(|chance| (chance.when, chance.which % 1000));
        assert_eq!((numbers, draws.doubts), GOLDEN);
    }

    const GOLDEN: ([(u16, u64); 2], [u16; 2]) = ([(448, 403), (544, 865)], [810, 86]);

    #[test]
    fn each_part_of_the_key_counts() {
        let draw = |seed, conversation, turn, token| Draws::new(seed, conversation, turn, token).chances[0].which;
        let all = [draw(1, "a", 1, 1), draw(2, "a", 1, 1), draw(1, "b", 1, 1), draw(1, "a", 2, 1), draw(1, "a", 1, 2)];
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn weights_share_the_room() {
        let items = [("a", 1), ("b", 3)];
        assert_eq!(weighted(items, 0), Some("a"));
        assert_eq!(weighted(items, u64::MAX / 4 + 1), Some("b"));
        assert_eq!(weighted(items, u64::MAX), Some("b"));
        assert_eq!(weighted::<&str>([], 0), None);
    }
}
