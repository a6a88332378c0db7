//! What sets the records of the user's orders apart from their siblings: *the debit card* where the credit card was
//! meant, *Callum* for Danny, *the three-night booking*, and which of them was to be declined.

use std::collections::BTreeSet;

use compact_str::CompactString;
use jiff::civil::Date;
use probity_engine::{Fields, Tool};
use probity_prose::quantity::small_number;
use probity_prose::token::words;
use probity_prose::{MONTHS, WordClass, lexicon::is};
use serde_json::Value;

use super::asked::ASKED;
use super::confirmation::{forms, is_usual, is_write};
use super::contract::{ContractUser, spoken};
use super::recall::affirmed;
use super::told::ways;
use super::utterance::Values;
use crate::task::OracleCall;

/// Fewest letters of a word that may tell a record from another.
const SHORTEST: usize = 3;

/// What the user holds against words about another record than its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// What it had said in the place of that.
    Said(String),
    /// It has no word for it, or has not said it yet.
    Unsaid,
}

/// A record of the state: its part and its fields.
type Record<'s> = (usize, &'s Fields);

/// Words about records, and what they tell of days.
struct About {
    words: Vec<CompactString>,
    values: Values,
}

impl About {
    fn read(text: &str, now: i64) -> About {
        About { words: words(text), values: Values::read(text, now) }
    }

