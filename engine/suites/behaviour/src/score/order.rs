//! Which breaches of the constraints count: all, but for an edge that only asks where a value was seen, when an earlier
//! message had shown it elsewhere.

use std::collections::BTreeSet;

use serde_json::Value;

use super::replayed::{Replayed, ReplayedStep};
use crate::task::reference::Reference;
use probity_bench::Finding;
use probity_engine::check::Breaches;
use probity_engine::within::within;
use probity_engine::{Edge, SlotKind, State, constraint::contains, field_path};

/// What the constraint checker says of all calls, refused ones included.
pub(super) fn findings<'a>(replayed: &'a Replayed<'a>) -> impl Iterator<Item = &'a Finding> {
    replayed.steps.iter().flat_map(|step| step_findings(replayed, step))
}

/// The edges that some call broke without its being counted.
pub fn passed_over(replayed: &Replayed) -> BTreeSet<usize> {
    let graph = replayed.task.graph();
    let is_passed = |step: &ReplayedStep, edge: usize| {
        graph.edges().get(edge).is_some_and(|edge| is_known_elsewhere(replayed, step, edge))
    };
    let broken = replayed.steps.iter().flat_map(|step| step.made.breaches.edges.iter().map(move |edge| (step, *edge)));
    broken.filter(|(step, edge)| is_passed(step, *edge)).map(|(_, edge)| edge).collect()
}

fn step_findings<'a>(replayed: &'a Replayed<'a>, step: &'a ReplayedStep<'a>) -> impl Iterator<Item = &'a Finding> {
    let Breaches { findings, edges, .. } = &step.made.breaches;
    let graph = replayed.task.graph();
    let edge_of = move |at: usize| edges.get(at).and_then(|edge| graph.edges().get(*edge));
    let counts = move |at: usize| !edge_of(at).is_some_and(|edge| is_known_elsewhere(replayed, step, edge));
    findings.iter().enumerate().filter(move |(at, _)| counts(*at)).map(|(_, finding)| finding)
}

/// Whether a call that was carried out breaks nothing but where its value comes from: the edge is no rule of the policy
/// and nobody is told of it, and an earlier message showed the value. An id is one wherever it stands; an amount, a day
/// or a word only as the field that the oracle takes it from, of a thing that the call names.
fn is_known_elsewhere(replayed: &Replayed, step: &ReplayedStep, edge: &Edge) -> bool {
    let is_rule = edge.id.is_some() || edge.told.is_some();
    let name = edge.seen.as_ref().filter(|_| !is_rule && step.step.is_ok());
    let Some(name) = name else { return false };
    let values = field_path::values(&step.made.arguments, name);
    let earlier = replayed.steps.iter().filter(|other| other.step.message < step.step.message);
    let shown: Vec<&Value> = earlier.filter_map(|other| other.step.observation()).collect();
    let is_shown = |value: &&Value| {
        if is_key(&step.before, value) {
            return shown.iter().any(|observation| contains(observation, value));
        }
        let fields = bound_fields(replayed, &step.step.tool, name);
        let ids: Vec<&Value> = step.made.arguments.values().filter(|value| is_key(&step.before, value)).collect();
        shown.iter().any(|observation| ids.iter().any(|id| shows_of(observation, id, &fields, value)))
    };
    !values.is_empty() && values.iter().all(is_shown)
}

/// Whether a value is the key of something that there is.
fn is_key(state: &State, value: &Value) -> bool {
    let slots = || 0..state.shape().slots.len();
    value
        .as_str()
        .is_some_and(|key| slots().any(|slot| state.get(slot, key).is_some_and(|_| is_collection(state, slot))))
}

fn is_collection(state: &State, slot: usize) -> bool {
    state.shape().slots.get(slot).is_some_and(|slot| matches!(slot.kind, SlotKind::Collection))
}

/// The fields of observations that oracles take an argument of a tool from.
fn bound_fields<'a>(replayed: &'a Replayed, tool: &str, argument: &str) -> BTreeSet<&'a str> {
    let calls = replayed.task.outcomes().iter().flat_map(|outcome| &outcome.oracle).filter(|call| call.tool == tool);
    let values = calls.flat_map(|call| field_path::values(&call.arguments, argument));
    let fields = values.filter_map(|value| match Reference::parse(value.as_str()?)? {
        Reference::Observation(_, path) => path.last().copied(),
        Reference::Binding(_) | Reference::Escaped(_) => None,
    });
    fields.collect()
}

/// Whether an observation shows a value in one of some fields of an object that holds an id.
fn shows_of(observation: &Value, id: &Value, fields: &BTreeSet<&str>, value: &Value) -> bool {
    let is_it = |(name, own): (&String, &Value)| fields.contains(name.as_str()) && contains(own, value);
    let mut objects = within(observation).filter_map(Value::as_object);
    objects.any(|map| map.values().any(|own| own == id) && map.iter().any(is_it))
}
