//! The values of an utterance, so that two utterances can be held against each other: read as replies are.

use std::rc::Rc;

use jiff::civil::Date;
use probity_prose::token::tokens;
use probity_prose::{Amount, Calendar, Certainty, Shape, Token, Unit, Value, Words, value::values_in};

pub struct Values {
    said: Vec<SpokenValue>,
    /// Readings that need not be kept but may answer for one that must: `one night` for `1 night`.
    weak: Vec<Value>,
    words: Words,
    /// All words without what stands between them, so that `B-31` is `b31`.
    joined: String,
}

struct SpokenValue {
    value: Value,
    as_written: String,
}

impl SpokenValue {
    /// Whether it is money, or written as money is.
    fn is_sum(&self) -> bool {
        match self.value {
            Value::Quantity(quantity) => {
                quantity.unit == Some(Unit::Money) || (quantity.unit.is_none() && self.as_written.contains('.'))
            }
            Value::Days(_) | Value::Times(_) | Value::Id(_) | Value::Name(_) => false,
        }
    }
}

impl Values {
    /// Reads a text said at `now`, in seconds after 1970.
    pub fn read(text: &str, now: i64) -> Values {
        let (mut said, mut weak) = (Vec::new(), Vec::new());
        let chars: Vec<char> = text.chars().collect();
        let tokens = tokens(text);
        for found in values_in(&tokens, &Calendar::at(now)) {
            let (from, to) = found.span;
            let as_written = || chars.get(from..to).unwrap_or_default().iter().collect();
            match found.certainty {
                Certainty::Weak => weak.push(found.value),
                Certainty::Certain | Certainty::Word => {
                    said.push(SpokenValue { as_written: as_written(), value: found.value })
                }
            }
        }
        let joined = tokens.iter().map(|token| token.folded.as_str()).collect();
        Values { said, weak, words: tokens.into_iter().map(|token| token.folded).collect(), joined }
    }

