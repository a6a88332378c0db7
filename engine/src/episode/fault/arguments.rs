//! Faults of arguments: other values, other entities, invented ids.

use serde_json::{Map, Value};

use super::candidates::{Scene, choose};
use super::draft::{Draft, Played, oracle_goes_through};
use crate::episode::plan::Plan;
use crate::model::environment_file::Effect;
use crate::model::ids::Variant;
use crate::model::rejection::RejectionKind;
use crate::task::Task;
use crate::task::matching::arguments_match;

/// Replaces one argument of a write by another value that is accepted; arguments that name no entity first.
pub fn wrong_value(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    [false, true].into_iter().find_map(|keys| {
        let mut writes = draft.positions(Effect::Write).into_iter();
        let wrong = writes.find_map(|at| with_wrong_value(&draft, &played, at, keys))?;
        Some(wrong.into_plan())
    })
}

fn with_wrong_value<'a>(draft: &Draft<'a>, played: &[Played], at: usize, keys: bool) -> Option<Draft<'a>> {
    let (tool, made) = (draft.tool(at)?, played.get(at)?);
    let scene = Scene::before(draft, played, at);
    let names =
        made.arguments.iter().filter(|(name, value)| !tool.free_text.contains(name) && scene.is_key(value) == keys);
    let mut names = names.map(|(name, _)| name);
    names.find_map(|name| {
        let values = scene.values(tool, name, made.arguments.get(name)).into_iter().filter(|value| {
            let arguments = with(&made.arguments, name, value);
            !arguments_match(tool, &made.arguments, &arguments) && scene.step(tool, &arguments).result.is_ok()
        });
        choose(values.map(|value| draft.with_argument(at, name, &value)), oracle_goes_through)
    })
}

/// Acts on another entity of the same collection wherever the oracle acts on the right one.
pub fn wrong_entity(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    draft.positions(Effect::Write).into_iter().find_map(|at| {
        let made = played.get(at)?;
        let scene = Scene::before(&draft, &played, at);
        made.arguments.values().filter(|value| scene.is_key(value)).find_map(|value| {
            let key = value.as_str()?;
            let others = scene.neighbours(key).into_iter().map(|other| {
                let first = draft.calls.iter().zip(&played).position(|(_, played)| uses(&played.arguments, value));
                with_other_key(&draft, &played, first.unwrap_or(at), key, &other)
            });
            let plan =
                choose(others, |played| played.get(at).is_some_and(Played::is_ok) && oracle_goes_through(played));
            plan.map(Draft::into_plan)
        })
    })
}

fn uses(arguments: &Map<String, Value>, key: &Value) -> bool {
    arguments.values().any(|value| value == key || value.as_array().is_some_and(|items| items.contains(key)))
}

/// From call `first` on, another key in the place of `key` in all arguments.
fn with_other_key<'a>(draft: &Draft<'a>, played: &[Played], first: usize, key: &str, other: &str) -> Draft<'a> {
    let mut changed = draft.clone();
    for (at, made) in played.iter().enumerate().skip(first) {
        for (name, value) in made.call.arguments.as_object().into_iter().flatten() {
            let replaced = replaced(value, key, other);
            if replaced != *value {
                changed = changed.with_argument(at, name, &replaced);
            }
        }
    }
    changed
}

fn replaced(value: &Value, key: &str, other: &str) -> Value {
    match value {
        Value::String(text) if text == key => Value::from(other),
        Value::Array(items) => items.iter().map(|item| replaced(item, key, other)).collect(),
        Value::Object(map) => map.iter().map(|(name, item)| (name.clone(), replaced(item, key, other))).collect(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The first write, else the first read, that names an entity; with the argument and the key.
fn first_key(draft: &Draft, played: &[Played]) -> Option<(usize, String, String)> {
    let positions = draft.positions(Effect::Write).into_iter().chain(draft.positions(Effect::Read));
    positions.into_iter().find_map(|at| {
        let (tool, made) = (draft.tool(at)?, played.get(at)?);
        let scene = Scene::before(draft, played, at);
        let arguments = made.call.arguments.as_object()?;
        let (name, key) =
            arguments.iter().find(|(name, value)| !tool.free_text.contains(name) && scene.is_key(value))?;
        Some((at, name.clone(), key.as_str()?.to_owned()))
    })
}

/// Uses an invented id from the first write (else read) on that names an entity, in the place of the right one.
pub fn fabricated_id(task: &Task, variant: Variant, seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let (at, _, key) = first_key(&draft, &played)?;
    let invented = Scene::before(&draft, &played, at).invented(&key, seed)?;
    Some(with_other_key(&draft, &played, at, &key, &invented).into_plan())
}

/// Tries an invented id first, then makes the call as it should be.
pub fn guesses_id(task: &Task, variant: Variant, seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let (at, name, key) = first_key(&draft, &played)?;
    let made = played.get(at)?;
    let invented = Scene::before(&draft, &played, at).invented(&key, seed)?;
    let arguments = with(made.call.arguments.as_object()?, &name, &Value::from(invented));
    Some(early(&draft, at, &made.call.tool, &arguments).into_plan()).filter(|_| draft.calls.len() < 15)
}

/// Gives an argument of the wrong type first, then makes the call as it should be.
pub fn bad_arguments(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    draft.calls.iter().zip(&played).enumerate().find_map(|(at, (_, made))| {
        let tool = draft.tool(at)?;
        let scene = Scene::before(&draft, &played, at);
        let arguments = made.call.arguments.as_object()?;
        let wrong = arguments.iter().flat_map(|(name, value)| {
            [Value::Array(vec![value.clone()]), Value::Null].map(|wrong| with(arguments, name, &wrong))
        });
        let is_invalid = |wrong: &Map<String, Value>| {
            scene.step(tool, wrong).result.is_err_and(|rejection| rejection.kind == RejectionKind::InvalidArguments)
        };
        let wrong = wrong.into_iter().find(is_invalid)?;
        Some(early(&draft, at, &tool.name, &wrong).into_plan())
    })
}

/// The arguments with another value for one of them.
pub fn with(arguments: &Map<String, Value>, name: &str, value: &Value) -> Map<String, Value> {
    let mut arguments = arguments.clone();
    arguments.insert(name.to_owned(), value.clone());
    arguments
}

/// A further call right before call `at`, in the same turn.
pub fn early<'a>(draft: &Draft<'a>, at: usize, tool: &str, arguments: &Map<String, Value>) -> Draft<'a> {
    let mut more = draft.with(at, tool, arguments);
    let turn = draft.calls.get(at).map(|call| call.turn);
    if let (Some(call), Some(turn)) = (more.calls.get_mut(at), turn) {
        call.turn = turn;
    }
    more
}
