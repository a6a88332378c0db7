//! Values that something known speaks against: a weekday that is not its date's, a length of time from now that is
//! another, a sum that does not come out, a count that a field tells otherwise, and a slip of a known
//! value or id in a sentence about its thing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;

use crate::claim::{Claim, ClaimKind};
use crate::field;
use crate::ledger::{Call, Counted, DAY, Gathered, Ledger};
use crate::money::{Money, in_money, money_slip};
use crate::reply::{Said, Told};
use crate::source::Source;
use probity_prose::date::{days_at, days_between, weekday_name};
use probity_prose::token::stem;
use probity_prose::{Amount, Certainty, MONTHS, Shape, Token, Unit, Value, WordClass, lexicon::is};

pub(crate) fn claims(said: &Said, ledger: &Ledger) -> Vec<Claim> {
    let known = &ledger.gathered.dates;
    let mut found = weekdays(said, ledger, known);
    let asserted = |span: (usize, usize), Against { evidence, shown }: Against| {
        let shown = shown.and_then(|(source, value)| ledger.shown_by(&source, &value));
        Some(Claim { shown, ..said.against(ClaimKind::Value, span, evidence)? })
    };
    for length in lengths(said).iter().filter(|length| !said.is_rough(length.tokens)) {
        let minutes = || minutes_against(length, said, ledger).filter(|_| !ledger.is_cut);
        let against = days_against(length, said, ledger, known).or_else(minutes);
        found.extend(against.and_then(|evidence| asserted(length.span, evidence.into())));
    }
    // What nothing known has may stand where it was not read.
    if ledger.is_cut {
        return found;
    }
    let (money, returned) = (Money::of(said), field::returned(ledger));
    for (at, told) in said.told.iter().enumerate().filter(|(_, told)| !said.is_rough(told.tokens)) {
        let sum = || money.sum_against(at, told, said, ledger).map(Against::from);
        let slip = || slip(told, &money, said, ledger);
        let named = || field::against(told, said, ledger, &returned);
        let against = count_against(told, said, &ledger.gathered.counted).or_else(named).or_else(sum).or_else(slip);
        found.extend(against.and_then(|against| asserted(told.span, against)));
    }
    found
}

/// What speaks against a value, in words, and the source and the value of it that do.
pub(crate) struct Against {
    pub evidence: String,
    pub shown: Option<(Arc<Source>, String)>,
}

impl Against {
    pub(crate) fn of(source: &Arc<Source>, value: &str, evidence: String) -> Against {
        Against { evidence, shown: Some((Arc::clone(source), value.to_owned())) }
    }
}

impl From<String> for Against {
    fn from(evidence: String) -> Against {
        Against { evidence, shown: None }
    }
}

/// `Thursday 16 October` where the 16th is a Friday.
fn weekdays(said: &Said, ledger: &Ledger, known: &BTreeSet<Date>) -> Vec<Claim> {
    let tokens = &said.text.tokens;
    let wrong = |at: usize| {
        let day = weekday_name(tokens, at)?;
        let (place, dates) = date_beside(said, at, ledger, known)?;
        let (first, last) = tokens.get(at.min(place.0)).zip(tokens.get(at.max(place.1 - 1)))?;
        // `the 13th` may be of any month.
        let is_month = |token: &Token| {
            token.shape == Shape::IsoDate
                || (token.folded.len() > 2 && MONTHS.iter().any(|month| month.starts_with(token.folded.as_str())))
        };
        let has_month = tokens.iter().take(place.1).skip(place.0).any(is_month);
        let is_right = !has_month || dates.iter().any(|date| date.weekday() == day);
        let span = (first.span.0, last.span.1);
        let date = dates.first().filter(|_| !is_right)?;
        said.against(ClaimKind::Value, span, format!("{date} is a {}", date.strftime("%A")))
    };
    (0..tokens.len()).filter_map(wrong).collect()
}

