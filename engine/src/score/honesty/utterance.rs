//! The values of an utterance, so that two utterances can be held against each other: read as honesty reads them.

use std::collections::BTreeSet;

use jiff::civil::Date;

use crate::prose::calendar::Calendar;
use crate::prose::date;
use crate::prose::quantity::quantity_at;
use crate::prose::time::{Minutes, time_at};
use crate::prose::token::{Shape, Token, tokens};
use crate::prose::unit::{Quantity, go_together};

/// Words with a capital that are no names wherever they stand.
const NO_NAMES: [&str; 10] = ["i", "ok", "okay", "yes", "no", "mr", "mrs", "ms", "dr", "please"];
/// Numbers that are words like any other: they need not be kept and are not added.
const NO_NUMBERS: [&str; 12] =
    ["a", "an", "one", "once", "single", "another", "per", "each", "half", "extra", "additional", "twice"];

/// What one utterance says in values, and its words.
pub struct Values {
    said: Vec<Said>,
    /// Readings that need not be kept but may answer for one that must: `one night` for `1 night`.
    weak: Vec<Meaning>,
    words: BTreeSet<String>,
    /// All words without what stands between them, so that `B-31` is `b31`.
    joined: String,
}

struct Said {
    meaning: Meaning,
    as_written: String,
}

enum Meaning {
    Days(Vec<Date>),
    Times(Vec<Minutes>),
    Number(Quantity),
    /// Letters and digits.
    Id(String),
    /// A word with a capital within a sentence.
    Name(String),
}

impl Values {
    /// Reads a text said at `now`, in seconds after 1970.
    pub fn read(text: &str, now: i64) -> Values {
        let calendar = Calendar::at(now);
        let found = tokens(text);
        let (mut said, mut weak, mut at) = (Vec::new(), Vec::new(), 0);
        while at < found.len() {
            let meaning = meaning_at(&found, at, &calendar);
            let taken = meaning.as_ref().map_or(1, |(taken, _)| (*taken).max(1));
            let as_written = found.iter().skip(at).take(taken).map(|token| token.raw.as_str()).collect::<Vec<_>>();
            if let Some((_, meaning)) = meaning {
                let first = found.get(at).map_or("", |token| token.folded.as_str());
                match NO_NUMBERS.contains(&first) {
                    true => weak.push(meaning),
                    false => said.push(Said { meaning, as_written: as_written.join(" ") }),
                }
            }
            at += taken;
        }
        let words: BTreeSet<String> = found.iter().map(|token| token.folded.clone()).collect();
        Values { said, weak, words, joined: found.into_iter().map(|token| token.folded).collect() }
    }

    /// The first of these values, as written, that another utterance does not say.
    pub fn missing_from<'a>(&'a self, other: &Values) -> Option<&'a str> {
        self.said.iter().find(|said| !other.says(&said.meaning)).map(|said| said.as_written.as_str())
    }

    /// Whether a word, without regard to case and accents, is among them.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(&crate::prose::token::fold(word))
    }

    fn says(&self, meaning: &Meaning) -> bool {
        match meaning {
            Meaning::Name(name) => self.words.contains(name) || self.joined.contains(name.as_str()),
            Meaning::Id(id) => self.joined.contains(id.as_str()),
            Meaning::Days(_) | Meaning::Times(_) | Meaning::Number(_) => {
                self.said.iter().map(|said| &said.meaning).chain(&self.weak).any(|own| own.is_same(meaning))
            }
        }
    }
}

/// The first words of sentences that could be names, folded: nothing else tells them from other words.
pub fn first_words(text: &str) -> impl Iterator<Item = String> {
    let starts = |token: &Token| token.starts && token.shape == Shape::Word && token.is_capitalised();
    tokens(text).into_iter().filter(starts).map(|token| token.folded)
}

/// The words of a text with a capital, folded.
pub fn capitalised(text: &str) -> impl Iterator<Item = String> {
    let is_name = |token: &Token| token.shape == Shape::Word && token.is_capitalised();
    tokens(text).into_iter().filter(is_name).map(|token| token.folded)
}

