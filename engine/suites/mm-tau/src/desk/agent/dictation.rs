//! The user's values as an agent asks for them and hears them: dictated, perhaps several times over a bad line.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::desk::task::{DeskCall, DeskFact, DeskField};
use crate::measures::{FieldKind, canonical, is_heard};
use crate::people::manner::{noun, question};

/// Words that stand for the signs of an address.
const SIGNS: &[&str] = &["at", "dot", "underscore", "dash"];

const MOST_MADE: usize = 64;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictation {
    heard: Vec<String>,
    refused: Vec<String>,
}

impl Dictation {
    /// Takes one more hearing, and tells what the value is taken for: part by part what was heard most often. Nothing
    /// where an answer has no value.
    pub fn hear(&mut self, fact: &DeskFact, answer: &str) -> Option<String> {
        let latest = heard_value(fact, answer)?;
        self.heard.push(latest.clone());
        Some(self.vote().unwrap_or(latest))
    }

    pub fn refuse(&mut self, value: &str) {
        self.refused.push(value.to_owned());
    }

    /// Of what the parts that were heard make, what was heard most often and not refused.
    fn vote(&self) -> Option<String> {
        let usual = most_often(self.heard.iter().map(|heard| parts(heard).len()))?;
        let all = self.heard.iter().map(|heard| parts(heard)).filter(|all| all.len() == usual);
        let usable: Vec<Vec<String>> = all.collect();
        let mut made = vec![(0, String::new())];
        for at in 0..usual {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            usable.iter().filter_map(|all| all.get(at)).for_each(|part| *counts.entry(part).or_default() += 1);
            let longer = made.iter().flat_map(|(often, begun)| {
                counts.iter().map(move |(part, count)| (often + count, format!("{begun}{part}")))
            });
            made = longer.collect();
            made.sort_by_key(|(often, _)| std::cmp::Reverse(*often));
            made.truncate(MOST_MADE);
        }
        made.into_iter().map(|(_, value)| value).find(|value| !self.refused.contains(value))
    }
}

/// What comes most often; of several the one that came last.
fn most_often<T: Ord + Clone>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, (usize, usize)> = BTreeMap::new();
    for (at, one) in all.enumerate() {
        let (count, last) = counts.entry(one).or_default();
        *count += 1;
        *last = at;
    }
    counts.into_iter().max_by_key(|(_, often)| *often).map(|(one, _)| one)
}

/// A value cut into words, numbers sign by sign, and signs.
fn parts(value: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut is_word = false;
    for sign in value.chars() {
        match parts.last_mut() {
            Some(word) if is_word && sign.is_lowercase() => word.push(sign),
            _ => parts.push(sign.to_string()),
        }
        is_word = sign.is_lowercase();
    }
    parts
}

/// The value in an answer: the true one where it came through, else what stands in its place.
fn heard_value(fact: &DeskFact, answer: &str) -> Option<String> {
    if is_heard(fact.kind, &fact.value, answer) {
        return Some(fact.value.clone());
    }
    let words: Vec<&str> = answer.split_whitespace().collect();
    match fact.kind {
        FieldKind::Name => canonical(FieldKind::Name, answer).split(' ').next_back().map(str::to_owned),
        FieldKind::Email => address(&words),
        FieldKind::Id | FieldKind::Digits => signs(fact, &words),
    }
    .filter(|value| !value.is_empty())
}

/// An address begins with the word before its first sign.
fn address(words: &[&str]) -> Option<String> {
    let is_sign = |word: &&str| SIGNS.contains(&word.to_lowercase().as_str()) || word.contains(['@', '_']);
    let sign = words.iter().position(is_sign)?;
    let is_whole = words.get(sign).is_some_and(|word| word.contains(['@', '_']));
    let from = if is_whole { sign } else { sign.checked_sub(1)? };
    Some(canonical(FieldKind::Email, &words.get(from..)?.join(" ")))
}

