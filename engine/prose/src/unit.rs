//! Units that numbers carry, and the other forms a number takes when its unit is normalised.

use jiff::Span;
use serde::Deserialize;

use super::amount::Amount;
use super::lexicon::lexicon;

/// What a number counts, as far as a word, a sign or a key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Money in whole units: EUR, dollars.
    Money,
    Cents,
    /// Hundredths of something.
    Percent,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
    /// Thousands of a smaller unit: kg, km.
    Kilo,
    /// Amounts of data: KB, MB, GB.
    Data,
}

impl Unit {
    pub fn of_word(word: &str) -> Option<Unit> {
        lexicon().entry(word).unit
    }

    /// The unit that letters right behind a number name: `2h`, `15eur`.
    pub fn of_suffix(letters: &str) -> Option<Unit> {
        match letters {
            "h" => Some(Unit::Hour),
            "m" => Some(Unit::Minute),
            "s" => Some(Unit::Second),
            "d" => Some(Unit::Day),
            other => Unit::of_word(other),
        }
    }

    /// The unit that a key names, its last word first: `amount_cents`, `nights`.
    pub fn of_key(key: &str) -> Option<Unit> {
        super::token::name_words(key).iter().rev().find_map(|word| Unit::of_word(word))
    }

    /// The unit that an author names: `EUR cents`, `minutes`.
    pub fn named(text: &str) -> Option<Unit> {
        super::token::words(text).iter().rev().find_map(|word| Unit::of_word(word))
    }

    /// What it measures; numbers of different dimensions are never added.
    fn dimension(self) -> u8 {
        match self {
            Unit::Money | Unit::Cents => 0,
            Unit::Percent => 1,
            Unit::Second | Unit::Minute | Unit::Hour | Unit::Day | Unit::Week | Unit::Month | Unit::Year => 2,
            Unit::Kilo => 3,
            Unit::Data => 4,
        }
    }

    /// Factors to other units that people and tools use for the same thing, as over / under.
    fn factors(self) -> &'static [(i64, i64, Option<Unit>)] {
        match self {
            Unit::Money => &[(100, 1, Some(Unit::Cents))],
            Unit::Cents => &[(1, 100, Some(Unit::Money))],
            Unit::Percent => &[(1, 100, None)],
            Unit::Second => &[(1000, 1, None), (1, 60, Some(Unit::Minute)), (1, 3600, Some(Unit::Hour))],
            Unit::Minute => &[(60, 1, Some(Unit::Second)), (1, 60, Some(Unit::Hour))],
            Unit::Hour => &[(60, 1, Some(Unit::Minute)), (3600, 1, Some(Unit::Second)), (1, 24, Some(Unit::Day))],
            Unit::Day => &[(24, 1, Some(Unit::Hour)), (1440, 1, Some(Unit::Minute)), (1, 7, Some(Unit::Week))],
            Unit::Week => &[(7, 1, Some(Unit::Day))],
            Unit::Month => &[(1, 12, Some(Unit::Year))],
            Unit::Year => &[(12, 1, Some(Unit::Month))],
            Unit::Kilo => &[(1000, 1, None)],
            Unit::Data => &[(1000, 1, None), (1024, 1, None), (1, 1000, None), (1, 1024, None)],
        }
    }
}

/// Whether numbers with these units may be added; a number without a unit goes with any.
pub fn go_together(a: Option<Unit>, b: Option<Unit>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a.dimension() == b.dimension())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    pub value: Amount,
    pub unit: Option<Unit>,
}

impl Quantity {
    pub fn new(value: Amount, unit: Option<Unit>) -> Self {
        Quantity { value, unit }
    }

    pub fn forms(self) -> impl Iterator<Item = Quantity> {
        let factors = self.unit.map_or(&[][..], Unit::factors).iter();
        let others = factors.filter_map(move |(over, under, unit)| {
            let value = self.value.scaled(*over, *under)?;
            // A form that does not come out even is no normalisation.
            (value.scaled(*under, *over)? == self.value).then_some(Quantity::new(value, *unit))
        });
        std::iter::once(self).chain(others)
    }

    /// The days or months that it spans; nothing for what is shorter than a day.
    pub fn span(self) -> Option<Span> {
        let whole = self.value.as_whole()?;
        match self.unit {
            Some(Unit::Day) => Span::new().try_days(whole).ok(),
            Some(Unit::Week) => Span::new().try_days(whole.checked_mul(7)?).ok(),
            Some(Unit::Month) => Span::new().try_months(whole).ok(),
            Some(Unit::Year) => Span::new().try_months(whole.checked_mul(12)?).ok(),
            _ => None,
        }
    }

    pub fn minutes(self) -> Option<i64> {
        match self.unit {
            Some(Unit::Minute) => self.value.as_whole(),
            Some(Unit::Hour) => self.value.scaled(60, 1)?.as_whole(),
            _ => None,
        }
    }

    pub fn is_money(self) -> bool {
        matches!(self.unit, Some(Unit::Money | Unit::Cents))
    }
}