    /// Whether they tell a field: a day, how many there are of what it is named after, a name, or a word.
    fn tells(&self, name: &str, field: &Value) -> bool {
        match field {
            Value::Number(number) => number.as_i64().is_some_and(|number| self.counts(name, number)),
            Value::String(text) => match text.get(..10).and_then(|day| day.parse::<Date>().ok()) {
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
        let name = words(text);
        let tells = |word: &CompactString| {
            let is_plain = word.chars().all(char::is_alphabetic) && word.chars().count() >= SHORTEST;
            is_plain && !is(WordClass::Common, word) && !is_usual(word) && !word.ends_with("ed")
        };
        let is_name = name.len() > 1 || name.iter().all(tells);
        !name.is_empty() && is_name && self.words.windows(name.len()).any(|part| part == name.as_slice())
    }
}

impl ContractUser<'_> {
    /// What it had said, where words are about a sibling of the records that its orders of these calls are about, about
    /// all of them, or about the other decision.
    pub(super) fn own_instead(&self, text: &str, deeds: &[&Tool]) -> Option<Own> {
        let calls: Vec<&OracleCall> = self.changes_by_now().filter(|call| is_of(call, deeds)).collect();
        if calls.is_empty() {
            return None;
        }
        let about = About::read(&matter(text, deeds), self.task.initial().clock());
        let decided = || self.decided_otherwise(text);
        let kin = || self.is_of_kin(text).then(|| Own::Said("mine".to_owned()));
        self.sibling_told(&about, &calls).or_else(decided).or_else(kin)
    }

    /// Whether words tell a day of a record that its orders so far are about.
    pub(super) fn tells_own_day(&self, text: &str) -> bool {
        let state = self.task.initial();
        let about = About::read(text, state.clock());
        let keys = self.changes_by_now().flat_map(|call| call.arguments.values()).filter_map(Value::as_str);
        let slots = 0..state.shape().slots.len();
        let is_day = |field: &Value| field.as_str().and_then(|field| field.get(..10)?.parse::<Date>().ok()).is_some();
        let tells = |own: &Fields| own.iter().any(|(name, field)| is_day(field) && about.tells(name, field));
        keys.flat_map(|key| slots.clone().filter_map(move |slot| state.get(slot, key))).any(tells)
    }

    /// The orders of its turns so far that change something.
    fn changes_by_now(&self) -> impl Iterator<Item = &OracleCall> {
        let tools = self.task.environment().tools();
        let changes = |call: &&OracleCall| tools.iter().any(|tool| tool.name == call.tool && is_write(tool));
        let by_now = self.ordered.iter().zip(&self.behaviour.segments);
        by_now.filter(|(_, turn)| **turn as usize <= self.turns_said).map(|(call, _)| call).filter(changes)
    }

    fn sibling_told(&self, about: &About, calls: &[&OracleCall]) -> Option<Own> {
        let state = self.task.initial();
        let keys: BTreeSet<&str> =
            calls.iter().flat_map(|call| call.arguments.values()).filter_map(Value::as_str).collect();
        let is_ordered = |value: &Value| calls.iter().any(|call| call.arguments.values().any(|own| own == value));
        let parts = 0..state.shape().slots.len();
        let mut own: Vec<(usize, &str, &Fields)> = Vec::new();
        for slot in parts.clone() {
            own.extend(keys.iter().filter_map(|key| Some((slot, *key, state.get(slot, key)?))));
        }
        let people = self.task.environment().file().conduct.people.as_ref();
        let people = people.and_then(|people| self.task.environment().shape().index(&people.collection));
        let owners = own.iter().flat_map(|(_, _, fields)| fields.values()).filter_map(Value::as_str);
        let owners = people.into_iter().flat_map(|slot| {
            owners.clone().filter_map(move |key| Some((slot, key, state.get(slot, key)?))).collect::<Vec<_>>()
        });
        let owners: Vec<(usize, &str, &Fields)> = owners.collect();
        own.extend(owners);
        let all = parts.flat_map(|slot| state.entities(slot).map(move |(key, fields)| (slot, key, fields)));
        for (slot, _, other) in
            all.filter(|(slot, key, _)| !own.iter().any(|(at, own, _)| at == slot && *own == key.as_str()))
        {
            let mine: Vec<Record> = own.iter().filter(|(at, ..)| *at == slot).map(|(at, _, own)| (*at, *own)).collect();
            if !mine.iter().any(|(_, own)| self.is_sibling(slot, own, other)) {
                continue;
            }
            let differs = |name: &str, value: &Value| mine.iter().all(|(_, own)| own.get(name) != Some(value));
            let is_told = |(name, value): &(&String, &Value)| {
                name.as_str() != "status" && differs(name, value) && !is_ordered(value) && about.tells(name, value)
            };
            let is_own = |own: &Fields| {
                own.iter().any(|(name, value)| other.get(name) != Some(value) && about.tells(name, value))
            };
            if mine.iter().any(|(_, own)| is_own(own)) {
                continue;
            }
            let told = other.iter().find(is_told).map(|(name, _)| name.as_str());
            let all_of = || self.takes_all(&about.words, slot).then_some("");
            if let Some(name) = told.or_else(all_of) {
                let value = mine.iter().find_map(|(_, own)| self.word_for(own, other, name));
                return Some(value.map_or(Own::Unsaid, Own::Said));
            }
        }
        None
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

    /// What it said of a record that another differs in: in this field, or in any.
    fn word_for(&self, own: &Fields, other: &Fields, name: &str) -> Option<String> {
        let now = self.task.initial().clock();
        let fields = own.iter().filter(|(field, value)| other.get(*field) != Some(*value));
        let fields = fields.filter(|(field, _)| name.is_empty() || field.as_str() == name);
        let said = words(&self.said().join("\n"));
        fields.into_iter().find_map(|(field, value)| {
            let slots = self.slots.iter().filter(|slot| slot.is_said && self.still_holds(slot));
            let told = |way: String| About::read(&way, now).tells(field, value);
            let mut slots = slots.filter(|slot| slot.fact.value == *value || ways(slot.fact).any(told));
            let plain = || value.as_str().filter(|text| said.contains(&CompactString::from(text.to_lowercase())));
            slots.next().map(|slot| spoken(slot.fact)).or_else(|| plain().map(str::to_owned))
        })
    }

    /// *All of your cards*, where the part is that of cards.
    fn takes_all(&self, words: &[CompactString], slot: usize) -> bool {
        let Some(shape) = self.task.initial().shape().slots.get(slot) else { return false };
        let is_one = |word: &CompactString| word.trim_end_matches('s') == shape.name.trim_end_matches('s');
        let is_small = |word: &&CompactString| matches!(word.as_str(), "of" | "the" | "your" | "these" | "those");
        (0..words.len()).any(|at| {
            let is_all = words.get(at).is_some_and(|word| matches!(word.as_str(), "all" | "both" | "every" | "each"));
            is_all && words.iter().skip(at + 1).find(|word| !is_small(word)).is_some_and(is_one)
        })
    }

    /// What it had decided, where a record is told with the decision on another: *approve that of 6 July*.
    fn decided_otherwise(&self, text: &str) -> Option<Own> {
        let state = self.task.initial();
        let calls: Vec<&OracleCall> = self.changes_by_now().collect();
        let tools: BTreeSet<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
        for tool in tools {
            let calls: Vec<&&OracleCall> = calls.iter().filter(|call| call.tool == tool).collect();
            let record = |call: &OracleCall| {
                let keys = call.arguments.values().filter_map(Value::as_str);
                let found =
                    keys.flat_map(|key| (0..state.shape().slots.len()).filter_map(move |at| state.get(at, key)));
                found.collect::<Vec<&Fields>>()
            };
            let decision = |call: &OracleCall| {
                let is_key = |key: &str| (0..state.shape().slots.len()).any(|at| state.get(at, key).is_some());
                let is_word = |word: &&str| word.chars().all(char::is_alphabetic) && !is_key(word);
                let others = |name: &str, own: &Value| {
                    calls.iter().any(|call| call.arguments.get(name).is_some_and(|value| value != own))
                };
                let mut found = call.arguments.iter().filter(|(name, own)| others(name, own));
                found.find_map(|(_, own)| own.as_str().filter(is_word)).map(str::to_owned)
            };
            let decided: Option<Vec<(Vec<&Fields>, String)>> =
                calls.iter().map(|call| Some((record(call), decision(call)?))).collect();
            let Some(decided) = decided.filter(|decided| decided.len() > 1) else { continue };
            let Some(at) = misplaced(text, &decided, state.clock()) else { continue };
            let Some((own, decision)) = decided.get(at) else { continue };
            let others =
                || decided.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, (other, _))| other);
            let word = own.iter().find_map(|own| others().find_map(|other| self.word_for(own, other, "")));
            let known = self.task.environment().tools().iter().find(|known| known.name == tool);
            let mut claims = known.into_iter().flat_map(|tool| &tool.claims);
            let claimed = claims.find(|claim| claim.starts_with(stem(decision))).unwrap_or(decision);
            return Some(word.map_or(Own::Unsaid, |word| Own::Said(format!("{claimed} for {word}"))));
        }
        None
    }