/// A number is as many words at the end as it has signs, most of which must be signs.
fn signs(fact: &DeskFact, words: &[&str]) -> Option<String> {
    let length = canonical(fact.kind, &fact.value).chars().count();
    let spoken: Vec<String> = words.iter().map(|word| canonical(FieldKind::Id, word)).collect();
    if let Some(whole) =
        spoken.iter().find(|word| word.chars().count() == length && word.contains(|c: char| c.is_ascii_digit()))
    {
        return Some(shown(fact, whole));
    }
    let last = spoken.get(spoken.len().checked_sub(length)?..)?;
    let is_sign = |word: &&String| word.chars().count() == 1;
    let enough = last.iter().filter(is_sign).count() * 2 > length;
    let value: String = last.iter().filter_map(|word| word.chars().next()).collect();
    enough.then(|| shown(fact, &value))
}

fn shown(fact: &DeskFact, value: &str) -> String {
    match (fact.kind, fact.value.starts_with('#')) {
        (FieldKind::Id, true) => format!("#{}", value.to_uppercase()),
        (FieldKind::Id, false) => value.to_uppercase(),
        _ => value.to_owned(),
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeardValues(BTreeMap<String, String>);

impl HeardValues {
    pub fn get(&self, fact: &DeskFact) -> Option<&String> {
        self.0.get(&fact.name)
    }

    pub fn forget(&mut self, fact: &DeskFact) {
        self.0.remove(&fact.name);
    }

    pub fn take(&mut self, fact: &DeskFact, value: String) {
        self.0.insert(fact.name.clone(), value);
    }

    /// A call with what was heard in place of what is true.
    pub(crate) fn in_call(&self, call: &DeskCall, facts: &[DeskFact]) -> Value {
        let mut arguments = call.arguments.clone();
        for value in arguments.values_mut() {
            let Value::String(text) = value else { continue };
            let same = |fact: &&DeskFact| fact.is(text);
            if let Some(heard) = facts.iter().filter(|fact| fact.is_critical).find(same).and_then(|fact| self.get(fact))
            {
                *text = heard.clone();
            }
        }
        Value::Object(arguments)
    }
}

pub fn again(field: DeskField) -> String {
    format!("I'm sorry, I did not get that right. {} Please say it slowly.", question(field.name()))
}

pub(crate) fn read_back(fact: &DeskFact, value: &str) -> String {
    format!("I heard the {} {value} - is that right?", noun(fact.field.name()))
}

pub(crate) fn is_read_back(fact: &DeskFact) -> bool {
    fact.is_critical && (fact.kind != FieldKind::Name || fact.field.is_identity())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::task::DeskField;

    fn fact(kind: FieldKind, value: &str) -> DeskFact {
        let (name, field) = ("x".to_owned(), DeskField::UserId);
        DeskFact { name, field, kind, value: value.to_owned(), say: Vec::new(), at: None, is_critical: true }
    }

    #[test]
    fn every_field_has_a_question() {
        assert!(DeskField::ALL.iter().all(|field| !question(field.name()).is_empty()));
    }

    #[test]
    fn what_was_heard_most_often_is_taken() {
        let fact = fact(FieldKind::Email, "farah_ibarra_1386");
        let mut dictation = Dictation::default();
        let answers = [
            ("it's farah underscore ebarra underscore one three eight six", "farah_ebarra_1386"),
            ("no it's forah underscore ibarra underscore one three eight six", "farah_ibarra_1386"),
            ("it's farah underscore iborra underscore one free eight six", "farah_iborra_1386"),
        ];
        for (answer, taken) in answers {
            let value = dictation.hear(&fact, answer).unwrap();
            assert_eq!(value, taken);
            dictation.refuse(&value);
        }
        assert_eq!(dictation.hear(&fact, "nothing of the kind"), None);
    }

    #[test]
    fn a_number_has_as_many_signs_as_it_should() {
        let fact = fact(FieldKind::Id, "#W1002819");
        let value = |answer: &str| heard_value(&fact, answer);
        assert_eq!(value("It's #W1002810.").as_deref(), Some("#W1002810"));
        assert_eq!(value("it's w one zero zero to eight one nine").as_deref(), Some("#W100T819"));
        assert_eq!(value("please cancel the trip to mardale for me now, thanks"), None);
    }
}
