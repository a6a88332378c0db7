//! Faults of arguments: other values, other entities, invented ids.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Map, Value};

use super::candidates::{DraftPoint, choose};
use super::draft::{Draft, PlayedCall, oracle_goes_through};
use super::severity::Severity;
use crate::task::likeness::scalars;
use crate::task::matching::arguments_match;
use crate::values::with;
use probity_engine::within::with_texts;
use probity_engine::{Effect, RejectionKind, pointer};

const MOST_DRAWS: u64 = 32;

/// Replaces arguments of writes by other values that are accepted, first those that name no entity: one of one
/// write, one of each write, or all.
pub fn wrong_value<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let mut wrong = draft.clone();
    let mut spoiled: BTreeSet<usize> = BTreeSet::new();
    for (at, name) in replaceable(draft) {
        let suffices = match severity {
            Severity::Mild => !spoiled.is_empty(),
            Severity::Medium => spoiled.contains(&at),
            Severity::Severe => false,
        };
        if let Some(more) = (!suffices).then(|| with_wrong_value(&wrong, at, &name)).flatten() {
            wrong = more;
            spoiled.insert(at);
        }
    }
    (!spoiled.is_empty()).then_some(wrong)
}

/// The arguments of writes that are no free text; those that name an entity last.
fn replaceable(draft: &Draft) -> Vec<(usize, String)> {
    let played = draft.play();
    let mut found: Vec<(bool, usize, String)> = Vec::new();
    for at in draft.positions(Effect::Write) {
        let Some((tool, made)) = draft.tool(at).zip(played.get(at)) else { continue };
        let scene = DraftPoint::before(draft, &played, at);
        let arguments = made.arguments.iter().filter(|(name, _)| !tool.free_text.contains(name));
        found.extend(arguments.map(|(name, value)| (scene.is_key(value), at, name.clone())));
    }
    found.sort();
    found.into_iter().map(|(_, at, name)| (at, name)).collect()
}

fn with_wrong_value<'a>(draft: &Draft<'a>, at: usize, name: &str) -> Option<Draft<'a>> {
    let played = draft.play();
    let (tool, made) = (draft.tool(at)?, played.get(at)?);
    let scene = DraftPoint::before(draft, &played, at);
    let values = scene.values(tool, name, made.arguments.get(name)).into_iter().filter(|value| {
        let arguments = with(&made.arguments, name, value);
        !arguments_match(tool, &made.arguments, &arguments) && scene.step(tool, &arguments).result.is_ok()
    });
    choose(values.map(|value| draft.with_argument(at, name, &value)), oracle_goes_through)
}

/// Acts on another entity of the same collection wherever the oracle acts on the right one; a mild one in the
/// write alone, after it has looked at the right one, a severe one for every entity that a write names.
pub fn wrong_entity<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let (mut wrong, mut strange) = (draft.clone(), BTreeSet::new());
    for at in draft.positions(Effect::Write) {
        while let Some((other, key)) = with_wrong_entity(&wrong, at, severity == Severity::Mild, &strange) {
            if severity < Severity::Severe {
                return Some(other);
            }
            strange.insert(key);
            wrong = other;
        }
    }
    (!strange.is_empty()).then_some(wrong)
}

/// With a neighbour in the place of an entity that write `at` names and that is not `strange`; and its key.
fn with_wrong_entity<'a>(
    draft: &Draft<'a>,
    at: usize,
    alone: bool,
    strange: &BTreeSet<String>,
) -> Option<(Draft<'a>, String)> {
    let played = draft.play();
    let made = played.get(at)?;
    let scene = DraftPoint::before(draft, &played, at);
    let mut keys: Vec<&Value> = made.arguments.values().flat_map(scalars).filter(|value| scene.is_key(value)).collect();
    keys.sort_by_key(|key| !is_changed(made, key));
    let is_wanted =
        |played: &[PlayedCall]| played.get(at).is_some_and(PlayedCall::is_ok) && oracle_goes_through(played);
    keys.into_iter().filter_map(Value::as_str).filter(|key| !strange.contains(*key)).find_map(|key| {
        let neighbours = scene.neighbours(key).into_iter().filter(|other| !strange.contains(other));
        let first = first_use(&played, key).unwrap_or(at);
        let calls = if alone { at..at + 1 } else { first..draft.calls.len() };
        let with_other = |other: &String| with_other_key(draft, &played, calls.clone(), key, other);
        let neighbours: Vec<String> = neighbours.collect();
        let chosen = choose(neighbours.iter().map(with_other), is_wanted)?;
        let other = neighbours.into_iter().find(|other| with_other(other).calls == chosen.calls)?;
        Some((chosen, other))
    })
}

fn first_use(played: &[PlayedCall], key: &str) -> Option<usize> {
    played.iter().position(|made| uses(&made.arguments, &Value::from(key)))
}

fn is_changed(made: &PlayedCall, key: &Value) -> bool {
    let key = key.as_str().map(pointer::escape).unwrap_or_default();
    let delta = made.result.as_ref().ok().map(|applied| &applied.delta);
    delta.is_some_and(|delta| delta.paths().any(|path| path.split('/').nth(2) == Some(key.as_ref())))
}

