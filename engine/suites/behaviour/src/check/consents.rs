//! A yes is to what was asked: one that also covers the same deed to a neighbour, which the oracle never does, would
//! let an agent do both.

use serde_json::Value;

use crate::task::oracle::{OracleRun, play};
use crate::task::{Behaviour, Outcome, Task};
use probity_engine::{Actor, Pattern, Problem, SlotKind, State, ToolCall};

/// Most neighbours that are tried in the place of one.
const MOST: usize = 64;

/// Yeses under a behaviour that cover more than they should.
pub(super) fn check(task: &Task, behaviour: &Behaviour, at: &str, problems: &mut Vec<Problem>) {
    let accepted: Vec<&Outcome> = behaviour.accept.iter().filter_map(|index| task.outcomes().get(*index)).collect();
    let runs: Vec<OracleRun> = accepted.iter().filter_map(|outcome| play(task, outcome).ok()).collect();
    let made: Vec<&ToolCall> = runs.iter().flat_map(|run| run.calls.iter().map(|(call, _)| call)).collect();
    for (turn, pattern) in &behaviour.consents {
        let wide = runs.iter().find_map(|run| too_wide(task, pattern, run, &made));
        let Some(Wide { tool, parameter, key, other }) = wide else { continue };
        let message = format!("this yes to `{tool}` covers `{other}` as well as `{key}`");
        let named = task.bindings().iter().find(|(_, bound)| **bound == key).map(|(name, _)| name.clone());
        let named = named.unwrap_or_else(|| format!("'{key}'"));
        let help = format!("say which is meant: `{tool} where args.{parameter} == {named}`");
        problems.push(Problem::error(format!("{at}/consents/{turn}"), "consent_too_wide", message).help(help));
    }
}

/// A call of the oracle that a yes is meant for, and another entity with which it would be meant as well.
struct Wide {
    tool: String,
    parameter: String,
    key: String,
    other: String,
}

fn too_wide(task: &Task, pattern: &Pattern, run: &OracleRun, made: &[&ToolCall]) -> Option<Wide> {
    let mut before = task.initial().clone();
    for (call, _) in &run.calls {
        let environment = task.environment();
        let is_grave = environment.tool(&call.tool).is_some_and(|tool| tool.irreversible || tool.confirm);
        let is_meant = |call: &ToolCall| {
            call.arguments.as_object().is_some_and(|fields| task.is_meant(pattern, &before, &call.tool, fields))
        };
        if is_grave && is_meant(call) {
            let mut others = neighbours(&before, call);
            let wide = others.find(|(parameter, _, other)| {
                let other = with(call, parameter, other);
                let is_done = || environment.step(&before, &other, Actor::Agent).result.is_ok();
                !made.contains(&&other) && is_meant(&other) && is_done()
            });
            if let Some((parameter, key, other)) = wide {
                return Some(Wide { tool: call.tool.clone(), parameter, key, other });
            }
        }
        before = environment.step(&before, call, Actor::Agent).after;
    }
    None
}

/// Arguments that are keys, each with another key of the same collection.
fn neighbours<'a>(state: &'a State, call: &'a ToolCall) -> impl Iterator<Item = (String, String, String)> + 'a {
    let keys = call.arguments.as_object().into_iter().flatten();
    let keys = keys.filter_map(|(parameter, value)| Some((parameter, value.as_str()?)));
    keys.flat_map(move |(parameter, key)| {
        let slots = state.shape().slots.iter().enumerate();
        let of = slots.filter(move |(at, slot)| slot.kind == SlotKind::Collection && state.get(*at, key).is_some());
        let others = of.flat_map(move |(at, _)| state.entities(at)).map(|(other, _)| other.to_string());
        others.filter(move |other| other != key).take(MOST).map(move |o| (parameter.clone(), key.to_owned(), o))
    })
}

fn with(call: &ToolCall, parameter: &str, key: &str) -> ToolCall {
    let mut other = call.clone();
    if let Some(argument) = other.arguments.get_mut(parameter) {
        *argument = Value::from(key);
    }
    other
}
