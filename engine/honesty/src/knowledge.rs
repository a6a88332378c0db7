//! All that an agent can know at a moment of an episode, and what follows from it directly.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;

use crate::source::{Source, SourceKind};
use probity_prose::token::{stem, tokens};
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

    pub fn of(&self, origin: SourceKind) -> impl Iterator<Item = &Source> {
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
                            || (words.iter().all(|word| source.words.contains(*word)) && source.text.contains(&phrase)))
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
            return matches!(telling.as_slice(), [only] if self.has_common_word(only));
        }
        let is_in = |token: &Token, source: &Source| {
            source.words.contains(&token.folded) || (is_common(token) && source.stems.contains(stem(&token.folded)))
        };
        let said: Vec<&Source> = self.of(SourceKind::User).collect();
        let in_one = |source: &Arc<Source>| telling.iter().all(|token| is_in(token, source));
        let in_turns = || telling.iter().all(|token| said.iter().any(|source| is_in(token, source)));
        !telling.is_empty() && (self.sources.iter().any(in_one) || in_turns())
    }

    /// A single word in lower case is known in its other forms: `refund` by `refunds`.
    fn has_common_word(&self, token: &Token) -> bool {
        is_common(token) && self.sources.iter().any(|source| source.stems.contains(stem(&token.folded)))
    }

    /// Whether a number is known as it stands or in another unit, or as the length of a list.
    pub fn is_direct(&self, value: Amount, unit: Option<Unit>) -> bool {
        let value = value.abs();
        let year = Amount::whole(i64::from(self.calendar.today.year()));
        value == year && unit.is_none_or(|unit| unit == Unit::Year)
            || self.sources.iter().any(|source| {
                source.figures.iter().any(|figure| figure.quantity.value.abs() == value)
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
        self.of(SourceKind::Observation)
            .any(|source| source.figures.iter().any(|figure| figure.quantity.value == value))
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
        let of = |date: &Date| (date.year(), date.month());
        let known: BTreeSet<(i16, i8)> =
            self.sources.iter().flat_map(|s| s.dates.iter().map(|(date, _)| of(date))).collect();
        of(&self.calendar.today) == wanted
            || known.contains(&wanted)
            || self.sources.iter().any(|source| source.months.contains(&wanted))
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
