//! What a fact is needed for: arguments, bindings, answers, and the choice among things that are shown.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inference::{Need, Row, Sheet};
use super::origin::Origin;
use super::scene::{Scene, Stage, VoicedFact};
use probity_behaviour::score::honesty::told::provenance;
use probity_behaviour::task::Behaviour;
use probity_behaviour::task::reference::Reference;
use probity_engine::Tool;

pub fn words_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.replace('_', " "))
}

/// Whether an outcome takes something from a fact: an argument of its oracle, a binding that it uses, what
/// it must say or what it must achieve.
pub fn is_taken(stage: &Stage, index: usize, fact: &VoicedFact) -> bool {
    let file = stage.task.file();
    let outcome = file.outcomes.get(index).zip(stage.task.outcomes().get(index));
    let Some((authored, outcome)) = outcome else { return false };
    let is_told = |value: &Value| {
        let spoken = stage.listener.spoken(&words_of(value));
        let is_plain = value.as_str().is_none_or(|text| Reference::parse(text).is_none());
        is_plain && (spoken.occurs_in(&fact.told) || fact.also.iter().any(|told| spoken.occurs_in(told)))
    };
    let bound = bindings_of(stage, index).into_iter().filter_map(|name| file.bindings.get(&name));
    let said = outcome.must_say.iter().flatten().filter(|phrase| !phrase.source.starts_with("re:"));
    let achieved = authored.achieves.iter().flat_map(|it| it.values());
    bound.flat_map(|binding| binding.fields.values()).any(is_told)
        || said.map(|phrase| Value::from(phrase.source.as_str())).any(|phrase| is_told(&phrase))
        || achieved.into_iter().any(is_told)
        || stage.calls(index).any(|(tool, arguments)| takes(stage, tool, arguments, fact))
}

/// Whether a read that a wandering user asks for takes something from a fact.
pub fn is_taken_by_extra(stage: &Stage, behaviour: &Behaviour, fact: &VoicedFact) -> bool {
    let tool = |name: &str| stage.task.environment().tool(name);
    let calls = behaviour.extra_calls.iter().filter_map(|call| Some((tool(&call.tool)?, call.arguments.clone())));
    calls.into_iter().any(|(tool, arguments)| takes(stage, tool, &Value::Object(arguments), fact))
}

fn takes(stage: &Stage, tool: &Tool, arguments: &Value, fact: &VoicedFact) -> bool {
    let by_fact = provenance(tool, arguments, &[&fact.told]);
    let by_clock = provenance(tool, arguments, &[&stage.nothing]);
    by_fact.iter().zip(&by_clock).any(|(claim, clock)| match claim.is_listed {
        true => {
            let listed = stage.listener.spoken(&claim.value.trim_matches('"').replace('_', " "));
            listed.occurs_in(&fact.told) || fact.also.iter().any(|told| listed.occurs_in(told))
        }
        false => claim.is_known && !clock.is_known,
    })
}

/// Whether a fact tells which of several things an oracle takes an argument from: it is told by the one
/// that is chosen out of a list and not by all the others.
pub fn is_choice(scene: &Scene, sheet: &Sheet, fact: &str) -> bool {
    let Some(fact) = scene.stage.task.file().facts.get(fact) else { return false };
    let ways: Vec<_> = std::iter::once(words_of(&fact.value)).chain(fact.also.iter().cloned()).collect();
    let ways: Vec<_> = ways.iter().map(|way| scene.stage.listener.spoken(way)).collect();
    let is_told = |item: &Value| {
        let told = scene.stage.listener.observation(item);
        ways.iter().any(|way| way.occurs_in(&told))
    };
    let is_argument = |row: &&Row| matches!(row.need, Need::Argument { .. });
    let origins = sheet.rows.iter().filter(is_argument).flat_map(|row| &row.known_from);
    origins.into_iter().any(|origin| match origin {
        Origin::Call { call, path } => {
            chosen(scene.observation(*call), path).any(|(item, list)| is_told(item) && !list.iter().all(is_told))
        }
        Origin::Turn { .. }
        | Origin::Brief
        | Origin::Schema
        | Origin::Clock
        | Origin::Derived { .. }
        | Origin::OwnWords => false,
    })
}

/// The items of lists on the way of a path, with their lists.
fn chosen<'a>(shown: Option<&'a Value>, path: &str) -> impl Iterator<Item = (&'a Value, &'a Vec<Value>)> {
    let mut found = Vec::new();
    let mut node = shown;
    for step in path.split('.') {
        let list = node.and_then(Value::as_array);
        node = match list {
            Some(items) => step.parse::<usize>().ok().and_then(|at| items.get(at)),
            None => node.and_then(|value| value.get(step)),
        };
        found.extend(node.zip(list));
    }
    found.into_iter()
}

/// The bindings that an outcome's calls and assertions name, and those that these are found by.
fn bindings_of(stage: &Stage, index: usize) -> BTreeSet<String> {
    let file = stage.task.file();
    let mut named = BTreeSet::new();
    let authored = file.outcomes.get(index);
    for call in authored.into_iter().flat_map(|outcome| &outcome.oracle) {
        call.arguments.values().for_each(|value| names_in(value, &mut named));
    }
    for assertion in authored.into_iter().flat_map(|outcome| &outcome.achieves) {
        let path = assertion.path().into_iter().flat_map(|path| path.split('/'));
        path.for_each(|part| names_in(&Value::from(part), &mut named));
        assertion.values().for_each(|value| names_in(value, &mut named));
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = named.pop_first() {
        let fields = file.bindings.get(&name).map(|binding| binding.fields.values());
        if reached.insert(name) {
            fields.into_iter().flatten().for_each(|value| names_in(value, &mut named));
        }
    }
    reached
}

fn names_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            if let Some(Reference::Binding(name)) = Reference::parse(text) {
                found.insert(name.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names_in(item, found)),
        Value::Object(map) => map.values().for_each(|value| names_in(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
