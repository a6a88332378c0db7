//! A yes is to what was asked: one that also covers the same deed to a neighbour, which the oracle never does, would
//! let an agent do both.

use std::collections::BTreeMap;

use serde_json::Value;

use probity_behaviour::task::oracle::{OracleRun, play};
use probity_behaviour::task::{Behaviour, Outcome, Task};
use probity_engine::{Actor, Pattern, Problem, SlotKind, State, ToolCall};

/// Most neighbours that are tried in the place of one.
const MOST: usize = 64;

/// Yeses under a behaviour that cover more than they should.
pub(super) fn check(task: &Task, behaviour: &Behaviour, at: &str, problems: &mut Vec<Problem>) {
    let accepted: Vec<&Outcome> = behaviour.accept.iter().filter_map(|index| task.outcomes().get(*index)).collect();
    let runs: Vec<OracleRun> = accepted.iter().filter_map(|outcome| play(task, outcome).ok()).collect();
    let made: Vec<&ToolCall> = runs.iter().flat_map(|run| run.calls.iter().map(|(call, _)| call)).collect();
    let mut listed = BTreeMap::<u32, usize>::new();
    for (turn, pattern) in &behaviour.consents {
        let place = listed.entry(*turn).and_modify(|place| *place += 1).or_default();
        // Who writes a condition has said which is meant.
        if pattern.source.predicate.is_some() {
            continue;
        }
        let wide = runs.iter().map(|run| too_wide(task, pattern, run, &made)).find(|found| !found.is_empty());
        let Some((tool, key, other)) = wide.as_ref().and_then(|found| found.first()).map(Wide::names) else { continue };
        let message = format!("this yes to `{tool}` covers `{other}` as well as `{key}`");
        let narrower = wide.iter().flatten().map(|found| found.condition(task)).collect::<Vec<_>>().join(" && ");
        let help = format!("say which is meant: `{tool} where {narrower}`");
        problems.push(Problem::error(format!("{at}/consents/{turn}/{place}"), "consent_too_wide", message).help(help));
    }
}

/// An argument of a call of the oracle that a yes is meant for, and another entity with which it is meant as well.
struct Wide {
    tool: String,
    parameter: String,
    key: String,
    other: String,
}

impl Wide {
    fn names(&self) -> (&str, &str, &str) {
        (&self.tool, &self.key, &self.other)
    }

    /// What a pattern asks for that means the one alone.
    fn condition(&self, task: &Task) -> String {
        let named = task.bindings().iter().find(|(_, bound)| **bound == self.key).map(|(name, _)| name.clone());
        format!("args.{} == {}", self.parameter, named.unwrap_or_else(|| format!("\"{}\"", self.key)))
    }
}

/// The first call of a run for which a yes is too wide, by each argument that makes it so.
fn too_wide(task: &Task, pattern: &Pattern, run: &OracleRun, made: &[&ToolCall]) -> Vec<Wide> {
    let mut before = task.initial().clone();
    for (call, _) in &run.calls {
        let environment = task.environment();
        let is_grave = environment.tool(&call.tool).is_some_and(|tool| tool.irreversible || tool.confirm);
        let is_meant = |call: &ToolCall| {
            call.arguments.as_object().is_some_and(|fields| task.is_meant(pattern, &before, &call.tool, fields))
        };
        let is_done = |call: &ToolCall| environment.step(&before, call, Actor::Agent).result.is_ok();
        let mut found: Vec<Wide> = Vec::new();
        for (parameter, key, other) in neighbours(&before, call).filter(|_| is_grave && is_meant(call)) {
            let is_new = found.iter().all(|known| known.parameter != parameter);
            let replaced = with(call, &parameter, &other);
            if is_new && !made.contains(&&replaced) && is_meant(&replaced) && is_done(&replaced) {
                found.push(Wide { tool: call.tool.clone(), parameter, key, other });
            }
        }
        if !found.is_empty() {
            return found;
        }
        before = environment.step(&before, call, Actor::Agent).after;
    }
    Vec::new()
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
