//! What a reply tells under the name of a field, where results have something else under that name: `store credit:
//! 24.50` of 14.50, `sender Koppers` of another, `it is unpaid` of `paid: true`.

use std::collections::BTreeMap;
use std::sync::Arc;

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind};
use crate::ledger::{Call, Ledger};
use crate::reply::{Said, Told};
use crate::source::{Plain, Source};
use crate::value::Against;
use probity_prose::date::{days_at, weekday_name};
use probity_prose::token::{name_words, stem, tokens, words};
use probity_prose::{Amount, Certainty, Mark, Sentence, Unit, Value, WordClass, lexicon::is};

/// Most words of a field's name.
const NAME: usize = 3;
/// Most fields that are kept of a dialogue.
const MOST: usize = 5_000;

/// What results have under each name, the name as its stems in order of the alphabet.
#[derive(Default)]
pub(crate) struct Fields {
    named: BTreeMap<CompactString, Vec<Entry>>,
    count: usize,
    /// The last call that changed something.
    last_change: usize,
}

struct Entry {
    key: CompactString,
    value: Plain,
    shown: Arc<Source>,
    /// Which of the calls had it, and whether that was a change.
    call: usize,
    is_change: bool,
    may_be_money: bool,
}

impl Fields {
    /// Takes in what a call showed, the `at`th of a dialogue.
    pub(crate) fn add(&mut self, at: usize, call: &Call) {
        if call.is_ok && !call.is_read {
            self.last_change = at;
        }
        for (field, value) in call.shown.plains.iter().filter(|_| call.is_ok).take(MOST.saturating_sub(self.count)) {
            let Some(field) = call.shown.field(*field) else { continue };
            let may_be_money = field.may_be_money();
            self.count += 1;
            let (key, shown) = (field.key.clone(), Arc::clone(&call.shown));
            let entry = Entry { key, value: value.clone(), shown, call: at, is_change: !call.is_read, may_be_money };
            self.named.entry(name(&field.stems)).or_default().push(entry);
        }
    }

    /// What the changes since a call have under a name; nothing where more was shown than is kept.
    fn since(&self, stems: &[CompactString], call: usize) -> Vec<&Entry> {
        let all = self.named.get(&name(stems)).filter(|_| self.count < MOST);
        all.into_iter().flatten().filter(|entry| entry.is_change && entry.call >= call).collect()
    }

    /// What there is under a name since the last change.
    fn now(&self, stems: &[CompactString]) -> Vec<&Entry> {
        let all = self.named.get(&name(stems)).filter(|_| self.count < MOST);
        all.into_iter().flatten().filter(|entry| entry.call >= self.last_change).collect()
    }
}

fn name(stems: &[CompactString]) -> CompactString {
    let mut stems: Vec<&str> = stems.iter().map(CompactString::as_str).collect();
    stems.sort_unstable();
    stems.join(" ").into()
}

/// What speaks against a value that a reply tells of a change, under the name of a field of its result: `Store credit:
/// 24.50`, `Where: Tideswell surgery`. Other values may be of another thing of that name.
pub(crate) fn against(told: &Told, said: &Said, ledger: &Ledger) -> Option<Against> {
    // What stands behind a colon has a capital as often as not.
    let is_weak = told.certainty == Certainty::Weak && !matches!(told.value, Value::Name(_));
    if is_weak || ledger.calls.len() == ledger.answered {
        return None;
    }
    let sentence = said.text.sentences.get(told.sentence)?;
    names(told, said).into_iter().find_map(|stems| {
        let held = ledger.gathered.fields.since(&stems, ledger.answered);
        let is_apart = |entry: &&Entry| {
            let is_alike = entry.may_be_money || told.quantity().is_none_or(|own| !own.is_money());
            is_alike && speaks_against(&told.value, &entry.value, ledger) && !is_beside(sentence, &entry.value)
        };
        let last = held.last().filter(|_| held.iter().all(is_apart) && !is_sum(&told.value, &held))?;
        let value = last.value.text();
        Some(Against::of(&last.shown, &value, format!("`{}` is {value}", last.key)))
    })
}

