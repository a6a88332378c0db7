//! An agent's message as the user of a desk reads it.

use super::field_words::FIELDS;
use super::read_back::{ReadBack, read_back};
use super::turn_words::{AWAITING, CONFIRMING, DONE, MORE, NOT_FOUND, OPEN, OTHERS, REFUSING};
use crate::desk::task::{DeskField, DeskTask};
use crate::people::understanding::choice::{ends_asking, is_choice};
use crate::people::understanding::ending_words::HANDED;
use crate::people::understanding::money::money;
use crate::people::understanding::mood::is_negated;
use crate::people::understanding::phrase::has;
use crate::people::understanding::talk_words::{ASKING, ELSE, MAY_I, PROBLEM, RIGHT, SPELLING, WAITING, WILL_YOU};
use crate::people::understanding::words::{Sentence, sentences, words};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeskReading {
    pub written: String,
    pub words: Vec<String>,
    /// Amounts of money that it names, in cents.
    pub amounts: Vec<u64>,
    /// Fields that it asks for, in the order of mention.
    pub asks: Vec<DeskField>,
    /// Whether it asks to have them sign by sign.
    pub is_spelled: bool,
    /// Values of the user's that it repeats.
    pub read_back: Vec<ReadBack>,
    pub asks_right: bool,
    pub asks_consent: bool,
    pub refuses: bool,
    /// The words of the sentences that say that something was done.
    pub claims: Vec<Vec<String>>,
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
        let words = &sentence.words;
        for back in read_back(&sentence.written, reading.asks_right, task) {
            if !reading.read_back.contains(&back) {
                reading.read_back.push(back);
            }
        }
        let asked = if is_listing { named(words) } else { asked(sentence, words) };
        is_listing = continues_list(sentence, words, is_listing);
        let is_choice = is_choice(sentence);
        let is_plain = asked.is_empty() && !is_choice;
        let new: Vec<DeskField> = asked.into_iter().filter(|field| !reading.asks.contains(field)).collect();
        reading.asks.extend(new);
        reading.is_spelled |= has(words, SPELLING);
        let ends_asking = ends_asking(sentence);
        let is_more = !ends_asking && (has(words, ELSE) || has(words, MORE));
        reading.offers_choice |= is_choice;
        reading.asks_open |= sentence.is_question && has(words, OPEN);
        reading.asks_consent |= ends_asking;
        reading.asks_consent |= is_plain && !is_more && asks_consent(sentence, words);
        reading.refuses |= !sentence.is_question && has(words, REFUSING) && !has(words, NOT_FOUND);
        if !sentence.is_question && has(words, DONE) && !is_negated(words) {
            reading.claims.push(words.clone());
        }
        reading.asks_else |= is_more;
        reading.asks_problem |= has(words, PROBLEM);
        reading.waits |= has(words, WAITING);
        reading.hands_over |= has(words, HANDED) || has(words, OTHERS);
    }
    reading.words = words(text);
    reading.written = text.to_owned();
    reading.amounts = money(text);
    reading
}

/// Whether one of the phrases, however they are written, stands in the words.
pub fn names_any(heard: &[String], phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| has(heard, &[words(phrase).join(" ").as_str()]))
}

fn asks_right(sentence: &Sentence) -> bool {
    sentence.is_question && has(&sentence.words, RIGHT)
}

/// Whether what comes after a sentence is a list of what it asks for.
fn continues_list(sentence: &Sentence, words: &[String], is_listing: bool) -> bool {
    let written = sentence.written.trim_end_matches([' ', '*']);
    let begins = has(words, ASKING) && written.trim_end().ends_with(':');
    let is_marker = words.len() == 1 && words.iter().all(|word| word.chars().all(|sign| sign.is_ascii_digit()));
    begins || (is_listing && (is_marker || written.ends_with('\n')))
}

/// Fields that words name. Who asks for a new address asks for its zip code, not for the user's.
fn named(words: &[String]) -> Vec<DeskField> {
    let named: Vec<DeskField> = FIELDS.iter().filter(|(_, names)| has(words, names)).map(|(field, _)| *field).collect();
    let has_address = named.contains(&DeskField::Address);
    named.into_iter().filter(|field| !(has_address && *field == DeskField::Zip)).collect()
}

fn asked(sentence: &Sentence, words: &[String]) -> Vec<DeskField> {
    let asks = has(words, ASKING) || has(words, &["please provide", "let me know", "need to know", "specify"]);
    let is_open = has(words, &["how many", "which", "what", "who", "when", "where"]);
    let asks_leave = has(words, MAY_I) || has(words, WILL_YOU);
    let is_question = sentence.is_question && (is_open || !asks_leave) && !has(words, RIGHT);
    if !(asks || is_question) || is_negated(words) {
        return Vec::new();
    }
    named(words)
}

fn asks_consent(sentence: &Sentence, words: &[String]) -> bool {
    // What wants more than a yes for its answer asks for no leave.
    let is_open = has(words, OPEN);
    let asks_for = has(words, &["i know", "i ask", "i get", "i have", "i grab", "i check", "i look", "i help"]);
    let asks_leave = sentence.is_question && !is_open && !asks_for && (has(words, MAY_I) || has(words, WILL_YOU));
    let confirms = has(words, CONFIRMING)
        && (sentence.is_question
            || has(words, &["please confirm", "reply yes", "say yes", "yes no", "confirm that", "your confirmation"]));
    let is_okay = sentence.is_question && words.len() == 1 && has(words, &["okay", "ok", "alright"]);
    asks_leave || confirms || is_okay || has(words, AWAITING)
}
