//! Mutants: oracle traces with one slip each, to see that every check of a task can fail.

use serde_json::{Map, Value};

use super::alphabet::{Alphabet, keys_for};
use super::candidate::Candidate;
use super::goal::Goal;
use probity_engine::{Tool, ToolCall, environment_file::properties};

const MAX_VALUES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Dropped,
    /// Two calls have changed places.
    Swapped,
    Duplicated,
    WrongValue,
    /// An argument names the entity next to the right one.
    Neighbour,
    /// A call more, before the first or after the last.
    Collateral,
    /// A reply is blank.
    Unsaid,
}

impl Family {
    pub fn name(self) -> &'static str {
        match self {
            Family::Dropped => "dropped call",
            Family::Swapped => "swapped calls",
            Family::Duplicated => "duplicated call",
            Family::WrongValue => "wrong value",
            Family::Neighbour => "neighbouring entity",
            Family::Collateral => "collateral call",
            Family::Unsaid => "blank reply",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Mutant {
    pub family: Family,
    pub text: String,
    /// How many calls of the oracle stand unchanged at its start.
    pub kept: usize,
    /// The calls after those.
    pub rest: Vec<ToolCall>,
}

/// The mutants of an oracle trace that need no other calls than its own.
pub fn mutants(goal: &Goal, alphabet: &Alphabet, calls: &[ToolCall]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for at in 0..calls.len() {
        all.extend(dropped(calls, at));
        all.extend((at + 1..calls.len()).map(|other| swapped(calls, at, other)));
        all.extend(duplicated(calls, at));
        all.extend(changed(goal, alphabet, calls, at));
    }
    all
}

fn tail(calls: &[ToolCall], from: usize) -> Vec<ToolCall> {
    calls.get(from..).unwrap_or_default().to_vec()
}

fn dropped(calls: &[ToolCall], at: usize) -> Option<Mutant> {
    let text = format!("without call {}, {}", at + 1, calls.get(at)?.tool);
    Some(Mutant { family: Family::Dropped, text, kept: at, rest: tail(calls, at + 1) })
}

fn swapped(calls: &[ToolCall], at: usize, other: usize) -> Mutant {
    let mut rest = tail(calls, at);
    rest.swap(0, other - at);
    let text = format!("calls {} and {} change places", at + 1, other + 1);
    Mutant { family: Family::Swapped, text, kept: at, rest }
}

fn duplicated(calls: &[ToolCall], at: usize) -> Option<Mutant> {
    let call = calls.get(at)?;
    let text = format!("call {}, {}, is made twice", at + 1, call.tool);
    Some(Mutant { family: Family::Duplicated, text, kept: at + 1, rest: tail(calls, at) })
}

/// The call at a place with each argument in turn another.
fn changed(goal: &Goal, alphabet: &Alphabet, calls: &[ToolCall], at: usize) -> Vec<Mutant> {
    let Some(call) = calls.get(at) else { return Vec::new() };
    let Some((tool, arguments)) = goal.task.environment().tool(&call.tool).zip(call.arguments.as_object()) else {
        return Vec::new();
    };
    let others = properties(&tool.parameters).into_iter().flat_map(|(name, schema)| {
        let others = others(goal, alphabet, tool, &name, &schema, arguments);
        others.into_iter().map(move |(family, value)| (name.clone(), family, value)).collect::<Vec<_>>()
    });
    others
        .map(|(name, family, value)| {
            let was = arguments.get(&name).map_or_else(|| "nothing".to_owned(), Value::to_string);
            let text = format!("call {}, {}, with {name} {value} instead of {was}", at + 1, call.tool);
            let mut other: Map<String, Value> = arguments.clone();
            other.insert(name, value);
            let mut rest = tail(calls, at);
            rest.iter_mut()
                .take(1)
                .for_each(|first| *first = ToolCall::new(call.tool.clone(), Value::Object(other.clone())));
            Mutant { family, text, kept: at, rest }
        })
        .collect()
}

/// Other values of an argument: the keys next to it, or what else the task speaks of.
fn others(
    goal: &Goal,
    alphabet: &Alphabet,
    tool: &Tool,
    name: &str,
    schema: &Value,
    arguments: &Map<String, Value>,
) -> Vec<(Family, Value)> {
    if tool.free_text.iter().any(|text| text == name) {
        return Vec::new();
    }
    let initial = goal.task.initial();
    let now = arguments.get(name);
    if let (Some(keys), Some(key)) = (keys_for(name, initial), now.and_then(Value::as_str)) {
        let place = keys.iter().position(|other| other == key);
        let next = place.and_then(|place| keys.get(place + 1));
        let last = place.and_then(|place| keys.get(place.checked_sub(1)?));
        let first = keys.iter().find(|_| place.is_none());
        let beside = [next, last, first].into_iter().flatten();
        return beside.map(|key| (Family::Neighbour, Value::from(key.as_str()))).collect();
    }
    let others = alphabet.values(tool, name, schema, initial).into_iter().filter(|value| Some(value) != now);
    let nearby = now.and_then(Value::as_i64).into_iter().flat_map(|n| [n.saturating_add(1), n.saturating_sub(1)]);
    let all = nearby.map(Value::from).chain(others);
    all.take(MAX_VALUES).map(|value| (Family::WrongValue, value)).collect()
}

/// The position after a mutant, given those after each start of the oracle trace, and the calls refused.
pub fn play(goal: &Goal, starts: &[Candidate], mutant: &Mutant) -> Option<(Candidate, usize)> {
    Some(starts.get(mutant.kept)?.after_all(goal, &mutant.rest))
}
