//! All that an agent can know at a moment of an episode, and what follows from it directly.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Span;
use jiff::civil::Date;

use crate::source::{Figure, Source, SourceKind};
use probity_prose::date::days_between;
use probity_prose::token::{stem, tokens};
use probity_prose::unit::go_together;
use probity_prose::{Amount, Calendar, Minutes, Quantity, Shape, Token, Unit, Value, Wanted};

/// Everything said and shown so far.
pub struct Knowledge {
    /// The virtual clock as the agent knows it.
    pub calendar: Calendar,
    /// The sources, in the order they became known.
    pub sources: Vec<Arc<Source>>,
}

impl Knowledge {
    /// Knowledge of the clock alone.
    pub fn new(calendar: Calendar) -> Knowledge {
        Knowledge { calendar, sources: Vec::new() }
    }

    pub fn add(&mut self, source: impl Into<Arc<Source>>) {
        self.sources.push(source.into());
    }

    pub fn of(&self, origin: SourceKind) -> impl DoubleEndedIterator<Item = &Source> {
        self.sources.iter().map(Arc::as_ref).filter(move |source| source.origin == origin)
    }

    /// Whether a value is known or follows from what is known.
    pub fn has(&self, value: &Value) -> bool {
        match value {
            Value::Quantity(quantity) => quantity.forms().any(|form| self.has_amount(form.value, form.unit)),
            Value::Days(days) => self.has_any_date(days),
            Value::Times(times) => self.has_any_time(times),
            Value::Id(word) => self.has_word(word) || (word.len() >= 6 && self.has_digits(word)),
            Value::Name(word) => self.has_form_of(word),
        }
    }

    /// Whether an amount of money is known as it stands.
    pub fn tells(&self, amount: Amount) -> bool {
        let is_it = |known: Quantity| known.value.abs() == amount && (known.is_money() || known.unit.is_none());
        self.sources.iter().any(|source| source.figures.iter().any(|figure| is_it(figure.quantity)))
    }

    /// Whether digits stand inside a longer known number.
    pub fn has_digits_within(&self, digits: &str) -> bool {
        self.sources.iter().any(|source| source.digits.iter().any(|known| known.contains(digits)))
    }

    /// Whether a word occurs anywhere, keys included.
    pub fn has_word(&self, word: &str) -> bool {
        let word = Wanted::from(word);
        self.sources.iter().any(|source| source.words.contains(word))
    }

    /// Whether a word occurs anywhere in some form: `arrives` for `arrival` does not, for `arriving` does.
    pub fn has_form_of(&self, word: &str) -> bool {
        let stem = Wanted::from(stem(word));
        self.has_word(word) || self.sources.iter().any(|source| source.has_any_stem(stem))
    }

    /// Whether a text is known: as whole words, as a value in another form, or by all its words in one source.
    pub fn has_text(&self, text: &str) -> bool {
        let found = tokens(text);
        let is_one_piece = !text.trim().contains(char::is_whitespace) && found.len() > 1;
        self.has_phrase(&found) || self.has_value(&found) || (!is_one_piece && self.has_all_words(&found))
    }

    /// Whether the words of a text stand in a source, in this order.
    fn has_phrase(&self, found: &[Token]) -> bool {
        let words: Vec<&str> = found.iter().map(|token| token.folded.as_str()).collect();
        let joined = words.concat();
        match words.as_slice() {
            [] => true,
            // A bare number is not known by a longer one that holds it; dates and times are words of their own.
            [word] => self.has_word(word),
            _ => {
                let phrase = format!(" {} ", words.join(" "));
                self.sources.iter().any(|source| {
                    (source.words.len() >= words.len() || source.text.len() >= phrase.len())
                        && (source.words.contains(joined.as_str())
                            || (words.iter().all(|word| source.words.contains(word)) && source.text.contains(&phrase)))
                })
            }
        }
    }

    /// Whether a text is a number, a day, a month, a time or a telephone number that is known.
    fn has_value(&self, found: &[Token]) -> bool {
        let whole = |token: &Token| Amount::written(&token.folded);
        let clock = |at: usize| probity_prose::time::time_at(found, at).filter(|(taken, _)| at + taken == found.len());
        let days = probity_prose::date::days_at(found, 0, &self.calendar);
        let date = days.as_ref().filter(|days| !days.dates.is_empty() && self.has_any_date(&days.dates));
        let digits: String = found.iter().flat_map(|token| token.folded.chars()).filter(char::is_ascii_digit).collect();
        let is_phone = digits.len() >= 6 && found.iter().all(|token| token.shape == Shape::Number);
        let zone = |tokens: &[Token]| tokens.iter().all(|token| token.gap == "+" || token.gap == "-");
        match (found, date) {
            (_, Some(days)) if days.taken == found.len() => true,
            (_, Some(days)) => {
                let time = probity_prose::time::time_at(found, days.taken);
                time.is_some_and(|(taken, times)| {
                    found.get(days.taken + taken..).is_some_and(zone) && self.has_any_time(&times)
                })
            }
            ([year, month], None) if is_month(year, month) => self.has_month(year, month),
            (_, None) => {
                clock(0)
                    .is_some_and(|(_, times)| found.iter().any(|t| t.folded.contains(':')) && self.has_any_time(&times))
                    || matches!(found, [one] if whole(one).is_some_and(|value| self.has_amount(value, None)))
                    || (is_phone && self.has_digits(digits.trim_start_matches('0')))
            }
        }
    }

