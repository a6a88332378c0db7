//! Completion: what may stand where the cursor is.

use std::collections::BTreeSet;

use serde_json::Value;

use super::command::{NAMES, agent_tools};
use super::command::{Word, split};
use super::session::{Partner, Session};
use super::value;
use probity_bench::Event;
use probity_engine::{SlotKind, Tool, environment_file::properties, ids::is_called_after, pointer};

const MAX_CANDIDATES: usize = 100;

/// What may be put in the place of the line's end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where it is put, in bytes; what stands there until the end of the line is replaced.
    pub start: usize,
    pub candidates: Vec<String>,
}

/// Completes a line, of which only what stands before the cursor is given.
pub fn complete(session: &Session, line: &str) -> Completion {
    let mut words = split(line).words;
    let last = match words.last() {
        Some(last) if last.start + last.text.len() == line.len() => words.pop(),
        Some(_) | None => None,
    };
    let last = last.unwrap_or(Word { start: line.len(), text: "" });
    let before: Vec<&str> = words.iter().map(|word| word.text).collect();
    let (skipped, mut candidates) = candidates(session, &before, last.text);
    let typed = last.text.get(skipped..).unwrap_or_default();
    candidates.retain(|candidate| candidate.starts_with(typed));
    candidates.truncate(MAX_CANDIDATES);
    let is_tool = |name: &str| session.task().environment().tool(name).is_some();
    if let ([only], [] | ["call"]) = (candidates.as_mut_slice(), before.as_slice())
        && is_tool(only)
    {
        // The next word is an argument.
        only.push(' ');
    }
    Completion { start: last.start + skipped, candidates }
}

/// What to say of a value that is wanted and has no candidate yet.
pub fn remark(session: &Session, line: &str) -> Option<&'static str> {
    let is_wanted = line.ends_with('=') && complete(session, line).candidates.is_empty();
    is_wanted.then_some(match session.partner() {
        Partner::User => "  nothing seen yet by this name",
        Partner::Nobody => "  nothing by this name in the state",
    })
}

/// What may stand after these words, and how much of the last word it leaves alone.
fn candidates(session: &Session, before: &[&str], last: &str) -> (usize, Vec<String>) {
    let environment = session.task().environment();
    let tools = || agent_tools(environment).map(|tool| tool.name.clone());
    let lines = || session.lines().into_keys().map(str::to_owned).collect();
    match before {
        [] => (0, NAMES.into_iter().map(str::to_owned).chain(tools()).collect()),
        ["tool" | "call"] => (0, tools().collect()),
        ["switch"] | ["diff"] | ["diff", _] => (0, lines()),
        ["save"] => (0, vec!["task".to_owned(), "trace".to_owned()]),
        ["state"] => (0, paths(session, last)),
        ["call", name, given @ ..] | [name, given @ ..] => match environment.tool(name) {
            Some(tool) if *before != ["call"] => arguments(session, tool, given, last),
            Some(_) | None => (0, Vec::new()),
        },
    }
}

fn arguments(session: &Session, tool: &Tool, given: &[&str], last: &str) -> (usize, Vec<String>) {
    let parameters = properties(&tool.parameters);
    if let Some((name, _)) = last.split_once('=') {
        let schema = parameters.get(name);
        return (name.len() + 1, schema.map(|schema| values(session, name, schema)).unwrap_or_default());
    }
    let required = tool.parameters.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_given =
        |name: &String| given.iter().any(|word| word.split_once('=').is_some_and(|(known, _)| known == name));
    let mut names: Vec<&String> = parameters.keys().filter(|name| !is_given(name)).collect();
    names.sort_by_key(|name| !required.contains(&Value::from(name.as_str())));
    (0, names.into_iter().map(|name| format!("{name}=")).collect())
}

/// Values of a parameter: what its schema lists, and what the state holds under its name.
fn values(session: &Session, name: &str, schema: &Value) -> Vec<String> {
    let mut listed: Vec<Value> = Vec::new();
    for key in ["enum", "examples"] {
        listed.extend(schema.get(key).and_then(Value::as_array).into_iter().flatten().cloned());
    }
    listed.extend(schema.get("const").or(schema.get("default")).cloned());
    if schema.get("type").is_some_and(|kind| kind == "boolean") {
        listed.extend([Value::from(false), Value::from(true)]);
    }
    if schema.get("enum").is_none() {
        listed.extend(stored(session, name).into_iter().map(Value::from));
    }
    let mut texts = Vec::new();
    for text in listed.iter().map(|value| value::write(schema, value)) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Keys and texts of the state under a name: `guest_id`, and for `new_guest_id` the same. Who plays an agent is
/// offered only what the agent has seen.
fn stored(session: &Session, name: &str) -> Vec<String> {
    let state = session.state();
    let mut found = BTreeSet::new();
    for (slot, shape) in state.shape().slots.iter().enumerate() {
        for (key, fields) in state.entities(slot) {
            if shape.key.as_deref().is_some_and(|key| is_called_after(name, key)) {
                found.insert(key.to_string());
            }
            if let Some(Value::String(text)) = fields.get(name) {
                found.insert(text.clone());
            }
        }
    }
    if session.partner() == Partner::User {
        let heard = heard(session);
        found.retain(|text| heard.contains(text.as_str()));
    }
    found.into_iter().collect()
}

/// All that the agent was told and shown.
fn heard(session: &Session) -> String {
    let texts = session.events().map(|event| match event {
        Event::User { text, .. } => text.clone(),
        Event::Step(step) => step.shown().to_string(),
        Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => String::new(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Paths of the state, one level below what is typed.
fn paths(session: &Session, typed: &str) -> Vec<String> {
    let above = typed.rsplit_once('/').map_or("", |(above, _)| above);
    let Some(segments) = pointer::split(above) else { return Vec::new() };
    let state = session.state();
    let below = |name: &str| format!("{above}/{}", pointer::escape(name));
    let Some((part, rest)) = segments.split_first() else {
        return state.shape().slots.iter().map(|slot| below(&slot.name)).collect();
    };
    let Some(slot) = state.shape().index(part) else { return Vec::new() };
    let is_collection = state.shape().slots.get(slot).is_some_and(|shape| shape.kind == SlotKind::Collection);
    if rest.is_empty() && is_collection {
        return state.entities(slot).map(|(key, _)| below(key)).collect();
    }
    match state.at(&segments) {
        Some(Value::Object(map)) => map.keys().map(|name| below(name)).collect(),
        Some(_) | None => Vec::new(),
    }
}

#[cfg(test)]
#[path = "complete_tests.rs"]
mod tests;