fn uses(arguments: &Map<String, Value>, key: &Value) -> bool {
    arguments.values().flat_map(scalars).any(|value| value == key)
}

/// In some calls, another key in the place of `key` in all arguments.
fn with_other_key<'a>(
    draft: &Draft<'a>,
    played: &[PlayedCall],
    calls: Range<usize>,
    key: &str,
    other: &str,
) -> Draft<'a> {
    let mut changed = draft.clone();
    for (at, made) in played.iter().enumerate().filter(|(at, _)| calls.contains(at)) {
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
    with_texts(value, &mut |text| Value::from(if text == key { other } else { text }))
}

/// The first write, else the first read, that names an entity; with the argument and the key.
fn first_key(draft: &Draft, played: &[PlayedCall]) -> Option<(usize, String, String)> {
    let positions = draft.positions(Effect::Write).into_iter().chain(draft.positions(Effect::Read));
    positions.into_iter().find_map(|at| {
        let (tool, made) = (draft.tool(at)?, played.get(at)?);
        let scene = DraftPoint::before(draft, played, at);
        let arguments = made.call.arguments.as_object()?;
        let mut named = arguments.iter().filter(|(name, _)| !tool.free_text.contains(name));
        named.find_map(|(name, value)| {
            let key = scalars(value).find(|value| scene.is_key(value))?;
            Some((at, name.clone(), key.as_str()?.to_owned()))
        })
    })
}

/// Uses an invented id in the place of the right one, from the first write (else read) on that names an entity; a
/// mild one in that call alone, a severe one from the first call on that needs the right one.
pub fn fabricated_id<'a>(draft: &Draft<'a>, seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let played = draft.play();
    let (at, _, key) = first_key(draft, &played)?;
    let invented = DraftPoint::before(draft, &played, at).invented(&key, seed)?;
    let calls = match severity {
        Severity::Mild => at..at + 1,
        Severity::Medium => at..played.len(),
        Severity::Severe => first_use(&played, &key).unwrap_or(at)..played.len(),
    };
    Some(with_other_key(draft, &played, calls, &key, &invented))
}

/// Tries invented ids first, then makes the call as it should be: one, two or four of them.
pub fn guesses_id<'a>(draft: &Draft<'a>, seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let played = draft.play();
    let (at, name, key) = first_key(draft, &played)?;
    let made = played.get(at)?;
    let scene = DraftPoint::before(draft, &played, at);
    let mut ids: Vec<String> = Vec::new();
    for draw in 0..MOST_DRAWS {
        let id = scene.invented(&key, seed.wrapping_add(draw)).filter(|id| !ids.contains(id));
        ids.extend(id.filter(|_| ids.len() < severity.times()));
    }
    let arguments = made.call.arguments.as_object()?;
    let tries = ids.into_iter().filter_map(|id| {
        let invented = replaced(arguments.get(&name)?, &key, &id);
        Some((at, made.call.tool.clone(), with(arguments, &name, &invented)))
    });
    tried_first(draft, tries.collect())
}

/// Gives arguments of the wrong type first, then makes each call as it should be: one, two or four times, as many
/// calls as possible among them.
pub fn bad_arguments<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let played = draft.play();
    let mut tries: Vec<(usize, Try)> = Vec::new();
    for (at, made) in played.iter().enumerate() {
        let (tool, scene) = (draft.tool(at)?, DraftPoint::before(draft, &played, at));
        let arguments = made.call.arguments.as_object()?;
        let wrong = arguments.iter().flat_map(|(name, value)| {
            [Value::Array(vec![value.clone()]), Value::Null].map(|wrong| with(arguments, name, &wrong))
        });
        let is_invalid = |wrong: &Map<String, Value>| {
            scene.step(tool, wrong).result.is_err_and(|rejection| rejection.kind == RejectionKind::InvalidArguments)
        };
        let invalid = wrong.filter(is_invalid).map(|wrong| (at, tool.name.clone(), wrong));
        tries.extend(invalid.enumerate());
    }
    // The first way to spoil each call comes before the second one of any.
    tries.sort_by_key(|(rank, (at, ..))| (*rank, *at));
    let tries = tries.into_iter().take(severity.times()).map(|(_, one)| one);
    tried_first(draft, tries.collect())
}

/// A call to be tried right before an oracle's: the position of that one, the tool, the arguments.
pub type Try = (usize, String, Map<String, Value>);

/// With calls tried first, in the turn of the call that each comes before, as far as the messages suffice; `None`
/// without any.
pub fn tried_first<'a>(draft: &Draft<'a>, mut tries: Vec<Try>) -> Option<Draft<'a>> {
    tries.truncate(draft.room());
    tries.sort_by_key(|(at, ..)| *at);
    tries.iter().rev().map(|(at, tool, arguments)| (*at, tool, arguments)).fold(None, |more, (at, tool, arguments)| {
        let mut more = more.as_ref().unwrap_or(draft).with(at, tool, arguments);
        let turn = draft.calls.get(at).map(|call| call.turn);
        more.calls.get_mut(at).zip(turn).into_iter().for_each(|(call, turn)| call.turn = turn);
        Some(more)
    })
}
