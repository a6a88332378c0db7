//! The class of a spoken word, read off the word and its neighbours.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::confusion::is_listed_name;
use super::spoken::{Origin, Piece};
use probity_prose::quantity::small_number;
use probity_prose::{WordClass, lexicon::is};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenClass {
    /// A digit, `zero` to `nine` or `oh`.
    Digit,
    /// A digit that ends a run of equal ones: the length of the run may be misheard.
    Run,
    Letter,
    /// A sign of an address: `dot`, `at`, `underscore`, `dash`, `plus`, and the domain `example`.
    Symbol,
    Name,
    Word,
}

impl TokenClass {
    /// The classes whose edits a token of this class may suffer; the first that strikes is the one.
    pub(crate) fn suffers(self) -> &'static [TokenClass] {
        match self {
            TokenClass::Digit => &[TokenClass::Digit],
            TokenClass::Run => &[TokenClass::Run, TokenClass::Digit],
            TokenClass::Letter => &[TokenClass::Letter],
            TokenClass::Symbol => &[TokenClass::Symbol],
            TokenClass::Name => &[TokenClass::Name],
            TokenClass::Word => &[TokenClass::Word],
        }
    }
}

/// Signs wherever they stand.
const SIGNS: &[&str] = &["dot", "underscore"];
/// Signs inside an e-mail address only.
const MAIL_SIGNS: &[&str] = &["at", "dash", "plus", "example"];
/// Letters that are also words.
const LETTER_WORDS: &[&str] = &["a", "i"];
/// How many words a domain may have before its dot.
const DOMAIN: usize = 3;

pub(crate) fn classes(pieces: &[Piece], names: &BTreeSet<String>) -> Vec<TokenClass> {
    let local = local_parts(pieces);
    let context = Context { pieces, names, local: &local };
    (0..pieces.len()).zip(pieces).map(|(at, piece)| context.class(at, piece)).collect()
}

struct Context<'a> {
    pieces: &'a [Piece],
    names: &'a BTreeSet<String>,
    /// The part each piece has in an e-mail address.
    local: &'a [Part],
}

/// The part of a piece in an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Outside,
    /// Before the `at`.
    Local,
    /// The `at` and what follows.
    Domain,
}

impl Context<'_> {
    fn class(&self, at: usize, piece: &Piece) -> TokenClass {
        let part = self.local.get(at).copied().unwrap_or(Part::Outside);
        let word = piece.text.as_str();
        if is_digit(word) {
            let ends_run = self.word_before(at) == Some(word) && self.word_after(at) != Some(word);
            return if ends_run { TokenClass::Run } else { TokenClass::Digit };
        }
        if SIGNS.contains(&word) || (part != Part::Outside && MAIL_SIGNS.contains(&word)) {
            return TokenClass::Symbol;
        }
        if self.is_letter(at, piece) {
            return TokenClass::Letter;
        }
        if self.is_name(piece, part) { TokenClass::Name } else { TokenClass::Word }
    }

    fn is_letter(&self, at: usize, piece: &Piece) -> bool {
        let is_spelled = |word: Option<&str>| word.is_some_and(|w| is_single(w) && !LETTER_WORDS.contains(&w));
        let is_amid = is_spelled(self.word_before(at)) || is_spelled(self.word_after(at));
        is_single(&piece.text) && (piece.is_spelled || is_amid || !LETTER_WORDS.contains(&piece.text.as_str()))
    }

    fn is_name(&self, piece: &Piece, part: Part) -> bool {
        let word = piece.text.as_str();
        let is_addressed = piece.origin == Origin::Underscored || part == Part::Local;
        let is_listed = is_listed_name(word) && (piece.is_capital || is_addressed);
        let is_local = part == Part::Local && piece.origin == Origin::Mail;
        // Whoever knows the names need not guess: a product may be written with a capital too.
        let is_likely = (piece.is_capital && !piece.is_opening) || piece.origin == Origin::Underscored;
        let is_guessed = self.names.is_empty() && is_likely;
        let is_plain = is(WordClass::NoNames, word) || word.starts_with("i'");
        self.names.contains(word) || is_listed || is_local || (is_guessed && !is_plain)
    }

    fn word_before(&self, at: usize) -> Option<&str> {
        self.pieces.get(at.checked_sub(1)?).map(|piece| piece.text.as_str())
    }

    fn word_after(&self, at: usize) -> Option<&str> {
        self.pieces.get(at + 1).map(|piece| piece.text.as_str())
    }
}

