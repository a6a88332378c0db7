//! The values that a clause names beside what it claims: ids, money, days and times.

use std::collections::BTreeSet;

use compact_str::{CompactString, format_compact};
use jiff::civil::Date;

use super::knowledge::Knowledge;
use super::remark::is_rough;
use probity_prose::calendar::plus_days;
use probity_prose::date::days_at;
use probity_prose::lexicon::is;
use probity_prose::quantity::{digit_run, quantity_at};
use probity_prose::time::time_at;
use probity_prose::{Amount, Calendar, Mark, Minutes, Quantity, Sentence, Shape, Token, Unit, WordClass};

#[derive(Clone, Debug)]
pub(super) struct Named {
    pub text: String,
    pub span: (usize, usize),
    /// Whether it is said to be where something went: `to room 305`.
    pub is_target: bool,
    kind: NamedKind,
}

#[derive(Clone, Debug)]
enum NamedKind {
    /// An id or a number that stands for something, in each way to write it.
    Id(Vec<CompactString>, Option<Amount>),
    Money(Quantity),
    /// `by two nights`.
    Span(Quantity),
    Days(Vec<Date>),
    Times(Vec<Minutes>),
}

impl Named {
    /// Whether it is an id or a number that stands for something.
    pub(super) fn is_id(&self) -> bool {
        matches!(self.kind, NamedKind::Id(..))
    }

    pub(super) fn is_one_of(&self, known: &BTreeSet<CompactString>) -> bool {
        matches!(&self.kind, NamedKind::Id(words, _) if words.iter().any(|word| known.contains(word)))
    }

    /// Whether some source holds the value in one of its forms.
    pub(super) fn is_in(&self, knowledge: &Knowledge) -> bool {
        match &self.kind {
            NamedKind::Id(words, amount) => {
                words.iter().any(|word| knowledge.has_word(word) || (word.len() >= 8 && knowledge.has_digits(word)))
                    || amount.is_some_and(|amount| knowledge.is_direct(amount, None))
            }
            NamedKind::Money(quantity) => quantity.forms().any(|form| knowledge.is_direct(form.value, form.unit)),
            NamedKind::Span(quantity) => quantity.forms().any(|form| knowledge.has_amount(form.value, form.unit)),
            NamedKind::Days(dates) => knowledge.has_any_date(dates),
            NamedKind::Times(times) => knowledge.has_any_time(times),
        }
    }
}

/// How many weeks from now a weekday may be meant.
const WEEKS: i64 = 26;

/// The values that the words from `from` up to `to` name, up to the first aside.
pub(super) fn named(sentence: &Sentence, from: usize, to: usize, calendar: &Calendar) -> Vec<Named> {
    let aside = |at: &usize| {
        let word = sentence.word(*at);
        // `.. was saved and has received 40 EUR`
        let goes_on = word == "and" && is(WordClass::Helpers, sentence.word(*at + 1));
        let starts_anew = word == "and"
            && sentence.mark(*at) == Mark::Comma
            && (matches!(sentence.word(*at + 1), "a" | "an" | "the" | "your" | "you" | "i" | "we")
                || matches!(sentence.word(*at + 2), "stands" | "stays" | "remains" | "is" | "was"));
        // `the 15.00 is charged, 297.00 altogether`
        let adds_up = sentence.mark(*at) == Mark::Comma
            && sentence.range(*at, *at + 5).any(|word| matches!(word, "altogether" | "total" | "overall" | "all"));
        goes_on
            || starts_anew
            || adds_up
            || is(WordClass::Asides, word)
            || (sentence.mark(*at) == Mark::Comma && word.ends_with("ing"))
    };
    let end = (from..to).find(aside).unwrap_or(to);
    let token_of = |at: usize| sentence.words.get(at).map_or(sentence.tokens().len(), |word| word.token);
    let (mut at, end) = (token_of(from), if end > from { token_of(end) } else { token_of(from) });
    let mut found = Vec::new();
    while at < end {
        let named = kind_at(sentence.tokens(), at, calendar);
        let Some((taken, kind)) = named.filter(|(taken, _)| !is_rough(sentence.tokens(), at, *taken)) else {
            at += 1;
            continue;
        };
        let text: Vec<&str> = sentence.tokens().iter().skip(at).take(taken).map(|token| token.raw.as_str()).collect();
        let own = sentence.tokens().get(at..at + taken).unwrap_or_default();
        let span = own.first().zip(own.last()).map_or((0, 0), |(first, last)| (first.span.0, last.span.1));
        found.push(Named { text: text.join(" "), span, is_target: is_target(sentence.tokens(), at), kind });
        at += taken.max(1);
    }
    found
}

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.folded.as_str())
}