    /// Whether all words of a text occur in one source, in any order and form. All turns of the user are one.
    fn has_all_words(&self, found: &[Token]) -> bool {
        let telling: Vec<&Token> =
            found.iter().filter(|token| token.shape != Shape::Word || token.folded.chars().count() >= 3).collect();
        if telling.len() < 2 && found.len() < 2 {
            // A single word in lower case is known in its other forms: `refund` by `refunds`.
            let is_known = |word: &str| self.sources.iter().any(|source| source.stems.contains(stem(word)));
            return matches!(telling.as_slice(), [only] if is_common(only) && is_known(&only.folded));
        }
        let is_in = |token: &Token, source: &Source| {
            source.words.contains(&token.folded) || (is_common(token) && source.stems.contains(stem(&token.folded)))
        };
        let said: Vec<&Source> = self.of(SourceKind::User).collect();
        let in_one = |source: &Arc<Source>| telling.iter().all(|token| is_in(token, source));
        let in_turns = || telling.iter().all(|token| said.iter().any(|source| is_in(token, source)));
        !telling.is_empty() && (self.sources.iter().any(in_one) || in_turns())
    }

    /// Whether a number is known as it stands or in another unit, or as the length of a list.
    pub fn is_direct(&self, value: Amount, unit: Option<Unit>) -> bool {
        let value = value.abs();
        let year = Amount::whole(i64::from(self.calendar.today.year()));
        value == year && unit.is_none_or(|unit| unit == Unit::Year)
            || self.sources.iter().any(|source| {
                source.figures.iter().any(|figure| figure.quantity.value.abs() == value && figure.may_be(unit))
                    || value.as_whole().is_some_and(|whole| source.counts.contains(&whole))
            })
            || (unit == Some(Unit::Cents) && self.is_bare_money(value))
            || (unit == Some(Unit::Money) && value.scaled(100, 1).is_some_and(|minor| self.is_observed(minor)))
    }

    /// `no more than 80 a night` for a parameter in minor units: a bare number of the user or the brief.
    fn is_bare_money(&self, value: Amount) -> bool {
        self.sources.iter().filter(|source| source.origin != SourceKind::Observation).any(|source| {
            let bare = source.figures.iter().filter(|figure| figure.quantity.unit.is_none());
            bare.filter_map(|figure| figure.quantity.value.scaled(100, 1)).any(|minor| minor == value)
        })
    }

    fn is_observed(&self, value: Amount) -> bool {
        let mut seen = self.of(SourceKind::Observation).flat_map(|source| &source.figures);
        seen.any(|figure| figure.quantity.value == value)
    }

    /// Whether a run of digits is known whole or as the end of one.
    pub fn has_digits(&self, digits: &str) -> bool {
        let same = |known: &String| known == digits || known.ends_with(digits) || digits.ends_with(known.as_str());
        self.sources.iter().any(|source| source.digits.iter().any(same))
    }

    /// Whether one of the days is known or follows from what is known.
    pub fn has_any_date(&self, dates: &[Date]) -> bool {
        dates.iter().any(|date| self.has_date(*date))
    }

    /// Whether one of the times is known or follows from what is known.
    pub fn has_any_time(&self, times: &[Minutes]) -> bool {
        times.iter().any(|time| self.has_time(*time))
    }

    /// Whether a value is a day between today and a day that is known.
    pub fn is_day_between(&self, value: &str) -> bool {
        let Ok(day) = value.trim_matches('"').parse::<Date>() else { return false };
        let mut known = self.sources.iter().flat_map(|source| &source.dates).map(|(date, _)| *date);
        day >= self.calendar.today && known.any(|known| day <= known)
    }

    fn has_month(&self, year: &Token, month: &Token) -> bool {
        let Some(wanted) = year.folded.parse::<i16>().ok().zip(month.folded.parse::<i8>().ok()) else { return false };
        let is_it = |date: &Date| (date.year(), date.month()) == wanted;
        let is_in =
            |source: &Source| source.dates.iter().any(|(date, _)| is_it(date)) || source.months.contains(&wanted);
        is_it(&self.calendar.today) || self.sources.iter().any(|source| is_in(source))
    }
}

/// `2026-06`.
fn is_month(year: &Token, month: &Token) -> bool {
    year.folded.len() == 4 && month.folded.len() == 2 && month.gap == "-" && month.shape == Shape::Number
}