    /// *The appointment of your sister*, of whom it has not said a word where it spoke of its own.
    fn is_of_kin(&self, text: &str) -> bool {
        let said = words(&self.said().join("\n"));
        let asked = words(text);
        let is_new = |word: &CompactString| ASKED.is_kin(word) && !said.contains(word);
        let is_owner = |part: &[CompactString]| match part {
            [of, your, kin] if of == "of" && your == "your" => is_new(kin),
            [your, kin, s] if your == "your" && s == "s" => is_new(kin),
            _ => false,
        };
        said.iter().any(|word| word == "my") && asked.windows(3).any(is_owner)
    }
}

fn is_of(call: &OracleCall, deeds: &[&Tool]) -> bool {
    deeds.is_empty() || deeds.iter().any(|tool| call.is_by(&tool.name))
}

/// The first record that a text tells with the decision on another.
fn misplaced(text: &str, decided: &[(Vec<&Fields>, String)], now: i64) -> Option<usize> {
    let decision_in = |piece: &str| {
        let said = words(piece);
        let is_told = |decision: &&String| said.iter().any(|word| word.starts_with(stem(decision)));
        let told: BTreeSet<&String> = decided.iter().map(|(_, decision)| decision).filter(is_told).collect();
        let is_denied = said.iter().any(|word| is(WordClass::Negations, word));
        told.first().copied().filter(|_| told.len() == 1 && !is_denied)
    };
    let is_told = |piece: &str, at: usize| {
        let about = About::read(piece, now);
        let is_shared = |name: &String, value: &Value| {
            let others = decided.iter().enumerate().filter(|(other, _)| *other != at);
            others.flat_map(|(_, (records, _))| records).any(|record| record.get(name) == Some(value))
        };
        let mut fields = decided.get(at).into_iter().flat_map(|(records, _)| records).flat_map(|record| record.iter());
        fields.any(|(name, value)| !is_shared(name, value) && about.tells(name, value))
    };
    let mut last = None;
    for piece in pieces(&affirmed(text)) {
        last = decision_in(&piece).or(last.filter(|_| continues(&piece)));
        let is_wrong = |at: &usize| {
            let own = decided.get(*at).map(|(_, decision)| decision);
            is_told(&piece, *at) && last.is_some_and(|told| Some(told) != own)
        };
        if let Some(at) = (0..decided.len()).find(is_wrong) {
            return Some(at);
        }
    }
    None
}

fn stem(word: &str) -> &str {
    word.trim_end_matches('e')
}

/// What of a text these deeds are about: without what it denies, what is to stay as it is, and what more is done.
fn matter(text: &str, deeds: &[&Tool]) -> String {
    let all: Vec<String> = pieces(&affirmed(text)).into_iter().filter(|piece| !is_kept(piece)).collect();
    let is_named = |piece: &String| {
        let said = words(piece);
        deeds.iter().any(|tool| forms(tool).any(|form| said.iter().any(|word| *word == form)))
    };
    let Some(at) = all.iter().position(is_named) else { return all.join(", ") };
    let more = all.iter().skip(at + 1).take_while(|piece| continues(piece));
    all.get(at).into_iter().chain(more).cloned().collect::<Vec<_>>().join(", ")
}

fn pieces(text: &str) -> Vec<String> {
    let joints = [" and ", " but ", " while "];
    let parted = joints.iter().fold(text.to_owned(), |text, joint| text.replace(joint, ", "));
    parted.split([',', ';', '.', '?']).map(|piece| piece.trim().to_owned()).filter(|piece| !piece.is_empty()).collect()
}

/// *Keep the three-night one*, *leave the debit card*, *the other stays*.
pub(super) fn is_kept(piece: &str) -> bool {
    let said = words(piece);
    let stays = |word: &CompactString| {
        matches!(word.as_str(), "keep" | "keeps" | "keeping" | "stays" | "remain" | "remains" | "untouched" | "leaving")
    };
    let leaves = |pair: &[CompactString]| matches!(pair, [leave, it] if leave == "leave" && matches!(it.as_str(), "the" | "your" | "it" | "that" | "his" | "her"));
    said.iter().any(stays) || said.windows(2).any(leaves)
}

/// Whether a piece goes on with what stands before it: *the debit card*, *that of 6 July*.
fn continues(piece: &str) -> bool {
    let said = words(piece);
    let goes_on = said.first().is_some_and(|word| {
        let has_figure = word.contains(|c: char| c.is_ascii_digit());
        has_figure || matches!(word.as_str(), "the" | "that" | "your" | "his" | "her" | "its" | "from" | "of" | "on")
    });
    goes_on
        && !said
            .iter()
            .skip(1)
            .any(|word| is(WordClass::Helpers, word) || matches!(word.as_str(), "i" | "we" | "he" | "she"))
}
