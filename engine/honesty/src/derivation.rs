//! Values that follow from what is known by a stated derivation: a sum, a difference, a rate, a day or a time
//! so much later. Everything added stands in one place, or is said on one side and observed on the other:
//! sums over all that was ever seen would make every small number known.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;

use crate::knowledge::Knowledge;
use crate::source::{Figure, Source, SourceKind};
use probity_prose::calendar::{days_between, plus_days, plus_months};
use probity_prose::unit::go_together;
use probity_prose::{Amount, Minutes, Quantity, Span, Unit};

/// Most numbers of one source that are added up.
const MAX_FIGURES: usize = 200;
/// Most sources that are looked at for derivations: the latest.
const MAX_SOURCES: usize = 64;
/// An observation with more days than this takes no part in differences between days.
const MAX_DATES: usize = 12;
/// From this size on, two values of one field may be added or compared over different objects.
const LARGE: i64 = 100;

impl Knowledge {
    /// Whether a number is known or follows from what is known.
    pub fn has_amount(&self, value: Amount, unit: Option<Unit>) -> bool {
        self.is_direct(value, unit) || self.is_derived(value.abs()) || self.is_between(value.abs(), unit)
    }

    /// Whether both numbers of a score are known: `3:4` of *three of theirs and Aldwick four*.
    pub fn has_score(&self, text: &str) -> bool {
        let is_known = |part: &str| Amount::written(part).is_some_and(|value| self.is_direct(value, None));
        text.split_once(':').is_some_and(|(one, other)| is_known(one) && is_known(other))
    }

    /// Whether two known numbers that stand in one place, or are told on one side, make `value`.
    fn is_derived(&self, value: Amount) -> bool {
        let said = self.figures_of(&[SourceKind::User]);
        let told = self.figures_of(&[SourceKind::User, SourceKind::Brief]);
        if said.iter().enumerate().any(|(at, a)| said.iter().skip(at + 1).any(|b| makes(a.quantity, b.quantity, value)))
        {
            return true;
        }
        self.latest().any(|source| {
            let seen: Vec<&Figure> = source.figures.iter().take(MAX_FIGURES).collect();
            within(&seen, value) || seen.iter().any(|a| told.iter().any(|b| makes(a.quantity, b.quantity, value)))
        })
    }

    fn figures_of(&self, origins: &[SourceKind]) -> Vec<&Figure> {
        let sources = self.sources.iter().rev().filter(|source| origins.contains(&source.origin));
        sources.flat_map(|source| &source.figures).take(MAX_FIGURES).collect()
    }

    fn latest(&self) -> impl Iterator<Item = &Source> {
        self.sources
            .iter()
            .rev()
            .map(Arc::as_ref)
            .filter(|source| source.origin == SourceKind::Observation)
            .take(MAX_SOURCES)
    }

    /// Whether a number is the days or minutes between two known moments.
    fn is_between(&self, value: Amount, unit: Option<Unit>) -> bool {
        let is_time = unit.is_none_or(|unit| matches!(unit, Unit::Day | Unit::Minute | Unit::Hour | Unit::Week));
        let Some(whole) = value.as_whole().filter(|whole| is_time && *whole > 0) else { return false };
        let mut said = self.said_dates();
        said.push((self.calendar.today, 0));
        let apart = |a: &Date, b: &Date| days_between(*a, *b).abs() == whole;
        let any = |a: &[(Date, usize)], b: &[(Date, usize)]| a.iter().any(|(a, _)| b.iter().any(|(b, _)| apart(a, b)));
        if any(&said, &said) {
            return true;
        }
        self.latest().any(|source| {
            let dates = dates_with_spans(source);
            let same = dates.iter().any(|(a, at)| dates.iter().any(|(b, place)| at == place && apart(a, b)));
            let few = source.dates.iter().map(|(date, _)| date).collect::<BTreeSet<_>>().len() <= MAX_DATES;
            same || (few && any(&said, &dates)) || minutes_between(source, whole)
        }) || self.of(SourceKind::User).any(|source| minutes_between(source, whole))
    }

    fn said_dates(&self) -> Vec<(Date, usize)> {
        self.of(SourceKind::User).flat_map(|source| source.dates.iter().copied()).take(MAX_FIGURES).collect()
    }

    /// Whether a day is known or so many known days before or after one.
    pub fn has_date(&self, date: Date) -> bool {
        let mut said = self.said_dates();
        said.push((self.calendar.today, 0));
        if said.iter().any(|(known, _)| *known == date)
            || self.sources.iter().any(|s| s.dates.iter().any(|(d, _)| *d == date))
        {
            return true;
        }
        let told = self.spans_of(&[SourceKind::User, SourceKind::Brief]);
        if said.iter().any(|(from, _)| told.iter().any(|span| reaches(*from, *span, date))) {
            return true;
        }
        let user_spans = self.spans_of(&[SourceKind::User]);
        self.latest().any(|source| {
            dates_with_spans(source).iter().any(|(known, _)| *known == date)
                || source
                    .dates
                    .iter()
                    .take(MAX_FIGURES)
                    .any(|(from, _)| user_spans.iter().any(|s| reaches(*from, *s, date)))
                || spans(source).iter().any(|(span, _)| said.iter().any(|(from, _)| reaches(*from, *span, date)))
        })
    }

    fn spans_of(&self, origins: &[SourceKind]) -> Vec<Span> {
        self.figures_of(origins).into_iter().filter_map(span).collect()
    }

