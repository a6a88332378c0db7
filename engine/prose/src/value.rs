//! The values that a text names, each in every way to read it: the one reader of days, times, quantities and ids.

use super::lexicon::{WordClass, is};
use compact_str::{CompactString, format_compact};
use jiff::civil::Date;

use super::date::Calendar;
use super::date::{day_number, days_at};
use super::quantity::{is_rest, quantity_at};
use super::time::{Minutes, time_at};
use super::token::{Shape, Token, tokens, word_before};
use super::unit::{Quantity, Unit};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Every day that may be meant.
    Days(Vec<Date>),
    /// Every time of day that may be meant.
    Times(Vec<Minutes>),
    /// A number, with its unit if it has one.
    Quantity(Quantity),
    /// Digits and letters that stand for something, without what joins them: `b0031`, `5.2.9`, the 305 of `room 305`.
    Id(CompactString),
    /// A word with a capital, folded.
    Name(CompactString),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It has a digit, a currency or a capital that no sentence gave it.
    Certain,
    /// It is told in words: *three nights*, *tomorrow*, *half past eleven*.
    Word,
    /// It may be words like any other: *a night*, *once*, or the capital that starts a sentence.
    Weak,
}

#[derive(Clone, Debug)]
pub struct Found {
    pub value: Value,
    /// Its first character, and the one after its last.
    pub span: (usize, usize),
    pub certainty: Certainty,
}

/// The values of a text, from its start to its end; none overlaps another.
pub fn values(text: &str, calendar: &Calendar) -> Vec<Found> {
    values_in(&tokens(text), calendar)
}

/// The same of a text that was split into tokens.
pub fn values_in(tokens: &[Token], calendar: &Calendar) -> Vec<Found> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        let next = value_at(tokens, at, calendar);
        let taken = next.as_ref().map_or(1, |(taken, ..)| (*taken).max(1));
        let end = tokens.get(at + taken - 1).map_or(token.span.1, |last| last.span.1);
        found.extend(next.map(|(_, value, certainty)| Found { value, span: (token.span.0, end), certainty }));
        at += taken;
    }
    found
}

/// The value that a text is, with nothing beside it: `15.00 EUR`, `2026-06-12`, `twenty past four`.
pub fn whole_value(text: &str, calendar: &Calendar) -> Option<Value> {
    let tokens = tokens(text);
    let found = values(text, calendar);
    let last = found.last().filter(|found| found.certainty != Certainty::Weak)?;
    let is_currency = |token: &Token| super::unit::Unit::of_word(&token.folded).is_some();
    let lead = tokens.first().map_or(0, |first| first.span.0);
    // The currency of `EUR 15` is read with the number behind it.
    let second = tokens.get(1).filter(|_| tokens.first().is_some_and(is_currency)).map(|second| second.span.0);
    let starts = last.span.0 == lead || Some(last.span.0) == second;
    let ends = tokens.last().is_some_and(|token| token.span.1 == last.span.1);
    (starts && ends).then(|| last.value.clone())
}

/// Whether a text tells a value in words alone: `half past eleven`, `third`.
pub fn is_in_words(text: &str, calendar: &Calendar) -> bool {
    let is_ordinal = |token: &Token| day_number(&token.folded).is_some_and(|(_, is_ordinal)| is_ordinal);
    values(text, calendar).iter().any(|found| found.certainty == Certainty::Word) || tokens(text).iter().any(is_ordinal)
}

impl Value {
    /// A number with its unit; nothing where it is something else.
    pub fn quantity(&self) -> Option<Quantity> {
        if let Value::Quantity(own) = self { Some(*own) } else { None }
    }

    /// The days that it may be; none where it is something else.
    pub fn days(&self) -> &[Date] {
        if let Value::Days(days) = self { days } else { &[] }
    }

    /// The times of day that it may be; none where it is something else.
    pub fn times(&self) -> &[Minutes] {
        if let Value::Times(times) = self { times } else { &[] }
    }