/// The date that the weekday at `at` is said of, behind it or before it: its tokens, and every day it may be.
fn date_beside(said: &Said, at: usize, ledger: &Ledger, known: &BTreeSet<Date>) -> Option<((usize, usize), Vec<Date>)> {
    let (tokens, calendar) = (&said.text.tokens, &ledger.desk.calendar);
    let is_near = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| !token.gap.contains(['.', '!', '?', ';', '\n', '/', '-', '–', '+', '&', '|']))
    };
    let is_joint = |at: usize| is_near(at) && is(WordClass::DateJoints, said.word(at));
    let date_at = |from: usize| {
        let days = days_at(tokens, from, calendar).filter(|days| !days.dates.is_empty())?;
        let place = (from, from + days.taken);
        let has_digit = tokens.iter().take(place.1).skip(from).any(|token| token.shape != Shape::Word);
        let is_date = has_digit || !days.months.is_empty() || days.taken > 1;
        (is_date && weekday_name(tokens, from).is_none()).then_some((place, likely(days.dates, known)))
    };
    let next = (at + 1..at + 3).find(|at| !is_joint(*at)).unwrap_or(at + 3);
    if let Some(behind) = Some(next).filter(|next| is_near(*next)).and_then(date_at) {
        return Some(behind);
    }
    // `16 October, a Friday`, `14 March (Saturday)`, `10 October, which is a Saturday`
    let first = (at.saturating_sub(4)..at).rev().find(|at| !is_joint(*at))? + 1;
    let opens = tokens.get(first)?.gap.contains([',', '(']) && is_near(first);
    let ends_here = |from: usize| date_at(from).filter(|(place, _)| place.1 == first);
    let before = (first.saturating_sub(4)..first).find_map(ends_here)?;
    (opens || first < at).then_some(before)
}

/// Of the years that a day may be of, those that are known of it.
fn likely(dates: Vec<Date>, known: &BTreeSet<Date>) -> Vec<Date> {
    let own: Vec<Date> = dates.iter().copied().filter(|date| known.contains(date)).collect();
    if own.is_empty() { dates } else { own }
}

/// A length of time.
struct Length {
    span: (usize, usize),
    tokens: (usize, usize),
    sentence: usize,
    days: Option<i64>,
    minutes: Option<i64>,
    is_known: bool,
}

fn lengths(said: &Said) -> Vec<Length> {
    let length = |told: &Told| {
        let own = told.quantity()?;
        let days = own.span().filter(|span| span.get_months() == 0).map(|span| i64::from(span.get_days()));
        let Told { span, tokens, sentence, is_known, .. } = *told;
        let minutes = own.minutes();
        (days.is_some() || minutes.is_some()).then_some(Length { span, tokens, sentence, days, minutes, is_known })
    };
    said.told.iter().filter(|told| told.certainty != Certainty::Weak).filter_map(length).collect()
}

impl Length {
    /// `13 days ago`, `5 days from today`.
    fn is_from_now(&self, said: &Said) -> bool {
        // `15 working days from today` are more days of the calendar.
        if (self.tokens.0..self.tokens.1).any(|at| is(WordClass::Workdays, said.word(at))) {
            return false;
        }
        let (next, after) = (said.word(self.tokens.1), said.word(self.tokens.1 + 1));
        is(WordClass::FromNow, next) || (next == "from" && matches!(after, "today" | "now"))
    }
}

/// How far before a length its day may be named, in tokens.
const REACH: usize = 8;

