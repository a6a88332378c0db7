//! Value claims in replies: the numbers, days, times, ids and names that a reply tells the user. Each must be
//! known or follow from what is known; what may be meant in another way claims nothing.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::beside::{follows_from_text, is_after_midnight, is_rank, is_written_otherwise};
use super::contradiction::Statement;
use super::knowledge::Knowledge;
use super::prose::{Value, has_digit, is_known, value_at, written};
use super::remark;
use super::stated::Stated;
use probity_prose::calendar::days_between;
use probity_prose::date::weekday_name;
use probity_prose::quantity::{digit_run, quantity_at};
use probity_prose::{Amount, Days, MONTHS, Quantity, Reading, Token, Unit};

const MAX_CLAIMS: usize = 64;
/// How often values are looked at again, since one that is grounded may ground another.
const PASSES: usize = 3;

/// Between more days of one reply than this no days are counted.
const MOST_DAYS: usize = 6;

/// A rough number is within one part in so many of what it stands for.
const NEAR: i64 = 4;

pub(super) struct ValueClaim {
    pub text: String,
    /// Its characters in the reply.
    pub span: (usize, usize),
    pub grounded: bool,
    /// Whether it may be meant so that it claims nothing.
    pub is_open: bool,
    pub against: String,
    /// What it is said of, where that is certain.
    pub statement: Option<Statement>,
}

pub(super) struct FoundValue {
    pub at: usize,
    pub taken: usize,
    pub value: Value,
    pub grounded: bool,
}

impl FoundValue {
    /// Whether both are words of one name, or a weekday and its date.
    fn is_followed_by(&self, next: &FoundValue, tokens: &[Token]) -> bool {
        let gap = tokens.get(next.at).map_or("", |token| token.gap.as_str());
        let is_next = self.at + self.taken == next.at;
        match (&self.value, &next.value) {
            (Value::Name, Value::Name) => is_next && gap == " ",
            (Value::Days(date), Value::Days(day)) if is_weekday(tokens, next.at) && next.taken == 1 => {
                // `1 April (a Thursday)`
                let a = usize::from(tokens.get(self.at + self.taken).is_some_and(|token| token.folded == "a"));
                let opens = tokens.get(self.at + self.taken).map_or("", |token| token.gap.as_str());
                let is_near = self.at + self.taken + a == next.at && matches!(opens, ", " | " (");
                is_near && has_digit(tokens, self.at, self.taken) && !date.dates.is_empty() && !day.dates.is_empty()
            }
            (Value::Days(day), Value::Days(date)) => {
                let is_weekday = is_weekday(tokens, self.at) && self.taken == 1 && !day.dates.is_empty();
                let the = usize::from(tokens.get(self.at + 1).is_some_and(|token| token.folded == "the"));
                let is_near = self.at + 1 + the == next.at && matches!(gap, " " | ", " | " (");
                is_weekday && is_near && has_digit(tokens, next.at, next.taken) && !date.dates.is_empty()
            }
            (Value::Days(_) | Value::Times(_) | Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name, _) => {
                false
            }
        }
    }

    /// Takes the next word of a name, or the date of a weekday: one that is no such day is wrong.
    fn join(&mut self, next: FoundValue) {
        let is_other_day = |days: &Days, date: &Days| {
            let weekdays: Vec<_> = days.dates.iter().map(|day| day.weekday()).collect();
            !date.dates.iter().any(|date| weekdays.contains(&date.weekday()))
        };
        let is_wrong = match (&self.value, &next.value) {
            (Value::Days(days), Value::Days(date)) => !next.grounded || is_other_day(days, date),
            (Value::Days(_) | Value::Times(_) | Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name, _) => {
                !(self.grounded && next.grounded)
            }
        };
        self.grounded = !is_wrong;
        self.taken = next.at + next.taken - self.at;
        self.value = next.value;
    }

    fn quantity(&self) -> Option<Quantity> {
        match &self.value {
            Value::Number(quantity) | Value::Id(quantity) => *quantity,
            Value::Days(_) | Value::Times(_) | Value::NoDate | Value::Name => None,
        }
    }
}

/// The value claims of a reply; `stated` are the numbers that replies before it have told truly.
pub(super) fn claims(reply: &Reading, knowledge: &Knowledge, stated: &mut Stated) -> Vec<ValueClaim> {
    let text = reply.text();
    let tokens = &text.tokens;
    let mut found = values(tokens, knowledge);
    follow(tokens, &mut found, knowledge, stated);
    let spans: Vec<(usize, usize)> = found.iter().map(|one| (one.at, one.at + one.taken)).collect();
    let claim = |one: FoundValue| {
        let ends = (tokens.get(one.at), tokens.get(one.at + one.taken.max(1) - 1));
        ValueClaim {
            text: written(tokens, one.at, one.taken),
            span: ends.0.zip(ends.1).map_or((0, 0), |(first, last)| (first.span.0, last.span.1)),
            is_open: !one.grounded && remark::is_open(reply, one.at, one.taken, &one.value, is_far(&one, knowledge)),
            against: if one.grounded { String::new() } else { against(&one, knowledge) },
            statement: remark::statement(reply, one.at, one.taken, one.value, &spans),
            grounded: one.grounded,
        }
    };
    found.into_iter().map(claim).collect()
}

