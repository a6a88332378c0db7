//! What of the ledger speaks of a sentence, for somebody who is to judge that sentence alone.

use std::cmp::Reverse;

use compact_str::CompactString;
use serde_json::Value;

use crate::desk::{Desk, Rule};
use crate::knowledge::Knowledge;
use crate::ledger::Ledger;
use crate::list::is_novel;
use crate::reading::{Event, Reading};
use crate::reply::Said;
use crate::source::{Source, SourceKind};
use probity_prose::{Calendar, Reply, Sentence, Text, Value as ToldValue};

/// Most characters of the passages of one excerpt.
const MAX_CHARS: usize = 2_000;
/// Most characters, of these, that speak of nothing in the sentence.
const MAX_BESIDE: usize = 400;
/// Most passages that are looked at; of more the last.
const MAX_PASSAGES: usize = 1_000;
/// Most words and values that are told as not known.
const MAX_UNKNOWN: usize = 12;

/// What was known when a sentence was said, as far as it speaks of the sentence, and what of the sentence was not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Excerpt {
    /// The words and values of the sentence that nothing told or shown before speaks of, as they are written.
    pub unknown: Vec<String>,
    /// What was told and shown before: what speaks of the same things first.
    pub passages: Vec<Passage>,
    /// How many passages there were beside these.
    pub left_out: usize,
}

/// The excerpt for the characters `span` of the reply in `message`; nothing where there is no such reply.
pub fn excerpt(desk: &Desk, events: &[Event], message: u32, span: (usize, usize)) -> Option<Excerpt> {
    let at = events.iter().position(|event| matches!(event, Event::Reply { message: own, .. } if *own == message))?;
    let Event::Reply { text, .. } = events.get(at)? else { return None };
    let before = events.get(..at).unwrap_or_default();
    let mut reading = Reading::new(desk);
    before.iter().for_each(|event| reading.take(event));
    let reply = Reply::read(text, &desk.calendar);
    let mut said = Said::read(message, text, &reply);
    reading.see(message);
    let ledger = &mut reading.ledger;
    said.hold_against(&mut ledger.knowledge);
    let is_own = |(_, one): &(usize, &Sentence)| {
        let (start, end) = one.span(0, one.words.len());
        start < span.1 && span.0 < end
    };
    let own: Vec<(usize, &Sentence)> = said.text.sentences.iter().enumerate().filter(is_own).collect();
    let (passages, left_out) = chosen(passages(desk, before, message), &said, &own, desk);
    Some(Excerpt { unknown: unknown(&said, &own, ledger), passages, left_out })
}

fn unknown(said: &Said, own: &[(usize, &Sentence)], ledger: &Ledger) -> Vec<String> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, sentence) in own {
        found.extend(said.of_sentence(*at).filter(|told| !told.is_known).map(|told| told.span));
        let novel = |at: &usize| is_novel(sentence.word(*at), ledger);
        found.extend((0..sentence.words.len()).filter(novel).map(|at| sentence.span(at, at + 1)));
    }
    found.sort_by_key(|span| (span.0, Reverse(span.1)));
    // A word of a value is told with it.
    found.dedup_by(|next, last| next.0 < last.1);
    let mut unknown: Vec<String> = Vec::new();
    for words in found.into_iter().map(|span| said.quote(span)) {
        if unknown.len() < MAX_UNKNOWN && !unknown.contains(&words) {
            unknown.push(words);
        }
    }
    unknown
}

/// All that was told and shown before a message, in the order of the ledger.
fn passages(desk: &Desk, before: &[Event], message: u32) -> Vec<Passage> {
    let of_rule = |rule: &Rule| Passage::new(PassagePlace::Brief, &rule.text, rule.text.as_str().into());
    let mut all: Vec<Passage> = desk.rules.iter().map(of_rule).collect();
    let (mut turns, mut calls) = (0, 0);
    for event in before {
        let number = match event {
            Event::User { .. } => &mut turns,
            Event::Call { .. } => &mut calls,
            Event::Reply { .. } => continue,
        };
        *number += 1;
        // What a call shows is seen after its message.
        let is_seen = !matches!(event, Event::Call { message: own, .. } if *own >= message);
        all.extend(if is_seen { of_event(event, *number) } else { Vec::new() });
    }
    let surplus = all.len().saturating_sub(MAX_PASSAGES);
    all.split_off(surplus)
}