/// The names under which a value stands alone on a line or in a row, the longest first, as stems: what stands before
/// its colon or its border, and the word behind a name of its own. `The fee stays at` is another way to name it.
fn names(told: &Told, said: &Said) -> Vec<Vec<CompactString>> {
    let all = &said.text.tokens;
    let ends = |at: &usize| all.get(*at).is_none_or(|token| token.gap.contains('\n'));
    let end = (told.tokens.1..).find(ends).unwrap_or(told.tokens.1);
    let has_more = said.told.iter().any(|other| (told.tokens.1..end).contains(&other.tokens.0));
    let parts = [',', '.', ';', ':', '!', '?', '|', '(', ')', '\n'];
    let is_near = |at: usize| all.get(at).is_some_and(|token| !token.gap.contains(parts));
    let is_day = |at: usize| weekday_name(all, at).is_some();
    let first = (0..=told.tokens.0).rev().find(|at| *at == 0 || !is_day(at - 1)).unwrap_or(0);
    let is_marked = all.get(first).is_some_and(|token| token.gap.contains([':', '|']) && !token.gap.contains('\n'));
    let is_told = !told.value.days().is_empty() && !said.words(told.span).contains(|c: char| c.is_ascii_digit());
    if is_told || (is_marked && has_more) {
        return Vec::new();
    }
    let word = |at: usize| all.get(at).map_or("", |token| token.folded.as_str());
    if !is_marked {
        let is_joint = |at: usize| is(WordClass::NameJoints, word(at)) && is_near(at + 1);
        let end = (0..=first).rev().find(|at| *at == 0 || !is_joint(at - 1)).unwrap_or(0);
        let start = (end.saturating_sub(NAME)..end).rev().find(|at| matches!(word(*at), "the" | "your" | "its"));
        let stems = start.map(|start| (start + 1..end).map(|at| stem(word(at)).into()).collect::<Vec<_>>());
        let is_said = end < first && !matches!(word(end), "at" | "to" | "now" | "still");
        return stems.filter(|stems| is_said && !stems.is_empty()).into_iter().collect();
    }
    let mut words = Vec::new();
    for at in (0..first).rev().take(NAME) {
        let Some(token) = all.get(at) else { break };
        words.push(token.folded.as_str());
        if !token.is_adjacent() {
            break;
        }
    }
    let behind = all.get(told.tokens.1).filter(|next| next.is_adjacent() && matches!(told.value, Value::Name(_)));
    let behind = behind.map(|next| next.folded.as_str());
    let is_name = |words: &&[&str]| match words {
        [one] => !is(WordClass::PlainLabels, one.strip_suffix('s').unwrap_or(one)),
        _ => true,
    };
    let before = (1..=words.len()).rev().filter_map(|count| words.get(..count));
    let names = before.chain(behind.as_ref().map(std::slice::from_ref)).filter(is_name);
    names.map(|words| words.iter().map(|word| stem(word).into()).collect()).collect()
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
    let sum = held.iter().fold(Amount::whole(0), |sum, entry| match &entry.value {
        Plain::Number(value) => sum.plus(*value),
        Plain::Text(_) | Plain::Flag(_) => sum,
    });
    held.len() > 1 && told.quantity().is_some_and(|own| own.value == sum)
}

/// *No fee* of a change, where each fee of its result is more than nothing.
pub(crate) fn free(said: &Said, ledger: &Ledger) -> Vec<Claim> {
    if ledger.calls.len() == ledger.answered {
        return Vec::new();
    }
    let is_fee = |entry: &&Entry| name_words(&entry.key).iter().any(|word| is(WordClass::FeeNames, word));
    let fresh = ledger.gathered.fields.named.values().flatten();
    let fresh = fresh.filter(|entry| entry.is_change && entry.call >= ledger.answered).filter(is_fee);
    let fees: Vec<(Amount, &Entry)> = fresh.filter_map(|entry| Some((entry.value.amount()?, entry))).collect();
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
        let claim = said.against(ClaimKind::Value, sentence.span(at, at + 2), format!("`{}` is {value}", fee.key))?;
        Some(Claim { shown: ledger.shown_by(&fee.shown, &value), ..claim })
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
    let verb = (at.saturating_sub(NAME)..at)
        .rev()
        .find(|at| matches!(sentence.word(*at), "is" | "has" | "isn't" | "hasn't"))?;
    let is_next = (verb + 1..at).all(|at| {
        let word = sentence.word(at);
        is(WordClass::Adverbs, word) || is(WordClass::Negations, word) || word == "been"
    });
    let is_own = sentence.range(clause, verb + 1).any(|word| matches!(word, "it" | "it's" | "this" | "your"));
    let is_end = at + 1 >= end || sentence.mark(at + 1) != Mark::None;
    let is_open = sentence.has(WordClass::Modals, clause, end)
        || sentence.has(WordClass::Conditions, clause, end)
        || sentence.asks(at);
    if !is_next || !is_own || !is_end || is_open || clause > verb {
        return None;
    }
    let word = sentence.word(at);
    let is_denied = sentence.has(WordClass::Negations, verb, at) || sentence.word(verb).ends_with("n't");
    let (own, is_negative) = match word.strip_prefix("un").or_else(|| word.strip_prefix("non-")) {
        Some(rest) if rest.len() > 3 => (rest, true),
        _ => (word, false),
    };
    let now = ledger.gathered.fields.now(&[stem(own).into()]);
    let says = is_denied == is_negative;
    let last = now.last().filter(|_| now.iter().all(|entry| matches!(entry.value, Plain::Flag(is) if is != says)))?;
    let value = last.value.text();
    let against = Against::of(&last.shown, &value, format!("`{}` is {value}", last.key));
    Some((sentence.span(verb.saturating_sub(1), at + 1), against))
}
