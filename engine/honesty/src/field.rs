//! What a reply tells under the name of a field, where results have something else under that name: `store credit:
//! 24.50` of 14.50, `sender Koppers` of another, `it is unpaid` of `paid: true`.

use std::sync::Arc;

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind};
use crate::desk::Card;
use crate::ledger::{Call, Ledger};
use crate::reply::{Said, Told};
use crate::source::{Field, Plain, Source};
use crate::value::Against;
use probity_prose::date::{days_at, weekday_name};
use probity_prose::token::{stem, tokens, words};
use probity_prose::{Amount, Certainty, Mark, Sentence, Unit, Value, WordClass, lexicon::is};

/// Most words of a field's name.
const NAME: usize = 3;
/// Most fields of some calls that are looked at; where there are more, nothing is held against anybody.
const MOST: usize = 2_000;

/// What a call showed under the name of a field.
pub(crate) struct Entry<'l> {
    field: &'l Field,
    value: &'l Plain,
    shown: &'l Arc<Source>,
}

impl Entry<'_> {
    /// Whether some stems are those of its name, in any order.
    fn is_called(&self, stems: &[CompactString]) -> bool {
        let own = &self.field.stems;
        own.len() == stems.len()
            && own.iter().all(|one| stems.contains(one))
            && stems.iter().all(|one| own.contains(one))
    }
}

fn entries<'l>(calls: impl Iterator<Item = &'l Call>) -> Vec<Entry<'l>> {
    let all = calls.filter(|call| call.is_ok).flat_map(|call| {
        let entry = |(field, value): &'l (usize, Plain)| {
            Some(Entry { field: call.shown.field(*field)?, value, shown: &call.shown })
        };
        call.shown.plains.iter().filter_map(entry)
    });
    let all: Vec<Entry> = all.take(MOST + 1).collect();
    if all.len() > MOST || all.iter().any(|entry| entry.shown.is_cut) { Vec::new() } else { all }
}

/// What the changes since the last reply have returned.
pub(crate) fn returned<'l>(ledger: &'l Ledger<'_>) -> Vec<Entry<'l>> {
    entries(ledger.calls.iter().skip(ledger.answered).filter(|call| !call.is_read))
}

/// What was shown since the last change, it included.
fn shown_now<'l>(ledger: &'l Ledger<'_>) -> Vec<Entry<'l>> {
    let last = ledger.calls.iter().rposition(|call| call.is_ok && !call.is_read).unwrap_or(0);
    entries(ledger.calls.iter().skip(last))
}

/// What speaks against a value that a reply tells of a change, under the name of a field of its result: `Store credit:
/// 24.50`, `Where: Tideswell surgery`. Other values may be of another thing of that name.
pub(crate) fn against(told: &Told, said: &Said, ledger: &Ledger, returned: &[Entry]) -> Option<Against> {
    // What stands behind a colon has a capital as often as not.
    let is_weak = told.certainty == Certainty::Weak && !matches!(told.value, Value::Name(_));
    if is_weak || returned.is_empty() {
        return None;
    }
    let sentence = said.text.sentences.get(told.sentence)?;
    names(told, said).into_iter().find_map(|stems| {
        let held: Vec<&Entry> = returned.iter().filter(|entry| entry.is_called(&stems)).collect();
        let is_apart = |entry: &&Entry| {
            let is_alike = entry.field.may_be_money() || told.quantity().is_none_or(|own| !own.is_money());
            is_alike && speaks_against(&told.value, entry.value, ledger) && !is_beside(sentence, entry.value)
        };
        let last = held.last().filter(|_| held.iter().all(is_apart) && !is_sum(&told.value, &held))?;
        let value = last.value.text();
        Some(Against::of(last.shown, &value, format!("`{}` is {value}", last.field.key)))
    })
}