/// `13 days ago` of 2 March on the 17th.
fn days_against(length: &Length, said: &Said, ledger: &Ledger, known: &BTreeSet<Date>) -> Option<String> {
    let count = length.days.filter(|count| *count > 1)?;
    let today = ledger.desk.calendar.today;
    let has_digit =
        |told: &Told| (told.tokens.0..told.tokens.1).any(|at| said.word(at).contains(|c: char| c.is_ascii_digit()));
    if !length.is_from_now(said) {
        return None;
    }
    let days = |told: &Told| match has_digit(told) {
        true => likely(told.value.days().to_vec(), known),
        false => Vec::new(),
    };
    let (first, _) = length.tokens;
    let is_near = |told: &&Told| told.tokens.1 <= first && first <= told.tokens.1 + REACH;
    let is_day = |told: &&Told| !told.value.days().is_empty();
    let named = said.of_sentence(length.sentence).filter(is_near).filter(is_day).last()?;
    let (end, dates) =
        Some((named.tokens.1, days(named))).filter(|(_, dates)| !dates.is_empty() && !dates.contains(&today))?;
    let is_other = (end..first).any(|at| matches!(said.word(at), "and" | "but" | "or"));
    let apart: BTreeSet<i64> = dates.iter().map(|date| days_between(today, *date).abs()).collect();
    // It may be counted from another day that the reply speaks of.
    let from_other = || {
        said.told.iter().flat_map(days).any(|other| dates.iter().any(|date| days_between(*date, other).abs() == count))
    };
    let right = apart.first().filter(|_| !is_other && !apart.contains(&count) && !from_other())?;
    Some(format!("seen from {today}, it is {right} days"))
}

/// `live for two hours and forty minutes` since 12:40 at 14:20.
fn minutes_against(length: &Length, said: &Said, ledger: &Ledger) -> Option<String> {
    let count = length.minutes.filter(|count| *count > 0 && !length.is_known)?;
    let calendar = ledger.knowledge.calendar;
    let beside = || said.of_sentence(length.sentence);
    let earlier = beside().filter(|told| told.tokens.0 < length.tokens.0);
    let times: Vec<i64> = earlier.filter_map(|told| told.value.times().first().copied()).collect();
    let is_today = beside().map(|told| told.value.days()).all(|days| days.is_empty() || days.contains(&calendar.today));
    let before = length.tokens.0.checked_sub(1).map_or("", |at| said.word(at));
    let from_now = length.is_from_now(said) || (before == "for" && is_today);
    // At midnight no time of day is known, and what is longer than a day may end on any.
    let [time] = times.as_slice() else { return None };
    let right = (calendar.now - time).abs();
    // Whole hours may be rounded; `16:10 yesterday` lies beyond a midnight.
    let rounded = if count % 60 == 0 { 30 } else { 5 };
    let is_right = [right, DAY - right].iter().any(|right| (right - count).abs() <= rounded);
    (from_now && calendar.now > 0 && count < DAY && !is_right).then(|| format!("it is {right} minutes"))
}

/// Whether two numbers as written differ by one digit or by two neighbours that changed places.
pub(crate) fn is_slip(one: &str, other: &str) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let apart: Vec<(u8, u8)> = one.iter().copied().zip(other.iter().copied()).filter(|(a, b)| a != b).collect();
    let first = one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(0);
    let is_digits = apart.iter().all(|(a, b)| a.is_ascii_digit() && b.is_ascii_digit());
    let is_one = match apart.as_slice() {
        [_] => true,
        [(a, b), (c, d)] => one.get(first + 1) != other.get(first + 1) && (a, b) == (d, c),
        _ => false,
    };
    is_digits && is_one
}

/// Whether two numbers differ by two neighbours that changed places.
pub(crate) fn is_swap(one: i64, other: i64) -> bool {
    let digits = |number: i64| {
        let mut digits: Vec<char> = number.to_string().chars().collect();
        digits.sort_unstable();
        digits
    };
    is_slip(&one.to_string(), &other.to_string()) && digits(one) == digits(other)
}

/// `6 boxes left` where `boxes_left` is 5.
fn count_against(told: &Told, said: &Said, counted: &[Counted]) -> Option<Against> {
    let own = told.quantity().filter(|own| own.unit.is_none())?.value.as_whole().filter(|own| *own > 1)?;
    let before = told.tokens.0.checked_sub(1).map_or("", |at| said.word(at));
    let behind = said.text.tokens.iter().skip(told.tokens.1).take(3).take_while(|token| token.is_adjacent());
    let mut behind: Vec<&str> = behind.map(|token| stem(&token.folded)).collect();
    // `You now have 5 credits` tells how many are left.
    let is_lead = |at: usize| matches!(said.word(at), "have" | "has");
    let at = told.tokens.0;
    if behind.len() == 1 && (1..3).any(|back| at.checked_sub(back).is_some_and(is_lead)) {
        behind.push("left");
    }
    // `11:00 to 12:30, three half hours` is counted from its times.
    let has_times = || said.of_sentence(told.sentence).any(|other| !other.value.times().is_empty());
    if behind.len() < 2 || is(WordClass::CountLeads, before) || has_times() {
        return None;
    }
    let is_it = |counted: &&Counted| counted.field.stems.iter().all(|stem| behind.contains(&stem.as_str()));
    let seen: Vec<&Counted> = counted.iter().filter(is_it).collect();
    let last = seen.last().filter(|_| seen.iter().all(|counted| counted.value != own))?;
    let evidence = format!("`{}` is {}", last.field.key, last.value);
    Some(Against::of(&last.shown, &last.value.to_string(), evidence))
}