/// Whether an amount of money is near none that is known: *about 9,999 EUR* is not 279.00 rounded.
fn is_far(one: &FoundValue, knowledge: &Knowledge) -> bool {
    let Some(quantity) = one.quantity().filter(|quantity| quantity.is_money()) else { return false };
    let is_near = |known: &Quantity| {
        let mut forms = quantity.forms().filter(|form| form.unit == known.unit);
        let known = known.value.abs();
        forms.any(|form| known.minus(form.value.abs()).abs().scaled(NEAR, 1).is_some_and(|apart| apart <= known))
    };
    !knowledge.sources.iter().flat_map(|source| &source.figures).any(|figure| is_near(&figure.quantity))
}

/// The values of a reply; the number of a list's item is none.
fn values(tokens: &[Token], knowledge: &Knowledge) -> Vec<FoundValue> {
    let (mut found, mut at): (Vec<FoundValue>, usize) = (Vec::new(), 0);
    while at < tokens.len() && found.len() < MAX_CLAIMS {
        if let Some((taken, digits)) = digit_run(tokens, at) {
            let grounded = knowledge.has_digits(digits.trim_start_matches('0'));
            found.push(FoundValue { at, taken, value: Value::Number(None), grounded });
            at += taken;
            continue;
        }
        match value_at(tokens, at, knowledge).filter(|_| !is_list_mark(tokens, at)) {
            Some((taken, value)) => {
                let grounded = is_told(tokens, at, taken, &value, knowledge)
                    || is_written_otherwise(tokens, at, knowledge)
                    || follows_from_text(tokens, at, &value, found.last(), knowledge);
                let one = FoundValue { at, taken: taken.max(1), value, grounded };
                at += one.taken;
                match found.last_mut().filter(|last| last.is_followed_by(&one, tokens)) {
                    // `Noor Petrov` is one name, `Friday, 12 June` one day.
                    Some(last) => last.join(one),
                    None => found.push(one),
                }
            }
            None => at += 1,
        }
    }
    found
}

/// Grounds the numbers that follow from those that are grounded, and adds all of these to what was stated.
fn follow(tokens: &[Token], found: &mut [FoundValue], knowledge: &Knowledge, stated: &mut Stated) {
    let mut all = stated.with(knowledge);
    for (first, last, minutes) in spans(found) {
        if knowledge.is_apart(minutes) || all.make(Quantity::new(Amount::whole(minutes), Some(Unit::Minute)), 0) {
            found.iter_mut().skip(first).take(last + 1 - first).for_each(|one| one.grounded = true);
            all.add(Quantity::new(Amount::whole(minutes), Some(Unit::Minute)));
        }
    }
    for at in 0..tokens.len() {
        let counted = quantity_at(tokens, at)
            .filter(|(taken, quantity)| !has_digit(tokens, at, *taken) || quantity.unit == Some(Unit::Day));
        counted.into_iter().for_each(|(_, quantity)| all.count(quantity));
    }
    let apart = apart(found);
    let is_apart = |one: &FoundValue| one.quantity().is_some_and(|told| apart.contains(&told));
    found.iter_mut().filter(|one| is_apart(one)).for_each(|one| one.grounded = true);
    let mut is_new = vec![true; found.len()];
    for _ in 0..PASSES {
        for (one, is_new) in found.iter_mut().zip(&mut is_new).filter(|(_, is_new)| **is_new) {
            let Some(quantity) = one.quantity().map(|quantity| priced(quantity, decimals(tokens, one.at))) else {
                continue;
            };
            let is_stated = || {
                let lasts = quantity.minutes().is_some_and(|minutes| knowledge.is_apart(minutes));
                lasts || all.make(quantity, decimals(tokens, one.at))
            };
            one.grounded = one.grounded || is_stated();
            if one.grounded {
                all.add(quantity);
                *is_new = false;
            }
        }
    }
    *stated = all.stated();
}

/// The days between two days that a reply tells truly: `the warning of 14 July was 81 days old on 3 October`. Of many
/// days some are any number apart.
fn apart(found: &[FoundValue]) -> Vec<Quantity> {
    let day = |one: &FoundValue| match &one.value {
        Value::Days(days) if one.grounded => days.dates.first().copied(),
        Value::Days(_) | Value::Times(_) | Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name => None,
    };
    let told: BTreeSet<Date> = found.iter().filter_map(day).collect();
    if told.len() > MOST_DAYS {
        return Vec::new();
    }
    let pairs = told.iter().flat_map(|a| told.iter().filter(move |b| a < *b).map(move |b| days_between(*a, *b).abs()));
    pairs.map(|days| Quantity::new(Amount::whole(days), Some(Unit::Day))).collect()
}

