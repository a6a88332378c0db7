//! What sets the records of the user's orders apart from their siblings: *the debit card* where the credit card was
//! meant, *Callum* for Danny, *the three-night booking*.

use std::rc::Rc;

use compact_str::CompactString;
use jiff::civil::Date;
use serde_json::Value;

use super::asked::ASKED;
use super::confirmation::is_usual;
use super::contract::ContractUser;
use super::hearing::affirmed;
use super::kept_text::{Part, values, words};
use super::utterance::Values;
use probity_engine::{Fields, Tool};
use probity_prose::quantity::small_number;
use probity_prose::{MONTHS, WordClass, lexicon::is};

/// Fewest letters of a word that may tell a record from another.
const SHORTEST: usize = 3;

/// Words about records, and what they tell of days.
struct About {
    words: Part<[CompactString]>,
    values: Rc<Values>,
}

impl About {
    fn read(text: &str, now: i64) -> About {
        About { words: words(text), values: values(text, now) }
    }

    /// Whether they tell a field: a day, how many there are of what it is named after, a name, or a word.
    fn tells(&self, name: &str, field: &Value) -> bool {
        match field {
            Value::Number(number) => number.as_i64().is_some_and(|number| self.counts(name, number)),
            Value::String(text) => match day_of(field) {
                Some(day) => self.has_day(day),
                None => self.has_name(text),
            },
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        }
    }

    /// *Three nights*, *the three-night one*.
    fn counts(&self, name: &str, number: i64) -> bool {
        let unit = name.trim_end_matches('s');
        let is_number = |word: &CompactString| small_number(word) == Some(number) || word.parse() == Ok(number);
        self.words
            .windows(2)
            .any(|pair| matches!(pair, [count, of] if is_number(count) && of.trim_end_matches('s') == unit))
    }

    fn has_day(&self, day: Date) -> bool {
        let month = usize::try_from(day.month() - 1).ok().and_then(|month| MONTHS.get(month)).copied();
        let of_month = |word: &CompactString| {
            let figures = word.trim_end_matches(char::is_alphabetic);
            figures.parse() == Ok(day.day())
        };
        let is_month = |word: &CompactString| Some(word.as_str()) == month;
        let written = |part: &[CompactString]| match part {
            [first, second, third] => {
                (of_month(first) && is_month(second)) || (of_month(first) && second == "of" && is_month(third))
            }
            _ => false,
        };
        let last = self.words.len().saturating_sub(2);
        let is_last = matches!(self.words.get(last..), Some([first, second]) if of_month(first) && is_month(second));
        is_last || self.words.windows(3).any(written) || self.values.single_days().any(|told| told == day)
    }

    /// A name of one word or more; neither an id nor how things stand with it.
    fn has_name(&self, text: &str) -> bool {
        let name = words(&text.replace('_', " "));
        let tells = |word: &CompactString| {
            let is_plain = word.chars().all(char::is_alphabetic) && word.chars().count() >= SHORTEST;
            is_plain && !is(WordClass::Common, word) && !is_usual(word) && !word.ends_with("ed")
        };
        let is_name = name.len() > 1 || name.iter().all(tells);
        !name.is_empty() && is_name && self.words.windows(name.len()).any(|part| *part == *name)
    }
}

/// The day of a field that is one, with a time or without.
fn day_of(field: &Value) -> Option<Date> {
    field.as_str()?.get(..10)?.parse().ok()
}

