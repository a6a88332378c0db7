//! Which dialogues are taken when not all are: the same for everybody, whatever else stands in their file.

use std::collections::BTreeSet;

use serde_json::json;

use probity_engine::Hash;

/// Draws at most `limit` of some ids by a seed. A larger limit takes the same and more, and an id's luck depends on
/// no other, so that what was paid for is not asked for again.
pub fn draw<'a>(ids: impl Iterator<Item = &'a str>, limit: Option<usize>, seed: u64) -> BTreeSet<&'a str> {
    let mut drawn: Vec<(Hash, &str)> = ids.map(|id| (Hash::of(&json!([seed, id])), id)).collect();
    drawn.sort();
    drawn.into_iter().take(limit.unwrap_or(usize::MAX)).map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_sample_holds_the_smaller() {
        let ids: Vec<String> = (0..50).map(|n| format!("d{n}")).collect();
        let of = |limit, seed| draw(ids.iter().map(String::as_str), limit, seed);
        assert!(of(Some(5), 0).is_subset(&of(Some(20), 0)));
        assert_eq!((of(Some(5), 0).len(), of(None, 0).len()), (5, 50));
        assert_ne!(of(Some(5), 0), of(Some(5), 1));
        assert_eq!(of(Some(5), 0), draw(ids.iter().rev().map(String::as_str), Some(5), 0));
    }
}