    /// The first of these values, as written, that another utterance does not say.
    pub fn missing_from<'a>(&'a self, other: &Values) -> Option<&'a str> {
        self.said.iter().find(|said| !other.says(&said.value)).map(|said| said.as_written.as_str())
    }

    /// Whether it tells something, and another utterance tells all of that: what is weak where nothing else is told.
    pub(super) fn are_told_in(&self, other: &Values) -> bool {
        match self.said.is_empty() {
            true => !self.weak.is_empty() && self.weak.iter().all(|value| other.says(value)),
            false => self.missing_from(other).is_none(),
        }
    }

    /// Whether it tells a day, a time or a measured amount in the place of one that another utterance tells.
    pub(super) fn says_another(&self, other: &Values) -> bool {
        let alike = |own: &SpokenValue| other.said.iter().any(|other| own.value.is_alike(&other.value));
        self.said.iter().any(alike) && !other.said.iter().any(|other| self.says(&other.value))
    }

    /// Whether each value that it tells of the same kind as one of these is that value, in the order in which they stand.
    pub(super) fn held_against(&self, ways: &[Rc<Values>]) -> Vec<bool> {
        let own = || ways.iter().flat_map(|way| way.said.iter().map(|said| &said.value).chain(&way.weak));
        let held = self.said.iter().filter_map(|said| {
            let is_own = own().any(|own| said.value.is_same(own));
            (is_own || own().any(|own| said.value.is_alike(own))).then_some(is_own)
        });
        held.collect()
    }

    /// The only day or sum of another utterance, as written, in the place of which it tells one that is among none of
    /// those that were said; `whole` is what it is part of, which does not tell it either.
    pub(super) fn misheard<'a>(&self, own: &'a Values, all: &Values, whole: &Values) -> Option<&'a str> {
        let is_day = |value: &Value| matches!(value, Value::Days(days) if days.len() == 1);
        let is_sum = |value: &Value| matches!(value, Value::Quantity(quantity) if quantity.unit == Some(Unit::Money));
        let only = |is_plain: &dyn Fn(&Value) -> bool| {
            let mut told = self.said.iter().filter(|said| is_plain(&said.value) && !all.says(&said.value));
            let told = told.next().filter(|_| told.next().is_none())?;
            let plain = own.said.iter().filter(|own| is_plain(&own.value));
            let mut alike = plain.filter(|own| own.value.is_alike(&told.value) && !whole.says(&own.value));
            alike.next().filter(|_| alike.next().is_none()).map(|own| own.as_written.as_str())
        };
        only(&is_day).or_else(|| only(&is_sum))
    }

    /// Whether each of these values is told by what is its own, or is a sum that was told.
    pub(super) fn are_own(&self, own: &Values, told: &Values) -> bool {
        self.said.iter().all(|said| own.says(&said.value) || (said.is_sum() && told.says(&said.value)))
    }

    /// Whether each of its sums is one of another utterance.
    pub(super) fn has_only_sums_of(&self, other: &Values) -> bool {
        self.said.iter().filter(|said| said.is_sum()).all(|said| other.says(&said.value))
    }

    /// Whether it tells one of these values otherwise than another utterance, which may tell it by the way.
    pub(super) fn contradicts(&self, own: &Values) -> bool {
        self.said.iter().any(|said| is_told_otherwise(&said.value, own))
    }

    /// The same of what is no day or time.
    pub(super) fn contradicts_beside_times(&self, own: &Values) -> bool {
        let said = self.said.iter().map(|said| &said.value);
        let mut lasting = said.filter(|value| !matches!(value, Value::Days(_) | Value::Times(_)));
        lasting.any(|value| is_told_otherwise(value, own))
    }

    /// A text that it was read from without these values, but for plain numbers, which may count anything.
    pub(super) fn taken_from(&self, text: &str) -> String {
        let is_count = |said: &&SpokenValue| match said.value {
            Value::Quantity(quantity) => quantity.unit.is_none() && said.as_written.chars().all(char::is_alphanumeric),
            Value::Days(_) | Value::Times(_) | Value::Id(_) | Value::Name(_) => false,
        };
        self.said
            .iter()
            .filter(|said| !is_count(said))
            .fold(text.to_owned(), |rest, said| rest.replace(&said.as_written, " "))
    }

    /// The only plain number that it tells, in figures or words, which counts something.
    pub(super) fn only_count(&self) -> Option<Amount> {
        let count = |value: &Value| match value {
            Value::Quantity(quantity) if quantity.unit.is_none() => Some(quantity.value),
            Value::Quantity(_) | Value::Days(_) | Value::Times(_) | Value::Id(_) | Value::Name(_) => None,
        };
        let is_plain = |said: &&SpokenValue| said.as_written.chars().all(char::is_alphanumeric);
        let said = self.said.iter().filter(is_plain).map(|said| &said.value);
        let mut counts = said.chain(&self.weak).filter_map(count);
        counts.next().filter(|_| counts.next().is_none())
    }

    pub(super) fn has_quantity(&self) -> bool {
        self.said.iter().any(|said| matches!(said.value, Value::Quantity(_)))
    }

    /// Whether it tells a day before the one on which it is said.
    pub(super) fn has_past_day(&self, now: i64) -> bool {
        let today = Calendar::at(now).today;
        let is_past = |value: &Value| match value {
            Value::Days(days) => !days.is_empty() && days.iter().all(|day| *day < today),
            Value::Times(_) | Value::Quantity(_) | Value::Id(_) | Value::Name(_) => false,
        };
        self.said.iter().any(|said| is_past(&said.value))
    }

    /// The days that are told and can be no other.
    pub(super) fn single_days(&self) -> impl Iterator<Item = Date> + '_ {
        self.said.iter().filter_map(|said| match &said.value {
            Value::Days(days) => days.first().copied().filter(|_| days.len() == 1),
            Value::Times(_) | Value::Quantity(_) | Value::Id(_) | Value::Name(_) => None,
        })
    }

    /// Whether it tells an amount with two neighbouring figures of another exchanged, and that one nowhere: *3.57* for
    /// *3.75*.
    pub(super) fn has_swapped_figures(&self, other: &Values) -> bool {
        let is_amount = |said: &&SpokenValue| matches!(said.value, Value::Quantity(_));
        let is_swapped = |one: &SpokenValue, other: &SpokenValue| {
            let (one, other) = (figures(&one.as_written), figures(&other.as_written));
            let differ: Vec<usize> = (0..one.len()).filter(|at| one.get(*at) != other.get(*at)).collect();
            let [first, second] = differ.as_slice() else { return false };
            one.len() == other.len()
                && first + 1 == *second
                && one.get(*first) == other.get(*second)
                && one.get(*second) == other.get(*first)
                && one.get(*first) != Some(&'0')
                && one.get(*second) != Some(&'0')
        };
        let is_told = |other: &SpokenValue| self.said.iter().filter(is_amount).any(|own| is_swapped(own, other));
        other.said.iter().filter(is_amount).any(|other| is_told(other) && !self.says(&other.value))
    }

    pub(super) fn has_amount(&self, amount: Amount) -> bool {
        let is_it = |value: &Value| match value {
            // A bare `1,190.00` is as much in minor units.
            Value::Quantity(quantity) if quantity.unit.is_none() => {
                quantity.value == amount || quantity.value.scaled(100, 1) == Some(amount)
            }
            Value::Quantity(quantity) => quantity.forms().any(|form| form.value == amount),
            Value::Days(_) | Value::Times(_) | Value::Id(_) | Value::Name(_) => false,
        };
        self.said.iter().map(|said| &said.value).chain(&self.weak).any(is_it)
    }

    /// Whether a word, without regard to case and accents, is among them.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(probity_prose::token::fold(word).as_str())
    }

    fn says(&self, value: &Value) -> bool {
        match value {
            Value::Name(name) => self.words.contains(name.as_str()) || self.joined.contains(name.as_str()),
            Value::Id(id) => self.joined.contains(id.as_str()),
            Value::Days(_) | Value::Times(_) | Value::Quantity(_) => {
                self.said.iter().map(|said| &said.value).chain(&self.weak).any(|own| own.is_same(value))
            }
        }
    }
}

/// Whether an utterance tells a value of this kind, and never this one.
fn is_told_otherwise(value: &Value, own: &Values) -> bool {
    let mut all = own.said.iter().map(|own| &own.value).chain(&own.weak);
    all.any(|own| own.is_alike(value)) && !own.says(value)
}

fn figures(text: &str) -> Vec<char> {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The first words of sentences that could be names, folded: nothing else tells them from other words.
pub fn first_words(text: &str) -> impl Iterator<Item = String> {
    let starts = |token: &Token| token.starts && token.shape == Shape::Word && token.is_capitalised();
    tokens(text).into_iter().filter(starts).map(|token| token.folded.into())
}

pub fn capitalised(text: &str) -> impl Iterator<Item = String> {
    let is_name = |token: &Token| token.shape == Shape::Word && token.is_capitalised();
    tokens(text).into_iter().filter(is_name).map(|token| token.folded.into())
}