/// Finds e-mail addresses, written ones and those already in words.
fn local_parts(pieces: &[Piece]) -> Vec<Part> {
    let mut parts = vec![Part::Outside; pieces.len()];
    for (at, piece) in pieces.iter().enumerate() {
        let end = domain_end(pieces, at);
        if piece.text != "at" || end == at {
            continue;
        }
        for part in parts.iter_mut().take(end + 1).skip(at) {
            *part = Part::Domain;
        }
        let before = pieces.iter().zip(parts.iter_mut()).take(at).rev();
        for (_, part) in before.take_while(|(piece, _)| is_local(piece)) {
            *part = Part::Local;
        }
    }
    parts
}

/// The index of the last word of the domain after the `at` at this place; the place itself when none follows.
fn domain_end(pieces: &[Piece], at: usize) -> usize {
    let is_written = pieces.get(at).is_some_and(|piece| piece.origin == Origin::Mail);
    let follows = |piece: &Piece| piece.origin == Origin::Mail;
    if is_written {
        return at + pieces.iter().skip(at + 1).take_while(|piece| follows(piece)).count();
    }
    let dot = pieces.iter().skip(at + 1).take(DOMAIN + 1).position(|piece| piece.text == "dot");
    dot.map_or(at, |words| (at + words + 2).min(pieces.len().saturating_sub(1)))
}

/// Whether a word before an `at` belongs to the address.
fn is_local(piece: &Piece) -> bool {
    let word = piece.text.as_str();
    let is_sign = SIGNS.contains(&word) || word == "dash" || word == "plus";
    piece.origin == Origin::Mail || is_sign || is_digit(word) || is_listed_name(word)
}

fn is_digit(word: &str) -> bool {
    word == "oh" || small_number(word).is_some_and(|number| number < 10)
}

fn is_single(word: &str) -> bool {
    word.chars().count() == 1 && word.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::super::spoken::speak;
    use super::*;

    /// One letter per token: d digit, R run, l letter, s symbol, N name, w word.
    fn signs(text: &str, names: &[&str]) -> String {
        let sign = |class| match class {
            TokenClass::Digit => 'd',
            TokenClass::Run => 'R',
            TokenClass::Letter => 'l',
            TokenClass::Symbol => 's',
            TokenClass::Name => 'N',
            TokenClass::Word => 'w',
        };
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        speak(text, &names).iter().map(|token| sign(token.class)).collect()
    }

    #[test]
    fn words_are_classed_by_form_and_neighbours() {
        let table = [
            ("It is 555-100", "wwddRddR"),
            ("order #W5, A P N", "wldlll"),
            ("I have a SIM", "wwww"),
            ("noah.li7@example.com at five", "NsNdsssw wd"),
            ("mail noah dot brown seven at example dot com today", "wNsNdsssww"),
            ("Meet me at noon. Brown is a color", "wwwwNwww"),
            ("Yes, I'm Ana Cruz from Monday", "wwNNww"),
            ("NO I SAID RETURN", "wwww"),
            ("Mr. Ortiz", "wN"),
            ("mei_patel_1 ivan_cruz_2", "NsNsdNsNsd"),
            ("gift_card_12, PayPal", "wswsddw"),
        ];
        for (text, want) in table {
            assert_eq!(signs(text, &[]), want.replace(' ', ""), "{text}");
        }
    }

    #[test]
    fn known_names_are_not_guessed_at() {
        assert_eq!(signs("brown shoes for lee, the Wireless Earbuds of Noah", &["lee"]), "wwwNwwwwN");
    }
}