/// The names of a value, as stems: all that stands before its colon or its border, where it is alone on its line or in its
/// row; what `the fee stays at` names; and the word behind a name of its own. A word that tells nothing (*date*, *total*)
/// is none.
fn names(told: &Told, said: &Said) -> Vec<Vec<CompactString>> {
    let all = &said.text.tokens;
    let word = |at: usize| all.get(at).map_or("", |token| token.folded.as_str());
    let is_day = |at: usize| weekday_name(all, at).is_some();
    let first = (0..=told.tokens.0).rev().find(|at| *at == 0 || !is_day(at - 1)).unwrap_or(0);
    let is_marked = all.get(first).is_some_and(|token| token.gap.contains([':', '|']) && !token.gap.contains('\n'));
    if !told.value.days().is_empty() && !said.words(told.span).contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let before = if is_marked { heading(told, said, first) } else { subject(said, first) };
    let behind = all.get(told.tokens.1).filter(|next| next.is_adjacent() && matches!(told.value, Value::Name(_)));
    let behind = behind.filter(|_| is_marked).map(|_| (told.tokens.1, told.tokens.1 + 1));
    let is_name = |(from, to): &(usize, usize)| {
        to - from > 1 || !is(WordClass::PlainLabels, word(*from).strip_suffix('s').unwrap_or(word(*from)))
    };
    let stems = |(from, to): (usize, usize)| (from..to).map(|at| stem(word(at)).into()).collect();
    before.into_iter().chain(behind).filter(is_name).map(stems).collect()
}

/// The words before the colon or the border that stands before the token at `first`: of the whole line or cell.
fn heading(told: &Told, said: &Said, first: usize) -> Option<(usize, usize)> {
    let all = &said.text.tokens;
    let start = (0..first).rev().find(|at| all.get(*at).is_none_or(|token| !token.is_adjacent()))?;
    let ends = |at: &usize| all.get(*at).is_none_or(|token| token.gap.contains('\n'));
    let end = (told.tokens.1..).find(ends)?;
    let has_more = || said.told.iter().any(|other| (told.tokens.1..end).contains(&other.tokens.0));
    (first - start <= NAME && !has_more()).then_some((start, first))
}

/// The words that a verb before the token at `first` says a value of, behind their article: `the fee stays at`.
fn subject(said: &Said, first: usize) -> Option<(usize, usize)> {
    let parts = [',', '.', ';', ':', '!', '?', '|', '(', ')', '\n'];
    let is_near = |at: usize| said.text.tokens.get(at).is_some_and(|token| !token.gap.contains(parts));
    let is_joint = |at: usize| is(WordClass::NameJoints, said.word(at)) && is_near(at + 1);
    let end = (0..=first).rev().find(|at| *at == 0 || !is_joint(at - 1))?;
    let start = (end.saturating_sub(NAME)..end).rev().find(|at| matches!(said.word(*at), "the" | "your" | "its"))? + 1;
    let is_said = end < first && !matches!(said.word(end), "at" | "to" | "now" | "still");
    (is_said && start < end).then_some((start, end))
}

/// Whether a value of a field is of the kind of one that is told, and another.
fn speaks_against(told: &Value, value: &Plain, ledger: &Ledger) -> bool {
    match (told, value) {
        (Value::Days(days), Plain::Text(text)) => days_at(&tokens(text), 0, &ledger.desk.calendar)
            .is_some_and(|own| !own.dates.is_empty() && !own.dates.iter().any(|date| days.contains(date))),
        (Value::Quantity(own), Plain::Number(value)) if own.unit.is_none_or(|unit| unit == Unit::Money) => {
            !is_scaled(own.value, *value)
        }
        (Value::Name(word), Plain::Text(text)) if !is(WordClass::Negations, word) => {
            let own = words(text);
            !own.is_empty() && own.iter().all(|own| own != word && own.chars().all(char::is_alphabetic))
        }
        _ => false,
    }
}

/// Whether a sentence has a word of a value itself: `moved from Tideswell to Matlock`.
fn is_beside(sentence: &Sentence, value: &Plain) -> bool {
    let Plain::Text(text) = value else { return false };
    let own = words(text);
    !text.contains(|c: char| c.is_ascii_digit()) && sentence.words.iter().any(|word| own.contains(&word.text))
}

/// Whether a number is the sum of what several results have.
fn is_sum(told: &Value, held: &[&Entry]) -> bool {
    let sum = held.iter().fold(Amount::whole(0), |sum, entry| match entry.value {
        Plain::Number(value) => sum.plus(*value),
        Plain::Text(_) | Plain::Flag(_) => sum,
    });
    held.len() > 1 && told.quantity().is_some_and(|own| is_scaled(own.value, sum))
}

