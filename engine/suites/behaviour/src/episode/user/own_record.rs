//! The contract user's record among the people of a desk, and which of its facts tell what stands there.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use compact_str::CompactString;
use serde_json::Value;

use super::kept_text::words;
use crate::model::task_file::Fact;
use crate::task::Task;
use probity_engine::Fields;
use probity_prose::token::{self, name_words};

/// The record of the user among the people of a desk, and the fields by which they are known.
#[derive(Clone)]
pub(super) struct OwnRecord<'a> {
    pub(super) record: &'a Fields,
    known_by: BTreeSet<&'a str>,
}

impl<'a> OwnRecord<'a> {
    /// The person of whom the facts tell a whole list of what people are known by, the first such list before others;
    /// of several the one of whom they tell most. Facts may be about a colleague as well.
    pub(super) fn of(task: &'a Task) -> Option<OwnRecord<'a>> {
        let people = task.environment().file().conduct.people.as_ref()?;
        let slot = task.environment().shape().index(&people.collection)?;
        let facts: Vec<(bool, &Fact)> = task.file().facts.iter().map(|(key, fact)| (is_name(key), fact)).collect();
        let is_told = |person: &Fields, field: &String| {
            let tells = |value: &Value| facts.iter().any(|(is_name, fact)| tells(*is_name, fact, value));
            person.get(field).is_some_and(tells)
        };
        let known_by: BTreeSet<&str> = people.known_by.iter().flatten().map(String::as_str).collect();
        let rank = |person: &Fields| {
            let is_whole = |list: &Vec<String>| list.iter().all(|field| is_told(person, field));
            let whole = people.known_by.iter().position(is_whole).unwrap_or(people.known_by.len());
            let told = people.known_by.iter().flatten().filter(|field| is_told(person, field)).count();
            (whole, Reverse(told))
        };
        let people = task.initial().entities(slot).map(|(_, person)| (rank(person), person));
        let (_, record) = people.filter(|((_, told), _)| told.0 > 0).min_by_key(|(rank, _)| *rank)?;
        Some(OwnRecord { record, known_by })
    }

    /// The field by which the user is known with this fact.
    pub(super) fn field_of(&self, key: &str, fact: &Fact) -> Option<&'a str> {
        let is_name = is_name(key);
        let is_told = |field: &&str| self.record.get(*field).is_some_and(|value| tells(is_name, fact, value));
        self.known_by.iter().copied().find(is_told)
    }

    /// The fields by which people are known, as they are in the record.
    pub(super) fn known_by(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + '_ {
        self.known_by.iter().filter_map(|field| Some((*field, self.record.get(*field)?)))
    }

    pub(super) fn words(&self) -> BTreeSet<CompactString> {
        self.record.values().filter_map(|value| value.as_str()).flat_map(token::words).collect()
    }
}

/// Whether a fact tells the field of a person: that is its value, or of a whole name a part.
fn tells(is_name: bool, fact: &Fact, field: &Value) -> bool {
    let is_part = |whole: &str, part: &str| {
        let whole = words(whole);
        !part.is_empty() && words(part).iter().all(|word| whole.contains(word))
    };
    let parts = fact.value.as_str().zip(field.as_str());
    fact.value == *field || (is_name && parts.is_some_and(|(whole, part)| is_part(whole, part)))
}

fn is_name(key: &str) -> bool {
    words_of_key(key).iter().any(|word| word == "name")
}

/// The words of a key: *birth*, *date*.
pub(super) fn words_of_key(key: &str) -> Vec<String> {
    name_words(key).iter().map(ToString::to_string).collect()
}
