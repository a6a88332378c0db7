//! An agent's message as the user of a desk reads it.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde_json::{Map, Value};

use super::read_back::{ReadBack, read_back};
use crate::desk::task::{DeskField, DeskTask};
use crate::measures::{FieldKind, canonical};
use crate::people::understanding::choice::{ends_asking, is_choice};
use crate::people::understanding::cue::{Cue, heard};
use crate::people::understanding::doubt::is_doubtful;
use crate::people::understanding::money::{Amounts, money};
use crate::people::understanding::mood::is_negated;
use crate::people::understanding::words::{Sentence, sentences, tell, words};
use probity_engine::within::texts;
use probity_prose::token::tokens;
use probity_prose::{Amount, Shape, Vocabulary};

/// What names a field in a question.
pub(super) static FIELDS: LazyLock<Vocabulary<DeskField>> = LazyLock::new(|| Vocabulary::of("desk_fields"));

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeskReading {
    pub written: String,
    pub words: Vec<CompactString>,
    /// Amounts of money that it names.
    pub amounts: Amounts,
    /// Whether something in it keeps a careful user from a yes to anything.
    pub is_doubtful: bool,
    /// Fields that it asks for, in the order of mention.
    pub asks: Vec<DeskField>,
    /// Whether it asks to have them sign by sign.
    pub is_spelled: bool,
    /// Values of the user's that it repeats.
    pub read_back: Vec<ReadBack>,
    pub asks_right: bool,
    pub asks_consent: bool,
    /// Whether some of its words ask for a yes, in whatever sentence.
    pub is_confirming: bool,
    pub refuses: bool,
    /// The words of the sentences that say that something was done.
    pub claims: Vec<Vec<CompactString>>,
    /// Whether it wants one of two things for its answer.
    pub offers_choice: bool,
    pub asks_open: bool,
    pub asks_else: bool,
    pub asks_problem: bool,
    pub waits: bool,
    pub hands_over: bool,
}

/// What a message does. Only its first 8,000 signs are read.
pub fn read(text: &str, task: &DeskTask) -> DeskReading {
    let sentences = sentences(text);
    let mut reading = DeskReading { asks_right: sentences.iter().any(asks_right), ..DeskReading::default() };
    let mut is_listing = false;
    for sentence in &sentences {
        let Sentence { said, is_question, .. } = sentence;
        for back in read_back(&sentence.written, reading.asks_right, task) {
            if !reading.read_back.contains(&back) {
                reading.read_back.push(back);
            }
        }
        let asked = if is_listing { named(&sentence.words) } else { asked(sentence) };
        is_listing = continues_list(sentence, is_listing);
        let is_choice = is_choice(sentence);
        let is_plain = asked.is_empty() && !is_choice;
        let new: Vec<DeskField> = asked.into_iter().filter(|field| !reading.asks.contains(field)).collect();
        reading.asks.extend(new);
        reading.is_spelled |= said.has(Cue::Spelling);
        let ends_asking = ends_asking(sentence);
        let is_more = !ends_asking && (said.has(Cue::Else) || said.has(Cue::More));
        reading.offers_choice |= is_choice;
        reading.asks_open |= *is_question && said.has(Cue::Open);
        reading.asks_consent |= ends_asking;
        reading.asks_consent |= is_plain && !is_more && asks_consent(sentence);
        reading.refuses |= !is_question && said.has(Cue::Refusing) && !said.has(Cue::NotFound);
        if !is_question && said.has(Cue::Done) && !is_negated(said) {
            reading.claims.push(sentence.words.clone());
        }
        reading.asks_else |= is_more;
        reading.asks_problem |= said.has(Cue::Problem);
        reading.waits |= said.has(Cue::Waiting);
        reading.hands_over |= said.has(Cue::Handed) || said.has(Cue::Others);
    }
    reading.words = words(text);
    reading.is_confirming = heard(&reading.words).has(Cue::Confirming);
    reading.written = text.to_owned();
    reading.amounts = money(text);
    reading.is_doubtful = is_doubtful(text, &sentences);
    if reading.is_doubtful {
        (reading.asks_consent, reading.asks_right, reading.is_confirming) = (false, false, false);
        (reading.refuses, reading.hands_over) = (false, false);
        reading.claims.clear();
    }
    reading
}

/// Whether one of the phrases, however they are written, stands in the words.
pub fn names_any(heard: &[CompactString], phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| tell(heard, phrase))
}

fn asks_right(sentence: &Sentence) -> bool {
    sentence.is_question && sentence.said.has(Cue::Right)
}

/// Whether what comes after a sentence is a list of what it asks for.
fn continues_list(sentence: &Sentence, is_listing: bool) -> bool {
    let written = sentence.written.trim_end_matches([' ', '*']);
    let begins = sentence.said.has(Cue::Asking) && written.trim_end().ends_with(':');
    let words = &sentence.words;
    let is_marker = words.len() == 1 && words.iter().all(|word| word.chars().all(|sign| sign.is_ascii_digit()));
    begins || (is_listing && (is_marker || written.ends_with('\n')))
}

/// Fields that words name. Who asks for a new address asks for its zip code, not for the user's.
fn named(words: &[CompactString]) -> Vec<DeskField> {
    let heard = FIELDS.heard(words);
    let is_of_address = |field: DeskField| field == DeskField::Zip && heard.has(DeskField::Address);
    FIELDS.lists().iter().copied().filter(|field| heard.has(*field) && !is_of_address(*field)).collect()
}