/// A word that is no name: in lower case, with letters only.
fn is_common(token: &Token) -> bool {
    token.shape == Shape::Word && !token.is_capitalised()
}

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
        self.of(SourceKind::Observation).rev().take(MAX_SOURCES)
    }

    /// Whether a number is the days or minutes between two known moments.
    fn is_between(&self, value: Amount, unit: Option<Unit>) -> bool {
        let is_time = unit.is_none_or(|unit| matches!(unit, Unit::Day | Unit::Minute | Unit::Hour | Unit::Week));
        let Some(whole) = value.as_whole().filter(|whole| is_time && *whole > 0) else { return false };
        let said = self.said_dates();
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

    /// Today, and the days that the user has said.
    fn said_dates(&self) -> Vec<(Date, usize)> {
        let said = self.of(SourceKind::User).flat_map(|source| &source.dates).copied().take(MAX_FIGURES);
        said.chain([(self.calendar.today, 0)]).collect()
    }

    /// Whether a day is known or so many known days before or after one.
    pub fn has_date(&self, date: Date) -> bool {
        let said: Vec<Date> = self.said_dates().into_iter().map(|(date, _)| date).collect();
        let is_known = |source: &Arc<Source>| source.dates.iter().any(|(known, _)| *known == date);
        if said.contains(&date) || self.sources.iter().any(is_known) {
            return true;
        }
        let is_it = |from: Date, span: Span| reaches(from, span, date);
        let spans_of = |origins: &[SourceKind]| self.figures_of(origins).into_iter().filter_map(span).collect();
        let (told, by_user): (Vec<Span>, Vec<Span>) =
            (spans_of(&[SourceKind::User, SourceKind::Brief]), spans_of(&[SourceKind::User]));
        let of = |source: &Source| (source.dates.iter().take(MAX_FIGURES).copied().collect(), spans(source));
        self.is_reached((&said, &told, &by_user), of, is_it)
    }

    /// Whether a time of day is known or so long before or after one.
    pub fn has_time(&self, time: Minutes) -> bool {
        let known = |source: &Arc<Source>| source.times.iter().any(|(known, _)| *known == time);
        if self.calendar.now == time || self.sources.iter().any(known) {
            return true;
        }
        let lasting = |figure: &Figure| figure.quantity.minutes();
        let told = self.figures_of(&[SourceKind::User, SourceKind::Brief]);
        let told: Vec<Minutes> = told.into_iter().filter_map(lasting).collect();
        let said = self.of(SourceKind::User).flat_map(|source| &source.times).map(|(time, _)| *time).take(MAX_FIGURES);
        let said: Vec<Minutes> = said.chain([self.calendar.now]).collect();
        let of = |source: &Source| {
            let lengths = source.figures.iter().take(MAX_FIGURES).filter_map(|own| Some((lasting(own)?, own.place)));
            (source.times.iter().take(MAX_FIGURES).copied().collect(), lengths.collect())
        };
        let is_it = |from: Minutes, minutes: Minutes| {
            [from + minutes, from - minutes].iter().any(|there| there.rem_euclid(1440) == time)
        };
        self.is_reached((&said, &told, &told), of, is_it)
    }

    /// Whether what is sought lies a length away: one that was told from a moment that was said; or one that was told,
    /// or that stands beside it, from a moment of an observation; or one of an observation from a moment that was said.
    fn is_reached<M: Copy, L: Copy>(
        &self,
        (said, told, told_of_seen): (&[M], &[L], &[L]),
        of: impl Fn(&Source) -> (Vec<(M, usize)>, Vec<(L, usize)>),
        is_it: impl Fn(M, L) -> bool,
    ) -> bool {
        let any = |from: M, lengths: &[L]| lengths.iter().any(|length| is_it(from, *length));
        said.iter().any(|from| any(*from, told))
            || self.latest().any(|source| {
                let (moments, lengths) = of(source);
                let beside = |(from, at): &(M, usize)| {
                    any(*from, told_of_seen)
                        || lengths.iter().any(|(length, place)| place == at && is_it(*from, *length))
                };
                moments.iter().any(beside)
                    || lengths.iter().any(|(length, _)| said.iter().any(|from| is_it(*from, *length)))
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
    let is_sum = || a.value.plus(b.value) == value || a.value.minus(b.value).abs() == value;
    (go_together(a.unit, b.unit) && is_sum()) || is_rate(a, b, value) || is_rate(b, a, value)
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
    [span, -span].into_iter().any(|span| from.checked_add(span).is_ok_and(|there| there == date))
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
        here.into_iter().flat_map(|span| [span, -span]).filter_map(move |span| Some((from.checked_add(span).ok()?, at)))
    };
    let more: Vec<(Date, usize)> = dates.iter().flat_map(ends).collect();
    dates.extend(more);
    dates
}

fn minutes_between(source: &Source, whole: i64) -> bool {
    let times: Vec<&(Minutes, usize)> = source.times.iter().take(MAX_FIGURES).collect();
    let is_it = |apart: Minutes| [1, 60].into_iter().any(|each| apart.abs() == whole.saturating_mul(each));
    times.iter().any(|(a, at)| times.iter().any(|(b, place)| at == place && is_it(a - b)))
}
