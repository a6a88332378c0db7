//! Our verdict on an episode: everything that is wanted, and nothing of its form.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::marks::{Ends, gold_matches, unmet};
use crate::model::TaskFile;
use crate::play::{TRANSFER, was_transferred};
use probity_bench::{Finding, Reading, Trace};
use probity_engine::{Environment, State, canonical, entity_path};

/// Differences that are told by name.
const TOLD: usize = 5;

/// Our verdict, with everything that speaks against it.
pub struct OwnVerdict {
    /// 1 where nothing does.
    pub sr: Reading,
    pub findings: Vec<Finding>,
}

impl OwnVerdict {
    pub fn of(environment: &Environment, task: &TaskFile, ends: &Ends, trace: &Trace) -> OwnVerdict {
        let mut findings = state_findings(ends);
        let unmet = unmet(environment, task, &ends.reached).into_iter();
        findings.extend(unmet.map(|what| Finding::new("not_as_wanted", format!("at the end {what}"))));
        let untold = task.communicate.iter().filter(|fact| !tells(trace, fact));
        findings.extend(untold.map(|fact| Finding::new("not_told", format!("the user was not told `{fact}`"))));
        let is_handed_over = was_transferred(&trace.events);
        let is_to_be = task.gold.iter().any(|call| call.tool == TRANSFER);
        findings.extend(match (is_to_be, is_handed_over) {
            (true, false) => Some(Finding::new("not_handed_over", "the user was to be handed over, and was not")),
            (false, true) => Some(Finding::new("handed_over", "the user was handed over, and was not to be")),
            (true, true) | (false, false) => None,
        });
        let is_refusal = ends.is_gold_idle && !is_to_be && task.communicate.is_empty() && task.assertions.is_empty();
        if is_refusal && findings.is_empty() && task.gold.is_empty() {
            let reason = "nothing is to be done, looked up or said: no end tells a refusal from idleness";
            return OwnVerdict { sr: Reading::new(None, reason), findings };
        }
        if is_refusal && !gold_matches(&task.gold, trace).contains(&true) {
            let text = "nothing is to be changed, and the agent looked at nothing by which it could know";
            findings.push(Finding::new("not_looked", text));
        }
        let sr = if findings.is_empty() { 1.0 } else { 0.0 };
        OwnVerdict { sr: Reading::new(Some(sr), ""), findings }
    }
}

fn state_findings(ends: &Ends) -> Vec<Finding> {
    let paths = difference(&ends.reached, &ends.gold);
    let told = |path: &String| Finding::new("other_state", format!("`{path}` is not as the gold calls leave it"));
    let more = paths.len().saturating_sub(TOLD);
    let more = (more > 0).then(|| Finding::new("other_state", format!("and {more} more are not")));
    paths.iter().take(TOLD).map(told).chain(more).collect()
}

/// The paths of the entities in which two states of one environment differ; lists are compared as bags.
fn difference(one: &State, other: &State) -> Vec<String> {
    if one.sum() == other.sum() {
        return Vec::new();
    }
    let mut paths = Vec::new();
    for (slot, shape) in one.shape().slots.iter().enumerate() {
        let keys: BTreeSet<&str> =
            one.entities(slot).chain(other.entities(slot)).map(|(key, _)| key.as_str()).collect();
        let differs = |key: &&str| match (one.get(slot, key), other.get(slot, key)) {
            (Some(one), Some(other)) => one != other && unordered_fields(one) != unordered_fields(other),
            (None, Some(_)) | (Some(_), None) => true,
            (None, None) => false,
        };
        paths.extend(keys.into_iter().filter(differs).map(|key| entity_path(shape, key)));
    }
    paths
}

fn unordered_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    fields.iter().map(|(name, value)| (name.clone(), unordered(value))).collect()
}

/// A value with every list in one order.
fn unordered(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(unordered).collect();
            items.sort_by_cached_key(canonical::to_string);
            Value::Array(items)
        }
        Value::Object(fields) => Value::Object(unordered_fields(fields)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// Whether a text stands in some message of the agent, anywhere: in lower case, and commas of messages left out
/// (COMMUNICATE).
pub fn contains(trace: &Trace, needle: &str) -> bool {
    let needle = needle.to_lowercase();
    replies(trace).any(|text| text.to_lowercase().replace(',', "").contains(&needle))
}

/// Whether a fact was told in some message of the agent: a number as that number, anything else as whole words.
pub fn tells(trace: &Trace, fact: &str) -> bool {
    let fact = plain(fact);
    match fact.parse::<f64>() {
        Ok(number) => replies(trace).any(|text| numbers(&plain(text)).any(|told| (told - number).abs() < 1e-9)),
        Err(_) => replies(trace).any(|text| has_words(&plain(text), &fact)),
    }
}

fn replies(trace: &Trace) -> impl Iterator<Item = &str> {
    trace.events.iter().filter_map(|event| event.reply().map(|(_, text)| text))
}

/// Lower case, blanks single, no commas.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(',', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The numbers in a text that stand alone or behind a sign of money; `12b` is none, and `a12` neither.
fn numbers(text: &str) -> impl Iterator<Item = f64> {
    let is_of_one = |c: char| c.is_alphanumeric() || c == '.';
    text.split(move |c: char| !is_of_one(c)).filter_map(|piece| piece.trim_matches('.').parse().ok())
}

/// Whether words stand in a text, and no longer word around them.
fn has_words(text: &str, words: &str) -> bool {
    !words.is_empty()
        && text.match_indices(words).any(|(at, found)| {
            let (before, behind) =
                (text.get(..at).unwrap_or_default(), text.get(at + found.len()..).unwrap_or_default());
            !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
        })
}

#[cfg(test)]
mod tests {
    use super::{unordered, *};
    use serde_json::json;

    #[test]
    fn lists_are_bags() {
        let same = |one, other| unordered(&one) == unordered(&other);
        assert!(same(json!({"a": [1, {"b": [2, 3]}]}), json!({"a": [{"b": [3, 2]}, 1]})));
        assert!(!same(json!([1, 1, 2]), json!([1, 2, 2])));
    }

    #[test]
    fn numbers_are_numbers() {
        let found = |text: &str| numbers(&plain(text)).collect::<Vec<f64>>();
        assert_eq!(found("It is $1,286.00, or 14. Seat 4a, gate b7."), [1286.0, 14.0]);
        assert_eq!(found("(4) and 481.5!"), [4.0, 481.5]);
    }

    #[test]
    fn words_are_whole() {
        assert!(has_words("the camera costs 5", "camera"));
        assert!(!has_words("the cameras cost 5", "camera"));
        assert!(has_words("at 943 maple drive.", "943 maple drive"));
    }
}