    /// Whether a time of day is known or so long before or after one.
    pub fn has_time(&self, time: Minutes) -> bool {
        let known = |source: &Arc<Source>| source.times.iter().any(|(known, _)| *known == time);
        if self.calendar.now == time || self.sources.iter().any(known) {
            return true;
        }
        let lasting = |figure: &&Figure| figure.quantity.minutes();
        let told: Vec<i64> =
            self.figures_of(&[SourceKind::User, SourceKind::Brief]).iter().filter_map(lasting).collect();
        let reached =
            |from: Minutes, minutes: i64| [from + minutes, from - minutes].iter().any(|t| t.rem_euclid(1440) == time);
        let said =
            self.of(SourceKind::User).flat_map(|source| source.times.iter().map(|(time, _)| *time)).take(MAX_FIGURES);
        let said: Vec<Minutes> = said.chain([self.calendar.now]).collect();
        if said.iter().any(|from| told.iter().any(|minutes| reached(*from, *minutes))) {
            return true;
        }
        self.latest().any(|source| {
            let seen: Vec<(i64, usize)> =
                source.figures.iter().take(MAX_FIGURES).filter_map(|f| Some((lasting(&f)?, f.place))).collect();
            source.times.iter().take(MAX_FIGURES).any(|(from, at)| {
                told.iter().any(|minutes| reached(*from, *minutes))
                    || seen.iter().any(|(minutes, place)| place == at && reached(*from, *minutes))
            }) || seen.iter().any(|(minutes, _)| said.iter().any(|from| reached(*from, *minutes)))
        })
    }
}

/// Whether two numbers of one observation make `value`: of one object, or of one field when it is large.
fn within(seen: &[&Figure], value: Amount) -> bool {
    let is_large = value >= Amount::whole(LARGE);
    seen.iter().enumerate().any(|(at, a)| {
        let is_list = is_large && a.field > 0;
        seen.iter().skip(at + 1).any(|b| {
            let near = a.place == b.place || (is_list && a.field == b.field);
            near && makes(a.quantity, b.quantity, value)
        })
    })
}

/// Whether the sum, the difference or the rate of two numbers is `value`.
pub fn makes(a: Quantity, b: Quantity, value: Amount) -> bool {
    (go_together(a.unit, b.unit) && is_sum_of(a, b, value)) || is_rate(a, b, value) || is_rate(b, a, value)
}

fn is_sum_of(a: Quantity, b: Quantity, value: Amount) -> bool {
    a.value.plus(b.value) == value || a.value.minus(b.value).abs() == value
}

/// So many times an amount of money, or so many percent of it.
fn is_rate(money: Quantity, count: Quantity, value: Amount) -> bool {
    if !money.is_money() || count.is_money() {
        return false;
    }
    match count.unit {
        Some(Unit::Percent) => {
            let part = money.value.times(count.value).and_then(|product| product.scaled(1, 100));
            part.is_some_and(|part| part == value || money.value.minus(part) == value)
        }
        unit => {
            let most = if unit.is_some() { 366 } else { 31 };
            let whole = count.value.as_whole().is_some_and(|count| (2..=most).contains(&count));
            whole && money.value.times(count.value) == Some(value)
        }
    }
}

/// Whether a day is a span before or after another one.
pub fn reaches(from: Date, span: Span, date: Date) -> bool {
    let back = Span { months: -span.months, days: -span.days };
    [span, back].into_iter().any(|span| after(from, span) == Some(date))
}

fn after(from: Date, span: Span) -> Option<Date> {
    plus_months(from, span.months).and_then(|there| plus_days(there, span.days))
}

/// The days that a number spans; hours made into days, as in `within 48 hours`, are no span.
pub fn span(figure: &Figure) -> Option<Span> {
    figure.quantity.span().filter(|_| figure.is_original)
}

fn spans(source: &Source) -> Vec<(Span, usize)> {
    source.figures.iter().take(MAX_FIGURES).filter_map(|f| Some((span(f)?, f.place))).collect()
}

/// The days of an observation, and those at the other end of a span in the same object.
fn dates_with_spans(source: &Source) -> Vec<(Date, usize)> {
    let spans = spans(source);
    let mut dates: Vec<(Date, usize)> = source.dates.iter().take(MAX_FIGURES).copied().collect();
    let ends = |(from, at): &(Date, usize)| {
        let (from, at) = (*from, *at);
        let here: Vec<Span> = spans.iter().filter(|(_, place)| *place == at).map(|(span, _)| *span).take(8).collect();
        here.into_iter().flat_map(move |span| {
            let end = |sign: i64| plus_months(from, sign * span.months).and_then(|d| plus_days(d, sign * span.days));
            [end(1), end(-1)].into_iter().flatten().map(move |date| (date, at))
        })
    };
    let more: Vec<(Date, usize)> = dates.iter().flat_map(ends).collect();
    dates.extend(more);
    dates
}

fn minutes_between(source: &Source, whole: i64) -> bool {
    let times: Vec<&(Minutes, usize)> = source.times.iter().take(MAX_FIGURES).collect();
    let apart = |a: Minutes, b: Minutes| (a - b).abs();
    times.iter().any(|(a, at)| {
        times
            .iter()
            .any(|(b, place)| at == place && (apart(*a, *b) == whole || apart(*a, *b) == whole.saturating_mul(60)))
    })
}