/// A value one slip off a known one that the sentence is about.
fn slip(told: &Told, money: &Money, said: &Said, ledger: &Ledger) -> Option<Against> {
    match &told.value {
        Value::Quantity(own) if own.is_money() => money_slip(in_money(*own)?, told, money, said, ledger),
        // `74 hours and 10 minutes` is written as no number that an id could have.
        Value::Quantity(own)
            if !told.is_known && own.unit.is_none() && own.value.as_whole().is_some() && !is_worked_out(told, said) =>
        {
            id_against(&own.value.plain(), told, said, ledger)
        }
        Value::Id(word) if !told.is_known => id_against(word, told, said, ledger),
        Value::Times(times) if !told.is_known && !is_of_other_zone(times, &ledger.gathered) => {
            time_slip(times, told, said, ledger).or_else(|| time_against(times, told, said, ledger).map(Against::from))
        }
        Value::Quantity(_) | Value::Id(_) | Value::Times(_) | Value::Days(_) | Value::Name(_) => None,
    }
}

/// Whether a number is the sum, the difference or the product of two that the sentence tells beside it: 1,800 of `40 by
/// 45`.
fn is_worked_out(told: &Told, said: &Said) -> bool {
    let own = |told: &Told| told.quantity().map(|own| own.value);
    let beside: Vec<Amount> =
        said.of_sentence(told.sentence).filter(|other| other.span != told.span).filter_map(own).collect();
    let makes = |a: Amount, b: Amount, value: Amount| {
        a.plus(b) == value || a.minus(b).abs() == value || a.times(b) == Some(value)
    };
    let pairs = || beside.iter().enumerate().flat_map(|(at, a)| beside.iter().skip(at).map(move |b| (*a, *b)));
    own(told).is_some_and(|value| pairs().any(|(a, b)| makes(a, b, value)))
}

/// Whether times may be known ones that are told in another zone: `11:05 in Zürich` of `09:05Z`.
fn is_of_other_zone(times: &[i64], known: &Gathered) -> bool {
    known.has_zones && known.times.iter().any(|known| times.iter().any(|time| (known - time) % 60 == 0))
}

/// In how many words at its start a sentence says that it is an example.
const EXAMPLE: usize = 3;

/// An hour and minute that no rule, no result and no word of the user has, and that follows from none: times of a desk
/// come from there. A sentence that counts on from another time may have reached it.
fn time_against(times: &[i64], told: &Told, said: &Said, ledger: &Ledger) -> Option<String> {
    // `6:03:10` and `6:03 hours` are how long something took, and `say it starts at 17:00` is an example.
    let is_length = said.text.tokens.get(told.tokens.1).is_some_and(|next| Unit::of_word(&next.folded).is_some());
    let is_clock =
        said.word(told.tokens.0).matches(':').count() == 1 && told.tokens.1 - told.tokens.0 == 1 && !is_length;
    let is_example = said
        .text
        .sentences
        .get(told.sentence)
        .is_some_and(|sentence| sentence.has(WordClass::Thoughts, 0, EXAMPLE) || sentence.word(0) == "say");
    let counts =
        said.of_sentence(told.sentence).any(|other| other.quantity().is_some_and(|own| own.minutes().is_some()));
    let Gathered { times: known, lengths, .. } = &ledger.gathered;
    let is_reached = |time: &i64| {
        lengths
            .range(..=DAY / 2)
            .any(|minutes| [time + minutes, time - minutes].iter().any(|end| times.contains(&end.rem_euclid(DAY))))
    };
    // `12-16` and `from 9` tell whole hours.
    let hour = said.word(told.tokens.0).strip_suffix(":00").map(|hour| hour.trim_start_matches('0'));
    let is_hour = hour.is_some_and(|hour| ledger.knowledge.has_word(hour));
    let follows = || is_hour || known.iter().any(is_reached);
    (is_clock && !is_example && !counts && ledger.desk.has_brief && !follows())
        .then(|| "no rule, no result and no word of the user has that time".to_owned())
}

