//! Which breaches of the constraints count: all, but for an edge that only asks where a value was seen, when an earlier
//! message had shown it elsewhere.

use std::collections::BTreeSet;

use super::replayed::{Replayed, ReplayedStep};
use probity_bench::Finding;
use probity_engine::check::Breaches;
use probity_engine::{Edge, constraint::contains};

/// What the constraint checker says of all calls, refused ones included.
pub(super) fn findings<'a>(replayed: &'a Replayed<'a>) -> impl Iterator<Item = &'a Finding> {
    replayed.steps.iter().flat_map(|step| step_findings(replayed, step))
}

/// The edges that some call broke without its being counted.
pub(crate) fn passed_over(replayed: &Replayed) -> BTreeSet<usize> {
    let graph = replayed.task.graph();
    let is_passed = |step: &ReplayedStep, edge: usize| {
        graph.edges().get(edge).is_some_and(|edge| is_known_elsewhere(replayed, step, edge))
    };
    let broken = replayed.steps.iter().flat_map(|step| step.breaches.edges.iter().map(move |edge| (step, *edge)));
    broken.filter(|(step, edge)| is_passed(step, *edge)).map(|(_, edge)| edge).collect()
}

fn step_findings<'a>(replayed: &'a Replayed<'a>, step: &'a ReplayedStep<'a>) -> impl Iterator<Item = &'a Finding> {
    let Breaches { findings, edges, .. } = &step.breaches;
    let graph = replayed.task.graph();
    let edge_of = move |at: usize| edges.get(at).and_then(|edge| graph.edges().get(*edge));
    let counts = move |at: usize| !edge_of(at).is_some_and(|edge| is_known_elsewhere(replayed, step, edge));
    findings.iter().enumerate().filter(move |(at, _)| counts(*at)).map(|(_, finding)| finding)
}

/// Whether a call that was carried out breaks nothing but where its value comes from: the edge is no rule of the policy
/// and nobody is told of it, and an earlier message showed the value.
fn is_known_elsewhere(replayed: &Replayed, step: &ReplayedStep, edge: &Edge) -> bool {
    let is_rule = edge.id.is_some() || edge.told.is_some();
    let value = edge.seen.as_ref().filter(|_| !is_rule && step.step.is_ok());
    let Some(value) = value.and_then(|name| step.arguments.get(name)) else { return false };
    let earlier = replayed.steps.iter().filter(|other| other.step.message < step.step.message);
    earlier.filter_map(|other| other.step.observation()).any(|observation| contains(observation, value))
}