fn asked(sentence: &Sentence) -> Vec<DeskField> {
    let said = &sentence.said;
    let asks = said.has(Cue::Asking) || said.has(Cue::AskingAtDesk);
    let asks_leave = said.has(Cue::MayI) || said.has(Cue::WillYou);
    let is_question = sentence.is_question && (said.has(Cue::AskingOpen) || !asks_leave) && !said.has(Cue::Right);
    if !(asks || is_question) || is_negated(said) {
        return Vec::new();
    }
    named(&sentence.words)
}

fn asks_consent(sentence: &Sentence) -> bool {
    let Sentence { said, is_question, .. } = sentence;
    // What wants more than a yes for its answer asks for no leave.
    let is_plain = *is_question && !said.has(Cue::Open) && !said.has(Cue::AskingLeave);
    let asks_leave = is_plain && (said.has(Cue::MayI) || said.has(Cue::WillYou));
    let confirms = said.has(Cue::Confirming) && (*is_question || said.has(Cue::ConfirmingOutright));
    let is_okay = *is_question && sentence.words.len() == 1 && said.has(Cue::Okay);
    asks_leave || confirms || is_okay || said.has(Cue::Awaiting)
}

/// What names a deed, by its tool.
static DEEDS: LazyLock<Vocabulary<String>> = LazyLock::new(|| Vocabulary::of("desk_deeds"));

/// Whether words are about other deeds of a desk than that of a tool, or say that it is not to be done.
pub fn is_about_others(words: &[CompactString], tool: &str) -> bool {
    let said = heard(words);
    let keeps = tool.starts_with("cancel_") && said.has(Cue::Keeping);
    let named = DEEDS.heard(words);
    let is_other = || named.iter().next().is_some() && named.iter().all(|mention| mention.list != tool);
    keeps || said.has(Cue::Denials) || is_other()
}

pub fn is_about(words: &[CompactString], tool: &str) -> bool {
    DEEDS.heard(words).iter().any(|mention| mention.list == tool)
}

/// Whether a text tells a value: an amount in any spelling, an id, or words.
const MAX_SIGNS: usize = 8_000;

pub fn tells(text: &str, value: &str) -> bool {
    let text: String = text.chars().take(MAX_SIGNS).collect();
    if let Some(wanted) = Amount::written(value) {
        let numbers =
            tokens(&text).into_iter().filter(|token| token.shape == Shape::Number && !token.gap.ends_with('#'));
        return numbers.filter_map(|number| Amount::written(&number.folded)).any(|told| told == wanted);
    }
    if value.contains(|sign: char| sign.is_ascii_digit()) {
        let value = canonical(FieldKind::Id, value);
        return canonical(FieldKind::Id, &text).contains(&value);
    }
    tell(&words(&text), value)
}

/// Shorter texts have no form of their own.
const SHORTEST: usize = 5;

/// Whether a message names something in the form of an id, a number or a date of a call, and for one of these forms none
/// that the call has: `#W1023988` where the call takes `#W1050548`.
pub fn names_others(text: &str, arguments: &Map<String, Value>) -> bool {
    let wanted: Vec<String> = arguments.values().flat_map(texts).map(bare).filter(|text| is_formed(text)).collect();
    let named: Vec<String> = text.split_whitespace().map(bare).filter(|word| is_formed(word)).collect();
    wanted.iter().any(|value| {
        let alike: Vec<&String> = named.iter().filter(|word| form(word) == form(value)).collect();
        !alike.is_empty() && !alike.iter().any(|word| wanted.contains(word))
    })
}

fn bare(word: &str) -> String {
    let word = word.split(['\'', '’']).next().unwrap_or_default();
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

/// Whether a word is an id, a number or a date: digits, with letters or dashes among them.
fn is_formed(word: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
    word.len() >= SHORTEST && word.chars().all(is_sign) && word.chars().any(|sign| sign.is_ascii_digit())
}

/// Which of the signs are letters and which are digits.
fn form(word: &str) -> String {
    let kind = |sign: char| {
        if sign.is_ascii_digit() {
            '0'
        } else if sign.is_ascii_alphabetic() {
            'a'
        } else {
            sign
        }
    };
    word.chars().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_in_any_spelling() {
        let table = [
            ("That would be $31.20, all in all.", "31.20", true),
            ("It costs 31.2 dollars", "31.20", true),
            ("**$1,204.50**", "1204.50", true),
            ("That is order #W3120.", "31.20", false),
            ("The order is #W100 2819.", "#W1002819", true),
            ("Both are sold out.", "sold out", true),
            ("Both are sold.", "sold out", false),
        ];
        for (text, value, expected) in table {
            assert_eq!(tells(text, value), expected, "{text}: {value}");
        }
    }

    #[test]
    fn what_has_the_form_and_is_another_is_found() {
        let call = serde_json::json!({"order_id": "#W1050548", "zip": "05143", "flights": [{"date": "2026-09-18"}]});
        let call = call.as_object().unwrap();
        let table = [
            ("I would send order **#W1023988** there.", true),
            ("I would send order #W1050548, not #W1023988.", false),
            ("to Quarry Hill, VT 99999", true),
            ("on 2026-10-03", true),
            ("Flight PW101 to KE4014 takes 90 minutes.", false),
        ];
        for (text, is_other) in table {
            assert_eq!(names_others(text, call), is_other, "{text}");
        }
    }
}