    /// Whether it may be the same as another: the same day, time, id or name, or as much in another unit.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Days(a), Value::Days(b)) => a.iter().any(|day| b.contains(day)),
            (Value::Times(a), Value::Times(b)) => a.iter().any(|time| b.contains(time)),
            // `15 EUR` is 1500 cents and a bare 15, but no bare 1500.
            (Value::Quantity(a), Value::Quantity(b)) => match a.unit.and(b.unit) {
                Some(_) => a.forms().any(|form| form.unit.is_some() && b.forms().any(|other| other == form)),
                None => a.value == b.value,
            },
            (Value::Id(a), Value::Id(b)) | (Value::Name(a), Value::Name(b)) => a == b,
            (Value::Days(_) | Value::Times(_) | Value::Quantity(_) | Value::Id(_) | Value::Name(_), _) => false,
        }
    }

    /// Whether it may stand in the place of another: two days, two times, or two amounts of one unit.
    pub fn is_alike(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Days(_), Value::Days(_)) | (Value::Times(_), Value::Times(_)) => true,
            // `1,190.00` may be money.
            (Value::Quantity(a), Value::Quantity(b)) => match (a.unit, b.unit) {
                (None, None) => false,
                (None, Some(unit)) | (Some(unit), None) => unit == Unit::Money,
                (Some(a), Some(b)) => a == b,
            },
            (Value::Days(_) | Value::Times(_) | Value::Quantity(_) | Value::Id(_) | Value::Name(_), _) => false,
        }
    }
}

fn value_at(found: &[Token], at: usize, calendar: &Calendar) -> Option<(usize, Value, Certainty)> {
    let token = found.get(at)?;
    let of = |taken: usize| match found.iter().skip(at).take(taken).any(|token| token.shape != Shape::Word) {
        true => Certainty::Certain,
        false => Certainty::Word,
    };
    if let Some((taken, id)) = spelled_id(found, at).or_else(|| numbered(found, at)) {
        return Some((taken, Value::Id(id), Certainty::Certain));
    }
    if let Some(days) = days_at(found, at, calendar).filter(|days| !days.dates.is_empty()) {
        return Some((days.taken, Value::Days(days.dates), of(days.taken)));
    }
    if let Some((taken, times)) = time_at(found, at) {
        return Some((taken, Value::Times(times), of(taken)));
    }
    if let Some((taken, quantity)) = quantity_at(found, at).filter(|_| !is_rest(found, at)) {
        let certainty = match is(WordClass::NoNumbers, token.folded.as_str()) {
            true => Certainty::Weak,
            false if quantity.is_money() => Certainty::Certain,
            false => of(taken),
        };
        return Some((taken, Value::Quantity(quantity), certainty));
    }
    match token.shape {
        Shape::Word if !token.is_capitalised() => None,
        Shape::Word => {
            let certainty = if is_name(found, at) { Certainty::Certain } else { Certainty::Weak };
            Some((1, Value::Name(token.folded.clone()), certainty))
        }
        Shape::Number | Shape::Mixed | Shape::IsoDate => Some((1, Value::Id(token.folded.clone()), Certainty::Certain)),
    }
}

/// `B-0031`: capitals and a number that a hyphen joins.
fn spelled_id(found: &[Token], at: usize) -> Option<(usize, CompactString)> {
    let (letters, digits) = (found.get(at)?, found.get(at + 1)?);
    let is_id = letters.shape == Shape::Word
        && letters.raw.chars().all(char::is_uppercase)
        && digits.shape == Shape::Number
        && digits.gap == "-";
    is_id.then(|| (2, format_compact!("{}{}", letters.folded, digits.folded)))
}

/// `room 305`, `ending in 4417`, `555 0123`: three digits or more that count nothing.
fn numbered(found: &[Token], at: usize) -> Option<(usize, CompactString)> {
    let token = found.get(at)?;
    let is_digits = token.folded.len() >= 3 && token.folded.bytes().all(|byte| byte.is_ascii_digit());
    let is_bare = quantity_at(found, at).is_none_or(|(_, quantity)| quantity.unit.is_none());
    let names = is(WordClass::Numbered, word_before(found, at)) && token.is_adjacent();
    (is_digits && is_bare && (names || token.folded.starts_with('0'))).then(|| (1, token.folded.clone()))
}

/// Whether a word has a capital that no sentence gave it, or starts a sentence before another such word.
fn is_name(found: &[Token], at: usize) -> bool {
    let has_capital = |token: &Token| {
        token.shape == Shape::Word && token.is_capitalised() && !is(WordClass::NeverNames, token.folded.as_str())
    };
    let Some(token) = found.get(at).filter(|token| has_capital(token)) else { return false };
    let is_spelled_out = token.raw.chars().count() > 2 && token.raw.chars().all(char::is_uppercase);
    let is_followed = found.get(at + 1).is_some_and(|next| !next.starts && next.is_adjacent() && has_capital(next));
    !token.starts || is_spelled_out || is_followed
}