/// `5 hours and 40 minutes` is one span: the places of its first and its last value, and its minutes.
fn spans(found: &[FoundValue]) -> Vec<(usize, usize, i64)> {
    let minutes = |one: &FoundValue| {
        let quantity = one.quantity()?;
        let days =
            (quantity.unit == Some(Unit::Day)).then(|| quantity.value.as_whole()?.checked_mul(24 * 60)).flatten();
        days.or_else(|| quantity.minutes())
    };
    let mut runs: Vec<(usize, usize, i64)> = Vec::new();
    for (at, pair) in found.windows(2).enumerate() {
        let [first, last] = pair else { continue };
        let Some((before, own)) = minutes(first).zip(minutes(last)) else { continue };
        let is_one = last.at <= first.at + first.taken + 1 && own < before.max(60);
        match runs.last_mut().filter(|run| is_one && run.1 == at) {
            Some(run) => *run = (run.0, at + 1, run.2.saturating_add(own)),
            None if is_one => runs.push((at, at + 1, before.saturating_add(own))),
            None => {}
        }
    }
    runs
}

/// A bare number with two digits behind its point is money: `94.00 a night`.
fn priced(quantity: Quantity, decimals: usize) -> Quantity {
    let is_price = quantity.unit.is_none() && decimals == 2;
    if is_price { Quantity::new(quantity.value, Some(Unit::Money)) } else { quantity }
}

/// How many digits a number is written with behind its point.
fn decimals(tokens: &[Token], at: usize) -> usize {
    let raw = tokens.get(at).map_or("", |token| token.raw.as_str());
    // The three digits of `1,250` are no fraction.
    raw.rsplit_once(['.', ',']).map(|(_, fraction)| fraction.len()).filter(|digits| *digits != 3).unwrap_or(0)
}

/// Whether a value that a reply tells is known or follows: days and money more strictly than for arguments.
fn is_told(tokens: &[Token], at: usize, taken: usize, value: &Value, knowledge: &Knowledge) -> bool {
    let as_words = || tokens.iter().skip(at).take(taken).all(|token| knowledge.has_word(&token.folded));
    match value {
        Value::Days(days) if has_digit(tokens, at, taken) && !days.dates.is_empty() => {
            let is_next = |date: &Date| date.yesterday().is_ok_and(|before| knowledge.tells_date(before));
            days.dates.iter().any(|date| knowledge.tells_date(*date))
                || (taken == 1 && (as_words() || is_rank(tokens, at, knowledge)))
                || (is_after_midnight(tokens, at) && days.dates.iter().any(is_next))
        }
        Value::Number(Some(quantity)) if quantity.unit.is_none() && has_digit(tokens, at, 1) => {
            // `36 September` is no day.
            let is_no_day = is_month(tokens, at + 1) && taken == 1;
            !is_no_day && (as_words() || knowledge.tells_amount(*quantity))
        }
        Value::Number(Some(quantity)) if quantity.is_money() => {
            quantity.forms().filter(|form| form.unit == Some(Unit::Money)).any(|form| knowledge.tells_amount(form))
        }
        Value::Days(_) | Value::Times(_) | Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name => {
            is_known(tokens, at, taken, value, knowledge)
        }
    }
}

fn is_month(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is_capitalised() && token.gap == " " && MONTHS.contains(&&*token.folded))
}

fn is_weekday(tokens: &[Token], at: usize) -> bool {
    weekday_name(tokens, at).is_some()
}

/// `1.` and `2)` at the start of a line.
fn is_list_mark(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| {
        let is_first = at == 0 || token.gap.contains('\n');
        is_first && token.raw.len() <= 2 && token.after.starts_with(['.', ')']) && token.after.len() > 1
    })
}

/// What a value was compared with, in words: the nearest that is known, where there is one.
fn against(one: &FoundValue, knowledge: &Knowledge) -> String {
    let nearest = match &one.value {
        Value::Number(Some(quantity)) | Value::Id(Some(quantity)) => knowledge.nearest_amount(*quantity),
        Value::Days(days) => days.dates.first().and_then(|date| knowledge.nearest_date(*date)),
        Value::Times(_) | Value::Number(None) | Value::Id(None) | Value::NoDate | Value::Name => None,
    };
    let all = format!("all of the {} things said and shown before", knowledge.sources.len());
    nearest.map_or_else(|| all.clone(), |nearest| format!("{all}; the nearest is {nearest}"))
}
