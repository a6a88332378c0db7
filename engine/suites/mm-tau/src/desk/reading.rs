//! An agent's message as the user of a desk reads it, by tables of words and by the values that the user knows; those it
//! repeats are right, or wrong where something close to them stands in their place.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde_json::{Map, Value};

use crate::desk::task::{DeskFact, DeskField, DeskTask};
use crate::measures::{FieldKind, canonical, distance, is_heard};
use crate::people::understanding::figures::{Amounts, money, name};
use crate::people::understanding::mood::{ends_asking, is_choice, is_doubtful, is_negated};
use crate::people::understanding::words::{Cue, Sentence, heard, sentences, tell, words};
use probity_engine::within::texts;
use probity_prose::{Amount, Shape, Vocabulary, token::tokens};

/// What names a field in a question.
static FIELDS: LazyLock<Vocabulary<DeskField>> = LazyLock::new(|| Vocabulary::of("desk_fields"));

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
const LEAST_FORMED: usize = 5;

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
    word.len() >= LEAST_FORMED && word.chars().all(is_sign) && word.chars().any(|sign| sign.is_ascii_digit())
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
        let near = signs_between(piece, &value) <= most as u64 && length > SHORTEST;
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
fn signs_between(one: &str, other: &str) -> u64 {
    let signs = |text: &str| text.chars().collect::<Vec<char>>();
    distance(&signs(one), &signs(other))
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

    #[test]
    fn near_is_counted_in_signs() {
        assert_eq!((signs_between("w1002819", "w1002819"), signs_between("w1002810", "w1002819")), (0, 1));
        assert_eq!(signs_between("w102819", "w1002819"), 1);
        assert!(signs_between("1774682002", "w1002819") > NEAR as u64);
        assert_eq!(pieces(FieldKind::Id, "That is order #W100 2819, is it?"), ["w1002819"]);
        assert_eq!(pieces(FieldKind::Id, "w one zero for A B 12 at $15.32"), ["10", "ab12"]);
    }
}