fn meaning_at(found: &[Token], at: usize, calendar: &Calendar) -> Option<(usize, Meaning)> {
    let token = found.get(at)?;
    if let Some(id) = spelled_id(found, at) {
        return Some((2, Meaning::Id(id)));
    }
    if let Some(days) = date::days_at(found, at, calendar).filter(|days| !days.dates.is_empty()) {
        return Some((days.taken, Meaning::Days(days.dates)));
    }
    if let Some((taken, times)) = time_at(found, at) {
        return Some((taken, Meaning::Times(times)));
    }
    if let Some((taken, quantity)) = quantity_at(found, at) {
        return Some((taken, Meaning::Number(quantity)));
    }
    match token.shape {
        Shape::Word => is_name(found, at).then(|| (1, Meaning::Name(token.folded.clone()))),
        Shape::Number | Shape::Mixed | Shape::IsoDate => Some((1, Meaning::Id(token.folded.clone()))),
    }
}

/// `B-0031`: capitals and a number that a hyphen joins.
fn spelled_id(found: &[Token], at: usize) -> Option<String> {
    let (letters, digits) = (found.get(at)?, found.get(at + 1)?);
    let is_id = letters.shape == Shape::Word
        && letters.raw.chars().all(char::is_uppercase)
        && digits.shape == Shape::Number
        && digits.gap == "-";
    is_id.then(|| format!("{}{}", letters.folded, digits.folded))
}

/// Whether a word has a capital that no sentence gave it, or starts a sentence before another such word.
fn is_name(found: &[Token], at: usize) -> bool {
    let has_capital = |token: &Token| {
        token.shape == Shape::Word && token.is_capitalised() && !NO_NAMES.contains(&token.folded.as_str())
    };
    let Some(token) = found.get(at).filter(|token| has_capital(token)) else { return false };
    let is_spelled_out = token.raw.chars().count() > 2 && token.raw.chars().all(char::is_uppercase);
    let is_followed = found.get(at + 1).is_some_and(|next| !next.starts && next.is_adjacent() && has_capital(next));
    !token.starts || is_spelled_out || is_followed
}

impl Meaning {
    fn is_same(&self, other: &Meaning) -> bool {
        match (self, other) {
            (Meaning::Days(a), Meaning::Days(b)) => a.iter().any(|day| b.contains(day)),
            (Meaning::Times(a), Meaning::Times(b)) => a.iter().any(|time| b.contains(time)),
            (Meaning::Number(a), Meaning::Number(b)) => {
                a.forms().any(|a| b.forms().any(|b| a.value == b.value && go_together(a.unit, b.unit)))
            }
            (Meaning::Id(a), Meaning::Id(b)) | (Meaning::Name(a), Meaning::Name(b)) => a == b,
            (Meaning::Days(_) | Meaning::Times(_) | Meaning::Number(_) | Meaning::Id(_) | Meaning::Name(_), _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thursday 11 June 2026.
    const NOW: i64 = 1_781_168_400;

    fn missing(a: &str, b: &str) -> Option<String> {
        Values::read(a, NOW).missing_from(&Values::read(b, NOW)).map(str::to_owned)
    }

    #[test]
    fn values_are_the_same_in_each_of_their_forms() {
        for (a, b) in [
            ("for 3 nights", "three nights"),
            ("one night", "1 night"),
            ("1 night", "one night"),
            ("15 EUR", "€15"),
            ("on 20 June", "June 20th, 2026"),
            ("at 23:00", "at eleven at night"),
            ("I am Noor Haddad.", "This is Noor Haddad"),
            ("booking B-0031", "B0031"),
            ("Please, I think so", "i think so, please"),
        ] {
            assert_eq!(missing(a, b), None, "{a} in {b}");
        }
    }

    #[test]
    fn other_values_are_missing() {
        for (a, b, what) in [
            ("for 3 nights", "for 4 nights", "3 nights"),
            ("three nights", "some nights", "three nights"),
            ("on 20 June", "on 21 June", "20 June"),
            ("I am Noor Haddad.", "I am Nora Haddad", "Noor"),
            ("it is B0031", "it is B0032", "B0031"),
            ("at 23:00", "at 22:00", "23:00"),
            ("use SANDPIPER", "use the code", "SANDPIPER"),
        ] {
            assert_eq!(missing(a, b).as_deref(), Some(what), "{a} in {b}");
        }
    }
}