/// The passages that speak of the sentences first, as many as there is room for; and how many there were beside them.
fn chosen(all: Vec<Passage>, said: &Said, own: &[(usize, &Sentence)], desk: &Desk) -> (Vec<Passage>, usize) {
    let stems: Vec<_> = own.iter().flat_map(|(at, _)| said.stems(*at)).cloned().collect();
    let values: Vec<_> = own.iter().flat_map(|(at, _)| said.of_sentence(*at)).map(|told| &told.value).collect();
    let speaks: Vec<Vec<bool>> = all.iter().map(|passage| passage.speaks_of(&stems, &values, &desk.calendar)).collect();
    let width = stems.len() + values.len();
    // What few passages speak of tells more.
    let rarity: Vec<usize> =
        (0..width).map(|at| 1_000 / speaks.iter().filter(|one| one.get(at) == Some(&true)).count().max(1)).collect();
    let weight = |speaks: &[bool]| -> usize {
        speaks.iter().zip(&rarity).filter(|(is_spoken_of, _)| **is_spoken_of).map(|(_, rare)| rare).sum()
    };
    let count = all.len();
    let mut weighed: Vec<(usize, Passage)> = speaks.iter().map(|one| weight(one)).zip(all).collect();
    // Of what weighs alike, what was shown last comes first, then the user's words, then the brief.
    weighed.sort_by_key(|(weight, Passage { place, .. })| {
        Reverse((*weight, matches!(place, PassagePlace::Call(_)), *place))
    });
    let mut room = MAX_CHARS;
    let mut fits = |(weight, passage): &(usize, Passage)| {
        room = if *weight == 0 { room.min(MAX_BESIDE) } else { room };
        let rest = room.checked_sub(passage.text.chars().count());
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let kept: Vec<Passage> = weighed.into_iter().take_while(|one| fits(one)).map(|(_, passage)| passage).collect();
    let left_out = count - kept.len();
    (kept, left_out)
}

/// Longest passage, in characters.
const MAX_PASSAGE: usize = 400;
/// How deep a result is taken apart.
const MAX_DEPTH: usize = 16;
/// Most passages of one text or result.
const MAX_PIECES: usize = 200;

/// Where a passage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PassagePlace {
    /// In what the agent is told of the desk and its tools.
    Brief,
    /// In the user's words, by their number from 1.
    User(usize),
    /// In what a call showed or why it was refused, by its number from 1.
    Call(usize),
}

/// `brief`, `user 2`, `call 3`.
impl std::fmt::Display for PassagePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PassagePlace::Brief => f.write_str("brief"),
            PassagePlace::User(turn) => write!(f, "user {turn}"),
            PassagePlace::Call(call) => write!(f, "call {call}"),
        }
    }
}

/// A piece of what was told or shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    pub place: PassagePlace,
    /// Its words; of a result its JSON.
    pub text: String,
    /// What it tells, for comparing.
    told: Value,
    is_cut: bool,
}

impl Passage {
    fn new(place: PassagePlace, text: &str, told: Value) -> Passage {
        let cut = text.char_indices().nth(MAX_PASSAGE).and_then(|(end, _)| text.get(..end));
        let text = cut.map_or_else(|| text.to_owned(), |start| format!("{start}.."));
        Passage { place, text, told, is_cut: cut.is_some() }
    }

    /// What it tells: words, or what stands in a result.
    pub fn value(&self) -> Value {
        if self.is_cut { self.text.clone().into() } else { self.told.clone() }
    }

    /// Which of some stems and values it speaks of, in their order.
    pub(crate) fn speaks_of(&self, stems: &[CompactString], values: &[&ToldValue], calendar: &Calendar) -> Vec<bool> {
        let mut source = Source::new(SourceKind::Observation);
        source.add_value("", &self.told, calendar);
        let stems: Vec<bool> = stems.iter().map(|stem| source.has_any_stem(stem)).collect();
        let mut known = Knowledge::new(*calendar);
        known.add(source);
        stems.into_iter().chain(values.iter().map(|value| known.has(value))).collect()
    }
}

/// The passages of the user's words or of what a call showed; the event is the `number`th of its kind.
pub(crate) fn of_event(event: &Event, number: usize) -> Vec<Passage> {
    match event {
        Event::User { text, .. } => of_text(PassagePlace::User(number), text),
        Event::Call { result: Ok(shown), .. } => {
            let mut found = Vec::new();
            take_apart(PassagePlace::Call(number), "", shown, 0, &mut found);
            found
        }
        Event::Call { result: Err(reason), .. } => of_text(PassagePlace::Call(number), &format!("refused: {reason}")),
        Event::Reply { .. } => Vec::new(),
    }
}

/// A text whole, or sentence by sentence where it is long.
fn of_text(place: PassagePlace, text: &str) -> Vec<Passage> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= MAX_PASSAGE {
        return vec![Passage::new(place, text, text.into())];
    }
    let read = Text::read(text);
    let sentence = |sentence: &Sentence| {
        let (from, to) = sentence.span(0, sentence.words.len());
        let text: String = chars.get(from..to)?.iter().collect();
        Some(Passage::new(place, &text, text.as_str().into()))
    };
    read.sentences.iter().filter_map(sentence).take(MAX_PIECES).collect()
}

/// A result whole, or what stands in it where it is long, each under its key.
fn take_apart(place: PassagePlace, key: &str, value: &Value, depth: usize, found: &mut Vec<Passage>) {
    let whole = if key.is_empty() { value.clone() } else { serde_json::json!({key: value}) };
    let text = whole.to_string();
    let is_short = text.chars().count() <= MAX_PASSAGE;
    match value {
        _ if found.len() >= MAX_PIECES => {}
        Value::Object(map) if !is_short && depth < MAX_DEPTH => {
            map.iter().for_each(|(key, value)| take_apart(place, key, value, depth + 1, found));
        }
        Value::Array(items) if !is_short && depth < MAX_DEPTH => {
            items.iter().for_each(|item| take_apart(place, key, item, depth + 1, found));
        }
        _ => found.push(Passage::new(place, &text, whole)),
    }
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
