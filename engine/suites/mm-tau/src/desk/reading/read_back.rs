//! Values of the user's that an agent repeats, right or wrong. A value is repeated wrongly where something close to it
//! stands in its place.

use super::desk_reading::FIELDS;
use crate::desk::task::{DeskFact, DeskTask};
use crate::measures::{FieldKind, canonical, is_heard};
use crate::people::understanding::figures::name;
use crate::people::understanding::words::words;
use probity_engine::within::texts;

/// How far from a value something may be that is taken for it; half as far from a short one.
const NEAR: usize = 2;
/// The longest of the short ones.
const SHORT: usize = 6;
/// Shorter values have too many neighbours.
const SHORTEST: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBack {
    pub fact: usize,
    pub is_right: bool,
}

/// What a sentence repeats; where it asks whether that is right, anything in the form of an asked value counts as one.
pub(crate) fn read_back(sentence: &str, asks_right: bool, task: &DeskTask) -> Vec<ReadBack> {
    let mut found: Vec<ReadBack> = Vec::new();
    for (at, fact) in task.facts.iter().enumerate() {
        let known = found.iter().any(|back| task.facts.get(back.fact).is_some_and(|other| other.name == fact.name));
        if !known && let Some(is_right) = repeated(sentence, asks_right, fact, task) {
            found.push(ReadBack { fact: at, is_right });
        }
    }
    found
}

fn repeated(sentence: &str, asks_right: bool, fact: &DeskFact, task: &DeskTask) -> Option<bool> {
    let value = canonical(fact.kind, &fact.value);
    if value.chars().count() < SHORTEST && fact.kind != FieldKind::Name || value.is_empty() {
        return None;
    }
    if is_heard(fact.kind, &fact.value, sentence) {
        let is_whole = fact.kind != FieldKind::Digits || pieces(fact.kind, sentence).contains(&value);
        return is_whole.then_some(true);
    }
    let is_other = |piece: &String| {
        let others = task.facts.iter().filter(|other| other.field == fact.field);
        others.into_iter().any(|other| canonical(other.kind, &other.value) == *piece)
            || task.gold().any(|call| has_value(&serde_json::Value::Object(call.arguments.clone()), fact.kind, piece))
    };
    let is_near = |piece: &String| {
        let length = value.chars().count();
        let most = if length <= SHORT { NEAR / 2 } else { NEAR };
        let near = distance(piece, &value) <= most && length > SHORTEST;
        let in_place = asks_right
            && match fact.kind {
                FieldKind::Email => is_named(sentence, fact) && piece.contains('@') == value.contains('@'),
                _ => is_named(sentence, fact) && piece.chars().count().abs_diff(length) <= NEAR && length > SHORTEST,
            };
        (near || in_place) && !is_other(piece)
    };
    match fact.kind {
        FieldKind::Name => {
            let other = name(sentence).filter(|_| asks_right && is_named(sentence, fact));
            other.map(|_| false)
        }
        FieldKind::Digits | FieldKind::Id | FieldKind::Email => {
            pieces(fact.kind, sentence).iter().any(is_near).then_some(false)
        }
    }
}

/// Whether a value stands somewhere in some arguments: what is wanted is no mistake.
fn has_value(arguments: &serde_json::Value, kind: FieldKind, piece: &str) -> bool {
    texts(arguments).any(|text| canonical(kind, text) == piece)
}

/// What in a sentence has the form of a value: runs of words with digits, or words with the signs of an address.
fn pieces(kind: FieldKind, sentence: &str) -> Vec<String> {
    if kind == FieldKind::Email {
        let whole = sentence.split_whitespace().map(|word| canonical(kind, word));
        return whole.filter(|word| word.contains(['@', '_'])).collect();
    }
    let mut runs: Vec<String> = vec![String::new()];
    for word in sentence.split(|sign: char| sign.is_whitespace() || sign == ',') {
        // What is paid is no number of anything.
        let is_amount = word.contains('$') || word.trim_end_matches('.').contains('.');
        let piece = if is_amount { String::new() } else { canonical(kind, word) };
        let is_sign = piece.chars().count() == 1 && word.chars().any(|sign| sign.is_uppercase());
        let has_digit = piece.contains(|sign: char| sign.is_ascii_digit());
        match runs.last_mut() {
            Some(run) if has_digit || is_sign => run.push_str(&piece),
            Some(run) if run.is_empty() => {}
            _ => runs.push(String::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

fn is_named(sentence: &str, fact: &DeskFact) -> bool {
    FIELDS.heard(&words(sentence)).has(fact.field)
}

/// How many signs have to be changed, left out or put in to make one text of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    if one.chars().count().abs_diff(other.len()) > NEAR {
        return NEAR + 1;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, sign) in one.chars().enumerate() {
        let mut next = vec![at + 1];
        for (place, wanted) in other.iter().enumerate() {
            let left = next.last().copied().unwrap_or_default();
            let (above, before) = (row.get(place + 1).copied(), row.get(place).copied());
            let changed = before.unwrap_or_default() + usize::from(sign != *wanted);
            next.push(changed.min(left + 1).min(above.unwrap_or_default() + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_counted_in_signs() {
        assert_eq!((distance("w1002819", "w1002819"), distance("w1002810", "w1002819")), (0, 1));
        assert_eq!(distance("w102819", "w1002819"), 1);
        assert!(distance("1774682002", "w1002819") > NEAR);
        assert_eq!(pieces(FieldKind::Id, "That is order #W100 2819, is it?"), ["w1002819"]);
        assert_eq!(pieces(FieldKind::Id, "w one zero for A B 12 at $15.32"), ["10", "ab12"]);
    }
}
