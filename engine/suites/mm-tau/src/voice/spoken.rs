//! The spoken form of a text: the words that a voice would say, so that noise has tokens to work on.
//!
//! Numbers are said digit by digit, short letter groups of an id letter by letter, and an e-mail address with its signs
//! as words ("at", "dot", "underscore", "dash"). Other signs are pauses. The canonical forms of values
//! do not tell a text from its spoken form, with two exceptions that lie in their rules: a spelled letter `o` reads as
//! the digit zero, and a number word inside an e-mail address reads as digits.

use std::collections::BTreeSet;

use super::confusion::{TokenClass, classes};
use probity_prose::SMALL_IN_WORDS;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenToken {
    /// The word: not empty, lower-case, without spaces.
    pub text: String,
    /// What kind of word it is, which decides how it may be misheard.
    pub class: TokenClass,
}

/// A spoken word with what the written text still shows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The word, in lower case.
    pub text: String,
    /// Whether it was written with a capital first letter, though not all in capitals.
    pub is_capital: bool,
    pub is_opening: bool,
    pub is_spelled: bool,
    pub origin: Origin,
}

/// What kind of written word a piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Mail,
    /// A word with an underscore, e.g. a user id.
    Underscored,
    Plain,
}

/// Letter groups after digits that are said as a word.
const SUFFIXES: &[&str] = &["st", "nd", "rd", "th", "am", "pm", "gb", "mb"];
/// Short forms whose full stop ends no sentence.
const TITLES: &[&str] = &["mr", "mrs", "ms", "dr"];
/// Longest group of letters beside digits that is spelled even in lower case.
const MAX_SPELLED: usize = 3;

/// The spoken form of `text`, words with single spaces between; speaking it again changes nothing.
///
/// ```
/// let text = "It's noah.brown7922@example.com, order #W591!";
/// let said = "it's noah dot brown seven nine two two at example dot com order w five nine one";
/// assert_eq!(probity_mm_tau::voice::spoken(text), said);
/// ```
pub fn spoken(text: &str) -> String {
    let words: Vec<String> = pieces(text).into_iter().map(|piece| piece.text).collect();
    words.join(" ")
}

/// The spoken words of `text` with their classes. `names` are words (lower case) known to be names, e.g. those of the
/// user: they are names however they are written. Without any, each word with a capital inside a sentence is one, and each word of a
/// user id.
pub fn speak(text: &str, names: &BTreeSet<String>) -> Vec<SpokenToken> {
    let pieces = pieces(text);
    let classes = classes(&pieces, names);
    pieces.into_iter().zip(classes).map(|(piece, class)| SpokenToken { text: piece.text, class }).collect()
}

fn pieces(text: &str) -> Vec<Piece> {
    let text = text.replace('\u{2019}', "'");
    let mut pieces = Vec::new();
    let mut is_opening = true;
    for chunk in text.split_inclusive(|c: char| !is_part(c)) {
        let part = chunk.trim_end_matches(|c: char| !is_part(c));
        let from = pieces.len();
        speak_part(part, &mut pieces);
        if let Some(first) = pieces.get_mut(from) {
            first.is_opening = is_opening;
            let is_title = TITLES.contains(&first.text.as_str());
            is_opening = part.ends_with('.') && !is_title;
        }
        is_opening |= chunk.ends_with(['!', '?']);
    }
    pieces
}

/// Whether a sign may stand inside a written word.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '@' | '_' | '-' | '\'' | '#' | '+')
}

fn speak_part(part: &str, pieces: &mut Vec<Piece>) {
    if part.contains('@') {
        speak_groups(part, Origin::Mail, pieces);
        return;
    }
    let is_numbered = part.contains(|c: char| c == '#' || c.is_ascii_digit());
    let hyphened: Vec<&str> = part.split('-').filter(|piece| !piece.is_empty()).collect();
    // `e-mail` and `t-shirt` are one word; `K-O-V-A-C-S` is spelled.
    let single = hyphened.iter().filter(|piece| piece.chars().count() == 1).count();
    let is_one_word = hyphened.len() > 1 && single == 1 && part.chars().all(|c| c.is_alphabetic() || c == '-');
    if is_one_word && !is_numbered {
        push_word(&hyphened.join("-"), Origin::Plain, pieces);
        return;
    }
    for piece in part.split(['-', '+']) {
        let origin = if piece.contains('_') { Origin::Underscored } else { Origin::Plain };
        speak_groups(piece, origin, pieces);
    }
}