/// `to room 305`, `into 305`: `to` at most two words before.
fn is_target(tokens: &[Token], at: usize) -> bool {
    (1..=2).any(|back| at.checked_sub(back).is_some_and(|at| matches!(word(tokens, at), "to" | "into")))
}

fn kind_at(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<(usize, NamedKind)> {
    let token = tokens.get(at)?;
    if let Some((taken, digits)) = digit_run(tokens, at) {
        return Some((taken, NamedKind::Id(vec![digits.into()], None)));
    }
    let quantity = quantity_at(tokens, at);
    if let Some((taken, quantity)) = quantity {
        let is_signed = token.gap.ends_with(['€', '$', '£']) || token.after.starts_with(['€', '$', '£']);
        if is_signed || matches!(quantity.unit, Some(Unit::Money | Unit::Cents)) {
            let quantity = Quantity::new(quantity.value, quantity.unit.or(Some(Unit::Money)));
            return (quantity.value != Amount::whole(0)).then_some((taken, NamedKind::Money(quantity)));
        }
        let before = at.checked_sub(1).map_or("", |at| word(tokens, at));
        if before == "by" && quantity.unit.is_some() {
            return Some((taken, NamedKind::Span(quantity)));
        }
        // Another span says when or how long something is.
        if quantity.unit.is_some() {
            return None;
        }
    }
    if let Some((taken, dates)) = days(tokens, at, calendar) {
        return Some((taken, NamedKind::Days(dates)));
    }
    if let Some((taken, times)) = time_at(tokens, at).filter(|_| token.folded.contains(':')) {
        return Some((taken, NamedKind::Times(times)));
    }
    let is_numbered = at.checked_sub(1).is_some_and(|at| {
        matches!(word(tokens, at), "room" | "rooms" | "number" | "no" | "version" | "seat" | "gate" | "table" | "suite")
    });
    let digits = token.folded.chars().filter(char::is_ascii_digit).count();
    let is_id = match token.shape {
        Shape::Number => digits >= 3 || is_numbered,
        Shape::Mixed => time_at(tokens, at).is_none() && !is_ordinal(&token.folded),
        Shape::IsoDate | Shape::Word => false,
    };
    is_id.then(|| (1, NamedKind::Id(ways(tokens, at), Amount::written(&token.folded))))
}

/// The days that a phrase names for certain: by number, weekday or month; `next week` may be any day of it.
fn days(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<(usize, Vec<Date>)> {
    let days = days_at(tokens, at, calendar)?;
    let first = tokens.get(at)?;
    let has_digit = tokens.iter().skip(at).take(days.taken).any(|token| token.shape != Shape::Word);
    let is_name = first.is_capitalised() && (!days.months.is_empty() || first.folded.ends_with("day"));
    let is_tomorrow = first.folded == "tomorrow" && days.taken == 1;
    if !(has_digit || is_name || is_tomorrow) || matches!(first.folded.as_str(), "today" | "yesterday") {
        return None;
    }
    let of_month = |(year, month): &(i16, i8)| {
        let (year, month) = (*year, *month);
        (1..=31).filter_map(move |day| Date::new(year, month, day).ok())
    };
    // A weekday may be said of any week: `Thursday 24 September`.
    let is_weekday = !has_digit && days.months.is_empty() && first.folded.trim_end_matches('s').ends_with("day");
    let weeks = if is_weekday { -WEEKS..=WEEKS } else { 0..=0 };
    let of_week = |date: &Date| {
        let date = *date;
        weeks.clone().filter_map(move |week| plus_days(date, 7 * week))
    };
    let dates: Vec<Date> = days.dates.iter().flat_map(of_week).chain(days.months.iter().flat_map(of_month)).collect();
    (!dates.is_empty()).then_some((days.taken, dates))
}

/// `B0031`, and `B-0031` as one word.
fn ways(tokens: &[Token], at: usize) -> Vec<CompactString> {
    let own = CompactString::new(word(tokens, at));
    let joins = tokens.get(at).is_some_and(|token| matches!(token.gap.as_str(), "-" | "/" | "_" | " "));
    let joined = at.checked_sub(1).filter(|_| joins).map(|before| format_compact!("{}{own}", word(tokens, before)));
    std::iter::once(own).chain(joined).collect()
}

/// `12th`, and numbers with a unit.
fn is_ordinal(folded: &str) -> bool {
    let rest = folded.trim_start_matches(|c: char| c.is_ascii_digit());
    matches!(rest, "st" | "nd" | "rd" | "th") && rest.len() < folded.len()
}
