//! Verbs: what is done with things, and their regular forms.

use compact_str::{CompactString, format_compact};
use serde::Deserialize;

/// What a verb does with things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Looks at several.
    List,
    /// Looks at one.
    Get,
    /// Makes one.
    Create,
    /// Changes one.
    Update,
    /// Takes one away.
    Delete,
}

/// Where a verb is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// It looks, at the beginning.
    Reads,
    /// It changes, wherever it stands.
    Changes,
    /// It changes at the beginning, and is a thing elsewhere.
    First,
}

/// The verbs that a past form in `ed` may belong to.
pub(super) fn of_past(past: &str) -> Vec<CompactString> {
    let Some(root) = past.strip_suffix("ed").filter(|root| root.len() >= 2) else { return Vec::new() };
    let mut verbs = vec![root.into(), format_compact!("{root}e")];
    let mut last = root.chars().rev();
    if last.next() == last.next() {
        verbs.extend(root.get(..root.len() - 1).map(CompactString::new));
    }
    verbs.extend(root.strip_suffix('i').map(|root| format_compact!("{root}y")));
    // `noted` is no form of `not`.
    verbs.retain(|verb| verb != "not");
    verbs
}

/// `cancelled` of `cancel`, where it follows from it.
pub(super) fn regular_participle(verb: &str) -> String {
    let is_vowel = |c: &char| "aeiou".contains(*c);
    let mut ending = verb.chars().rev();
    let (last, before, third) = (ending.next(), ending.next(), ending.next());
    let ends = |letter: Option<char>, vowel: bool| letter.is_some_and(|c| is_vowel(&c) == vowel);
    // `stop`: one vowel, and one consonant behind it.
    let is_short =
        ends(last, false) && ends(before, true) && ends(third, false) && verb.chars().filter(is_vowel).count() == 1;
    match (last, verb.strip_suffix(['y', 'e'])) {
        (Some('y'), Some(stem)) if ends(before, false) => format!("{stem}ied"),
        (Some('e'), Some(stem)) => format!("{stem}ed"),
        (Some(last), _) if is_short && !matches!(last, 'w' | 'x' | 'y') => format!("{verb}{last}ed"),
        _ => format!("{verb}ed"),
    }
}