/// *No fee* of a change, where each fee of its result is more than nothing.
pub(crate) fn free(said: &Said, ledger: &Ledger) -> Vec<Claim> {
    // `cancellation_fee` may be of a change that was not made.
    let is_part = |word: &CompactString| is(WordClass::FeeNames, word) || Unit::of_word(word).is_some();
    let is_fee = |entry: &Entry| {
        let words = &entry.field.words;
        words.iter().all(is_part) && words.iter().any(|word| is(WordClass::FeeNames, word))
    };
    let returned = returned(ledger);
    let fees = returned.iter().filter(|entry| is_fee(entry));
    let fees: Vec<(Amount, &Entry)> = fees.filter_map(|entry| Some((entry.value.amount()?, entry))).collect();
    let Some((_, fee)) = fees.last().filter(|_| fees.iter().all(|(fee, _)| *fee > Amount::whole(0))) else {
        return Vec::new();
    };
    let value = fee.value.text();
    let told = said.text.sentences.iter().enumerate().filter_map(|(place, sentence)| {
        let is_open = sentence.is_question
            || sentence.has_any(WordClass::Modals)
            || sentence.has_any(WordClass::Conditions)
            || said.of_sentence(place).any(|told| told.certainty != Certainty::Weak);
        let is_none = |at: &usize| sentence.word(*at) == "no" && sentence.is(WordClass::FeeNames, at + 1);
        let at = (0..sentence.words.len()).find(is_none).filter(|_| !is_open)?;
        let evidence = format!("`{}` is {value}", fee.field.key);
        let claim = said.against(ClaimKind::Value, sentence.span(at, at + 2), evidence)?;
        Some(Claim { shown: ledger.shown_by(fee.shown, &value), ..claim })
    });
    told.collect()
}

/// Whether an amount is another, in the same or in smaller units.
fn is_scaled(one: Amount, other: Amount) -> bool {
    let scales = [1, 10, 100, 1000].map(Amount::whole);
    scales.iter().any(|scale| one.times(*scale) == Some(other) || other.times(*scale) == Some(one))
}

/// Sentences that say of a thing that it is or is not what a field says: `it's still unpaid` of `paid: true`.
pub(crate) fn flags(said: &Said, ledger: &Ledger) -> Vec<Claim> {
    let found = said.statements().filter_map(|sentence| {
        let (span, against) = (0..sentence.words.len()).find_map(|at| flag_at(sentence, at, ledger))?;
        let shown = against.shown.and_then(|(source, value)| ledger.shown_by(&source, &value));
        Some(Claim { shown, ..said.against(ClaimKind::Value, span, against.evidence)? })
    });
    found.collect()
}

/// What speaks against the word at `at` as what something is said to be.
fn flag_at(sentence: &Sentence, at: usize, ledger: &Ledger) -> Option<((usize, usize), Against)> {
    let (clause, end) = sentence.clause(at);
    let verb = (at.saturating_sub(NAME)..at).rev().find(|at| matches!(sentence.word(*at), "is" | "has"))?;
    let is_next = (verb + 1..at).all(|at| {
        let word = sentence.word(at);
        is(WordClass::Adverbs, word) || is(WordClass::Negations, word) || word == "been"
    });
    // `It`, or `your invoice` of the tool that shows invoices.
    let subject = sentence.before(verb);
    let is_tool = |card: &Card| card.name_stems.contains(stem(subject));
    let is_own = matches!(subject, "it" | "this")
        || (verb > 1
            && sentence.word(verb - 2) == "your"
            && ledger.calls.iter().filter_map(|call| ledger.card(call)).any(is_tool));
    let is_end = at + 1 >= end || sentence.mark(at + 1) != Mark::None;
    let is_open = sentence.has(WordClass::Modals, clause, end)
        || sentence.has(WordClass::Conditions, clause, end)
        || sentence.asks(at);
    if !is_next || !is_own || !is_end || is_open || clause > verb {
        return None;
    }
    let word = sentence.word(at);
    let is_denied = sentence.has(WordClass::Negations, verb, at);
    let (own, is_negative) = match word.strip_prefix("un").or_else(|| word.strip_prefix("non-")) {
        Some(rest) if rest.len() > 3 => (rest, true),
        _ => (word, false),
    };
    let stems = [stem(own).into()];
    let now: Vec<Entry> = shown_now(ledger).into_iter().filter(|entry| entry.is_called(&stems)).collect();
    let says = is_denied == is_negative;
    let last = now.last().filter(|_| now.iter().all(|entry| matches!(entry.value, Plain::Flag(is) if *is != says)))?;
    let value = last.value.text();
    let against = Against::of(last.shown, &value, format!("`{}` is {value}", last.field.key));
    Some((sentence.span(verb.saturating_sub(1), at + 1), against))
}