impl ContractUser<'_> {
    /// Whether words about a call are about a sibling of the records that its orders of that call are about.
    pub(super) fn is_of_sibling(&self, text: &str, tool: &Tool) -> bool {
        self.tells_sibling(text, &tool.name, false)
    }

    /// Whether words about a call tell of such a sibling, alone or beside its own records.
    pub(super) fn names_sibling(&self, text: &str, tool: &Tool) -> bool {
        self.tells_sibling(text, &tool.name, true)
    }

    /// Whether words tell of a sibling of the records that all its orders are about, and which is none of these.
    pub(super) fn names_other_record(&self, text: &str) -> bool {
        self.tells_sibling(text, "", true)
    }

    fn tells_sibling(&self, text: &str, tool: &str, may_be_beside: bool) -> bool {
        let state = self.task.initial();
        let about = About::read(&affirmed(text), state.clock());
        let ordered = || self.ordered_by_now(tool).flat_map(|call| call.arguments.values());
        let is_ordered = |value: &Value| ordered().any(|own| own == value);
        let records = |keys: &[&str]| -> Vec<(usize, String)> {
            let all = (0..state.shape().slots.len()).flat_map(|slot| keys.iter().map(move |key| (slot, *key)));
            let held = all.filter(|(slot, key)| state.get(*slot, key).is_some());
            held.map(|(slot, key)| (slot, key.to_owned())).collect()
        };
        let keys: Vec<&str> = ordered().filter_map(Value::as_str).collect();
        let mut own = records(&keys);
        // What belongs to its records may be another by its other orders: the evening to which its match was moved.
        let all = self.ordered_by_now("").flat_map(|call| call.arguments.values()).filter_map(Value::as_str);
        let mut meant = records(&all.collect::<Vec<_>>());
        meant.retain(|(slot, _)| !own.iter().any(|(at, _)| at == slot));
        let meant: Vec<&Fields> = meant.iter().filter_map(|(slot, key)| state.get(*slot, key)).collect();
        // The people to whom its records belong are its own as well.
        let fields = own.iter().filter_map(|(slot, key)| state.get(*slot, key)).flat_map(Fields::values);
        let owners: Vec<&str> = fields.filter_map(Value::as_str).collect();
        own.extend(records(&owners));
        let said = words(self.own());
        let is_said = |value: &Value| {
            let name = value.as_str().map(words).filter(|name| !name.is_empty());
            name.is_some_and(|name| said.windows(name.len()).any(|part| *part == *name))
        };
        let is_sibling = |slot: usize, mine: &[&Fields], key: &str, other: &Fields| {
            let differs = |name: &str, value: &Value| {
                let is_as_told =
                    |own: &Value| own == value || day_of(own).is_some_and(|day| Some(day) == day_of(value));
                !mine.iter().chain(&meant).filter_map(|own| own.get(name)).any(is_as_told)
            };
            let is_told = |(name, value): (&String, &Value)| {
                name != "status"
                    && differs(name, value)
                    && !is_ordered(value)
                    && !is_said(value)
                    && about.tells(name, value)
            };
            let is_own = |own: &&Fields| {
                own.iter().any(|(name, value)| other.get(name) != Some(value) && about.tells(name, value))
            };
            !own.iter().any(|(at, own)| *at == slot && own == key)
                && mine.iter().any(|own| self.is_sibling(slot, own, other))
                && (may_be_beside || !mine.iter().any(is_own))
                && other.iter().any(is_told)
        };
        (0..state.shape().slots.len()).any(|slot| {
            let mine = own.iter().filter(|(at, _)| *at == slot);
            let mine: Vec<&Fields> = mine.filter_map(|(at, key)| state.get(*at, key)).collect();
            // What it has none of has no siblings.
            !mine.is_empty() && state.entities(slot).any(|(key, other)| is_sibling(slot, &mine, key, other))
        })
    }

    /// Whether two records of a part belong to the same, or are people of one family.
    fn is_sibling(&self, slot: usize, one: &Fields, other: &Fields) -> bool {
        let state = self.task.initial();
        let is_key = |key: &str| (0..state.shape().slots.len()).any(|at| at != slot && state.get(at, key).is_some());
        one.iter().any(|(name, value)| {
            let is_bond = || ASKED.is_of_family(name) || value.as_str().is_some_and(is_key);
            other.get(name) == Some(value) && is_bond()
        })
    }
}
