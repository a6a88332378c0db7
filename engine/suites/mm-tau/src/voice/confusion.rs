//! The class of a spoken word, read off the word and its neighbours, and the confusion table, read from `confusion.toml`:
//! per class a rate at each level, what each token is heard as, and how a name that it does not know may be misheard.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::hearing::{NoiseLevel, Permille};
use super::spoken::{Origin, Piece};
use probity_prose::{WordClass, lexicon::is, quantity::small_number};

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

/// Version of table, draws and formulas together: it changes whenever the same seed would be heard otherwise.
pub const NOISE_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Change {
    Say(String),
    Drop,
    Twice,
    Join,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    Start,
    End,
    First,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Confusion {
    tables: BTreeMap<TokenClass, Table>,
    shifts: Vec<(Place, String, String, u32)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Thousandths of the tokens that are changed: mild, strong.
    rate: (u16, u16),
    /// What a token is heard as, each with its weight.
    rows: BTreeMap<String, Vec<(Change, u32)>>,
}

/// Stands for every token of a class without a row of its own.
const ANY: &str = "*";

static CONFUSION: LazyLock<Confusion> =
    LazyLock::new(|| toml::from_str(include_str!("confusion.toml")).unwrap_or_default());

/// How a name without a row is misheard: one of these (place, sound, heard, weight) that fits.
fn sound_shifts() -> &'static [(Place, String, String, u32)] {
    &CONFUSION.shifts
}

/// The share of the tokens of a class that is changed at a level.
pub(crate) fn rate(class: TokenClass, level: NoiseLevel) -> Permille {
    let (mild, strong) = CONFUSION.tables.get(&class).map_or((0, 0), |table| table.rate);
    Permille::new(match level {
        NoiseLevel::Off => 0,
        NoiseLevel::Mild => mild,
        NoiseLevel::Strong => strong,
    })
}

/// What a token of a class may become, with weights; empty when it is never changed by a row.
pub(crate) fn changes(class: TokenClass, token: &str) -> &'static [(Change, u32)] {
    let rows = CONFUSION.tables.get(&class).map(|table| &table.rows);
    rows.and_then(|rows| rows.get(token).or_else(|| rows.get(ANY))).map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn is_listed_name(token: &str) -> bool {
    CONFUSION.tables.get(&TokenClass::Name).is_some_and(|names| names.rows.contains_key(token))
}

/// The names that `name` may be heard as, each with its weight; none of them empty or `name` itself.
pub(crate) fn near_names(name: &str) -> Vec<(String, u32)> {
    let shifted = sound_shifts().iter().filter_map(|(place, sound, heard, weight)| {
        let near = match place {
            Place::Start => format!("{heard}{}", name.strip_prefix(sound.as_str())?),
            Place::End => format!("{}{heard}", name.strip_suffix(sound.as_str())?),
            Place::First => name.replacen(sound.as_str(), heard, 1),
        };
        (!near.is_empty() && near != name).then_some((near, *weight))
    });
    shifted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_rate_that_grows_with_the_level() {
        assert_eq!(CONFUSION.tables.len(), TokenClass::Word as usize + 1);
        for class in CONFUSION.tables.keys() {
            let [off, mild, strong] = [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong].map(|l| rate(*class, l));
            assert!(off == Permille::NONE && off < mild && mild < strong && strong < Permille::ALL, "{class:?}");
        }
    }

    #[test]
    fn no_change_is_idle() {
        for (token, row) in CONFUSION.tables.values().flat_map(|table| &table.rows) {
            let is_idle = |change: &Change| matches!(change, Change::Say(words) if words == token || words.is_empty());
            assert!(!row.is_empty() && row.iter().all(|(change, weight)| *weight > 0 && !is_idle(change)), "{token}");
        }
        assert!(sound_shifts().iter().all(|(_, sound, heard, weight)| sound != heard && *weight > 0));
        assert!(!sound_shifts().is_empty());
    }

    #[test]
    fn sounds_are_exchanged_where_they_stand() {
        let near: Vec<String> = near_names("hernandez").into_iter().map(|(name, _)| name).collect();
        assert_eq!(near, ["ernandez", "hernandes", "hernandis", "hermandez", "hernondez", "hirnandez"]);
        assert!(near_names("s").is_empty());
        assert!(near_names("").is_empty());
        assert!(near_names("łuk").is_empty());
    }
}