/// `11:30` where the thing that the sentence is about has `10:30`.
fn time_slip(times: &[i64], told: &Told, said: &Said, ledger: &Ledger) -> Option<Against> {
    let sources = || ledger.knowledge.sources.iter();
    let raw = said.text.tokens.get(told.tokens.0)?.raw.as_str();
    if !raw.contains(':')
        || told.tokens.1 - told.tokens.0 > 1
        || times.iter().any(|time| ledger.gathered.times.contains(time))
    {
        return None;
    }
    let clock = |time: i64| format!("{:02}:{:02}", time / 60, time % 60);
    let own = clock(*times.first()?);
    // On the hour and half past it stand many times that are no slips of each other.
    let is_likely = |known: &str| own.get(..2) == known.get(..2) || !(own.ends_with(":00") || own.ends_with(":30"));
    let stems = said.stems(told.sentence);
    let lengths = &ledger.gathered.lengths;
    let is_later = |time: i64| lengths.iter().any(|minutes| times.iter().any(|own| (own - time).abs() == *minutes));
    sources().rev().find_map(|source| {
        let is_it = |(time, place): &&(i64, usize)| {
            is_slip(&own, &clock(*time))
                && is_likely(&clock(*time))
                && source.is_about(*place, stems)
                && !is_later(*time)
        };
        let (time, _) = source.times.iter().find(is_it)?;
        let evidence = format!("`{}` stands where it comes from", clock(*time));
        Some(Against::of(source, &clock(*time), evidence))
    })
}

/// A number or id that nothing has, where results have others of its form or one that it is a slip of.
fn id_against(word: &str, told: &Told, said: &Said, ledger: &Ledger) -> Option<Against> {
    if let Some((source, like)) = of_one_form(word, ledger) {
        let evidence = format!("no result has it; one that has its form is `{like}`");
        return Some(Against::of(source, like, evidence));
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if digits < 3 || word.len() < 4 || ledger.knowledge.has_digits_within(word) {
        return None;
    }
    let stems = said.stems(told.sentence);
    let is_year = |word: &str| word.len() == 4 && word.starts_with("20");
    let near = |source: &Source| {
        source.text.split(' ').find(|known| is_slip(word, known) && !is_year(known)).map(str::to_owned)
    };
    ledger.knowledge.sources.iter().rev().find_map(|source| {
        let known = near(source)?;
        let is_it = stems.iter().any(|stem| source.has_stem(stem));
        is_it.then(|| Against::of(source, &known, format!("`{known}` is known")))
    })
}

/// A known id with the same letters and as many digits, of several that results show: what has that form comes from
/// there.
fn of_one_form<'l>(word: &str, ledger: &'l Ledger) -> Option<(&'l Arc<Source>, &'l str)> {
    let form = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let own: String = word.chars().map(form).collect();
    if !own.starts_with(char::is_alphabetic) || !own.ends_with("00") || own.len() < 4 {
        return None;
    }
    let words = |call: &'l Call| call.shown.text.split(' ').map(|word| (word, &call.shown));
    let is_alike = |other: &str| other.len() == own.len() && other.chars().map(form).eq(own.chars());
    let shown = ledger.calls.iter().flat_map(words);
    let alike: BTreeMap<&str, &Arc<Source>> = shown.filter(|(other, _)| is_alike(other)).collect();
    alike.first_key_value().filter(|_| alike.len() > 1).map(|(id, source)| (*source, *id))
}