/// What a sign inside a written word is called; `None` is a pause.
fn sign_name(sign: char, next: Option<char>, origin: Origin) -> Option<&'static str> {
    match sign {
        '.' if next.is_some_and(char::is_alphanumeric) => Some("dot"),
        '@' => Some("at"),
        '_' => Some("underscore"),
        '-' if origin == Origin::Mail => Some("dash"),
        '+' if origin == Origin::Mail => Some("plus"),
        _ => None,
    }
}

/// Splits a written word into groups of letters, digits and signs, and says each in its way.
fn speak_groups(part: &str, origin: Origin, pieces: &mut Vec<Piece>) {
    let is_id = origin == Origin::Plain && part.contains(|c: char| c == '#' || c.is_ascii_digit());
    let mut letters = String::new();
    let mut signs = part.chars().peekable();
    while let Some(c) = signs.next() {
        let is_letter = c == '\'' || (c.is_alphanumeric() && !c.is_ascii_digit());
        if is_letter {
            letters.push(c);
            continue;
        }
        say_letters(&std::mem::take(&mut letters), is_id, origin, pieces);
        if let Some(word) = digit_name(c).or_else(|| sign_name(c, signs.peek().copied(), origin)) {
            push_word(word, origin, pieces);
        }
    }
    say_letters(&letters, is_id, origin, pieces);
}

fn say_letters(letters: &str, is_id: bool, origin: Origin, pieces: &mut Vec<Piece>) {
    let word = letters.trim_matches('\'');
    let is_suffix = SUFFIXES.contains(&word.to_lowercase().as_str());
    let is_code = word.chars().count() <= MAX_SPELLED || word.chars().all(char::is_uppercase);
    if !is_id || is_suffix || !is_code {
        push_word(word, origin, pieces);
        return;
    }
    for letter in word.chars().filter(|c| c.is_alphanumeric()) {
        push_word(&letter.to_string(), origin, pieces);
        if let Some(piece) = pieces.last_mut() {
            piece.is_spelled = true;
        }
    }
}

fn push_word(word: &str, origin: Origin, pieces: &mut Vec<Piece>) {
    let mut rest = word.chars();
    let is_capital = rest.next().is_some_and(char::is_uppercase) && rest.any(char::is_lowercase);
    let text = word.to_lowercase();
    if !text.is_empty() {
        pieces.push(Piece { text, is_capital, is_opening: false, is_spelled: false, origin });
    }
}

fn digit_name(digit: char) -> Option<&'static str> {
    SMALL_IN_WORDS.get(usize::try_from(digit.to_digit(10)?).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Naive canonical forms of spec f.2, enough for what the generators below write.
    fn canonical(text: &str, keep: fn(char) -> bool) -> String {
        let digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        let signs = [("at", "@"), ("dot", "."), ("underscore", "_"), ("dash", "-")];
        let word = |word: &str| match digits.iter().position(|digit| *digit == word) {
            Some(digit) => digit.to_string(),
            None => signs.iter().find(|(name, _)| *name == word).map_or(word, |(_, sign)| sign).to_owned(),
        };
        let joined: String = text.to_lowercase().split_whitespace().map(word).collect();
        joined.chars().filter(|c| keep(*c)).collect()
    }

    proptest! {
        #[test]
        fn speaking_twice_changes_nothing(text in "(?s).{0,40}|[A-Za-z0-9 .@_'#+,-]{0,40}") {
            let once = spoken(&text);
            prop_assert_eq!(spoken(&once), once);
        }

        #[test]
        fn tokens_are_words_of_the_spoken_form(text in "(?s).{0,40}|[A-Za-z0-9 .@_'#+,-]{0,40}") {
            let tokens = speak(&text, &BTreeSet::new());
            let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
            prop_assert!(words.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)));
            prop_assert_eq!(words.join(" "), spoken(&text));
        }

        #[test]
        fn a_number_keeps_its_canonical_form(text in "[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}") {
            let keep = |c: char| c.is_ascii_digit();
            prop_assert_eq!(canonical(&spoken(&text), keep), canonical(&text, keep));
        }

        #[test]
        fn an_id_keeps_its_canonical_form(text in "#?[BCFGJKLMPQVWXZ]{1,4}-?[0-9]{2,8}[a-z]?") {
            let keep = |c: char| c.is_ascii_alphanumeric();
            prop_assert_eq!(canonical(&spoken(&text), keep), canonical(&text, keep));
        }

        #[test]
        fn an_address_keeps_its_canonical_form(text in "[xyz]{2,6}[._-][xyz]{2,6}[0-9]{0,4}@[xyz]{3,7}\\.com") {
            prop_assert_eq!(canonical(&spoken(&text), |_| true), canonical(&text, |_| true));
        }
    }
}
