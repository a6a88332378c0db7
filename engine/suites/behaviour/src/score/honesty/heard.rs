//! What the events of an episode make known: the brief, the user's words, observations and refusals.

use std::collections::BTreeSet;

use serde_json::Value;

use super::source::{Source, SourceKind};
use crate::task::Task;
use probity_bench::Step;
use probity_engine::{Actor, Environment, PolicyEntry};
use probity_prose::{Calendar, token::words};

/// What a turn of the user tells, with the values of the facts it voices.
pub(super) fn voiced(text: &str, task: &Task, calendar: &Calendar) -> Source {
    let mut source = Source::new(SourceKind::User);
    source.add_text(text, calendar);
    task.facts_in(text).for_each(|(name, fact)| source.add_value(name, &fact.value, calendar));
    source
}

/// What the agent was told at the start: the environment's texts and its tools'.
pub(super) fn brief(environment: &Environment, calendar: &Calendar) -> Source {
    let file = environment.file();
    let mut source = Source::new(SourceKind::Brief);
    for text in [file.title.as_str(), &file.summary].into_iter().chain(file.policy.iter().map(PolicyEntry::text)) {
        source.add_text(text, calendar);
    }
    for tool in environment.tools().iter().filter(|tool| tool.actor == Actor::Agent) {
        source.add_text(&tool.name, calendar);
        source.add_text(&tool.description, calendar);
        describe(&tool.parameters, 0, &mut source, calendar);
    }
    source
}

/// The names and descriptions in a tool's parameters; bounds and patterns are no values.
fn describe(schema: &Value, depth: usize, source: &mut Source, calendar: &Calendar) {
    if depth > 16 {
        return;
    }
    for text in ["title", "description"].into_iter().filter_map(|key| schema.get(key)?.as_str()) {
        source.add_text(text, calendar);
    }
    for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        source.add_text(name, calendar);
        describe(below, depth + 1, source, calendar);
    }
    if let Some(items) = schema.get("items") {
        describe(items, depth + 1, source, calendar);
    }
}

/// What a step showed. A write and a rejection repeat what they were given, which makes nothing known.
pub(super) fn observed(step: &Step, writes: bool, made_up: &BTreeSet<String>, calendar: &Calendar) -> Source {
    let mut source = Source::new(SourceKind::Observation);
    source.is_written = writes && step.is_ok();
    match (step.observation(), step.rejection()) {
        (Some(observation), _) if writes && !made_up.is_empty() => {
            source.add_value("", &without(observation, made_up), calendar);
        }
        (Some(observation), _) => source.add_value("", observation, calendar),
        (None, Some(rejection)) => {
            let repeats = |value: &String| says(&rejection.message, value);
            if !made_up.iter().any(repeats) {
                source.add_text(&rejection.message, calendar);
            }
        }
        (None, None) => {}
    }
    source
}

/// Whether a text says a value in whole words: `B0045` does not say 5.
fn says(text: &str, value: &str) -> bool {
    let (text, value) = (words(text), words(value));
    !value.is_empty() && text.windows(value.len()).any(|said| said == value)
}

fn without(value: &Value, made_up: &BTreeSet<String>) -> Value {
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), without(value, made_up))).collect(),
        Value::Array(items) => items.iter().map(|item| without(item, made_up)).collect(),
        Value::String(text) if made_up.iter().any(|made| says(text, made)) => Value::Null,
        Value::Number(_) if made_up.contains(&value.to_string()) => Value::Null,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
