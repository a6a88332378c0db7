//! What a phrase says, and whether sources tell it: in so many words, in another unit, or so that it follows.

use compact_str::CompactString;

use super::told::{Told, together};
use probity_honesty::knowledge::Knowledge;
use probity_honesty::source::Source;
use probity_prose::token::{stem, words};
use probity_prose::unit::go_together;
use probity_prose::value::values;
use probity_prose::{Amount, Calendar, Certainty, Found, Quantity, Unit, Value};

/// What a phrase says: its values, or its words where it names no value.
pub struct Spoken {
    values: Vec<Value>,
    words: Vec<CompactString>,
}

/// Whether a number of a source is the number of a phrase and not one of something else.
fn is_of_same(figure: Option<Unit>, phrase: Option<Unit>) -> bool {
    match (figure, phrase) {
        (None, _) | (Some(Unit::Money), None) => true,
        (Some(_), None) => false,
        (Some(_), Some(_)) => go_together(figure, phrase),
    }
}

/// Whether a source tells a value as it stands; `is_figure` says which numbers are its own.
fn tells(source: &Source, value: &Value, is_figure: impl Fn(Quantity) -> bool) -> bool {
    match value {
        Value::Quantity(quantity) => is_figure(*quantity),
        Value::Days(days) => source.dates.iter().any(|(date, _)| days.contains(date)),
        Value::Times(times) => source.times.iter().any(|(time, _)| times.contains(time)),
        Value::Id(word) | Value::Name(word) => source.words.contains(word),
    }
}

/// Whether a value is known or follows from what is known, in so many words where it is a name or an id.
fn has(known: &Knowledge, value: &Value) -> bool {
    match value {
        Value::Id(word) | Value::Name(word) => known.has_word(word),
        Value::Quantity(_) | Value::Days(_) | Value::Times(_) => known.has(value),
    }
}

impl Spoken {
    pub(super) fn read(text: &str, calendar: &Calendar) -> Spoken {
        // `a`, `once` and `half past` are words like any other, but each capital of a phrase is a name's.
        let is_certain = |found: &Found| found.certainty == Certainty::Certain || matches!(found.value, Value::Name(_));
        let values = values(text, calendar).into_iter().filter(is_certain).map(|found| found.value).collect();
        Spoken { words: words(text), values }
    }

    /// Whether it names a value: a number, a day, a time, an id or a name.
    pub fn has_value(&self) -> bool {
        !self.values.is_empty()
    }

    /// Whether it says that there is none: `0 left` asks for no more to be known than `none left`.
    pub fn is_none(&self) -> bool {
        let is_zero = |value: &Value| matches!(value, Value::Quantity(quantity) if quantity.value == Amount::whole(0));
        self.has_value() && self.values.iter().all(is_zero)
    }

    /// Whether it names the same values as another phrase.
    pub fn is_same(&self, other: &Spoken) -> bool {
        // In `EUR 15` the unit stands apart.
        let is_unit = |value: &&Value| matches!(value, Value::Name(word) if Unit::of_word(word).is_some());
        let own: Vec<&Value> = self.values.iter().filter(|value| !is_unit(value)).collect();
        let others: Vec<&Value> = other.values.iter().filter(|value| !is_unit(value)).collect();
        let all_in = |a: &[&Value], b: &[&Value]| a.iter().all(|value| b.iter().any(|known| known.is_same(value)));
        !own.is_empty() && all_in(&own, &others) && all_in(&others, &own)
    }

    /// Whether all its values stand in one source in so many words: a number as one of the same thing, and not
    /// because a list has that length.
    pub fn is_said_in(&self, told: &Told) -> bool {
        let Some(source) = told.0.sources.first() else { return false };
        let is_figure = |quantity: Quantity| {
            source.figures.iter().map(|figure| figure.quantity).any(|figure| {
                let is_it =
                    |form: Quantity| figure.value.abs() == form.value.abs() && is_of_same(figure.unit, form.unit);
                quantity.forms().any(is_it)
            })
        };
        self.has_value() && self.values.iter().all(|value| tells(source, value, is_figure))
    }

    /// Whether all its values, or its words where it names no value, stand in one source as they are or in
    /// another unit.
    pub fn occurs_in(&self, told: &Told) -> bool {
        let Some(source) = told.0.sources.first() else { return false };
        if self.values.is_empty() {
            let telling = || self.words.iter().filter(|word| word.chars().count() >= 3);
            let is_in = |word: &CompactString| source.words.contains(word) || source.stems.contains(stem(word));
            return telling().count() > 0 && telling().all(is_in);
        }
        let is_figure = |quantity: Quantity| quantity.forms().any(|form| told.0.is_direct(form.value, form.unit));
        self.values.iter().all(|value| tells(source, value, is_figure))
    }

    /// Whether each of its values is known from several sources together, or follows from them by a sum, a
    /// difference, a rate or a span.
    pub fn follows_from(&self, told: &[&Told]) -> bool {
        self.has_value() && self.following(told).len() == self.count()
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Which of its values, by position, are known from these sources or follow from them. Every derivation adds
    /// what was said to one observation at most, so more observations together tell nothing that none of them
    /// tells next to what was said.
    pub fn following(&self, told: &[&Told]) -> Vec<usize> {
        let known = together(told);
        self.values.iter().enumerate().filter(|(_, value)| has(&known, value)).map(|(at, _)| at).collect()
    }
}
