//! The incremental checker: told of each call in turn, it says which edges and exclusions the call breaks.

use std::collections::BTreeSet;
use std::sync::Arc;

use imbl::{OrdMap, Vector};
use serde_json::{Map, Value};

use super::graph::{ConstraintGraph, Edge, ExclusionSet};
use super::wording;
use crate::model::finding::Finding;
use crate::model::number::is_same;
use crate::model::{canonical, field_path};

/// A successful call lacks an earlier call that an edge asks for.
pub const PRECEDENCE_VIOLATED: &str = "precedence_violated";
/// A successful call needs what an earlier one shows, and has it only in its own batch, hence not yet observed.
pub const SAME_BATCH: &str = "same_batch";
/// A rejected call lacked what an edge asks for.
pub const PRECEDENCE_ATTEMPTED: &str = "precedence_attempted";
/// Two successful calls exclude each other.
pub const EXCLUSION_VIOLATED: &str = "exclusion_violated";
/// A rejected call would have excluded an earlier one.
pub const EXCLUSION_ATTEMPTED: &str = "exclusion_attempted";

/// Whether a finding with this code breaks compliance; a rejected attempt does not.
pub fn is_violation(code: &str) -> bool {
    [PRECEDENCE_VIOLATED, SAME_BATCH, EXCLUSION_VIOLATED].contains(&code)
}

/// One call as the checker sees it, after it was carried out or rejected.
#[derive(Clone, Copy, Debug)]
pub struct ObservedCall<'a> {
    /// Number of the step, from 1.
    pub step: u32,
    /// The agent message it stood in; the calls of one message are one batch.
    pub message: u32,
    /// The tool's name.
    pub tool: &'a str,
    /// The arguments, schema defaults filled in.
    pub arguments: &'a Map<String, Value>,
    /// What the agent got back, if the call succeeded; none when it was rejected.
    pub observation: Option<&'a Value>,
    /// Whether the tool only looks; who needs a look must have seen what it shows.
    pub is_read: bool,
    /// Which of [`ConstraintGraph::patterns`] the call matches, by index.
    pub matches: &'a [usize],
}

/// What a call breaks, or would break if it succeeded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Breaches {
    /// What is found, edges first.
    pub findings: Vec<Finding>,
    /// The indices of the edges it breaks.
    pub edges: Vec<usize>,
    /// The indices of the exclusions it breaks.
    pub exclusions: Vec<usize>,
}

/// Most choices of values out of different lists that one binding makes.
const MAX_BOUND: usize = 4096;

/// The values of bound arguments, canonical, in the order of the binding's keys; nothing of one that asks nothing.
pub type Bound = Vec<Option<String>>;

/// What an edge asks for a call: for each of these rows an earlier call with the bound values whose observation shows
/// the value beside them.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked<'a> {
    /// The rows; none when nothing is asked.
    Rows(Vec<(Bound, Option<&'a Value>)>),
    /// An argument is not given, and agrees with nothing; or the choices are too many to be told apart.
    Never,
}

/// What is remembered of the calls that can satisfy one edge with one binding.
#[derive(Clone, Debug)]
struct EdgeEvidence {
    /// The earliest message with such a call.
    message: u32,
    /// Whether some such call changed something; then order alone can be what the edge asks for.
    is_done: bool,
    /// Of an edge with `seen`: the different observations, each with its earliest message.
    observations: Vector<(u32, Arc<Value>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// An earlier batch has what is needed.
    Satisfied,
    SameBatch,
    Missing,
}

/// Checks the calls of one episode in order.
///
/// A clone is O(1) and independent, so that a search can fork it at each call. It keeps no calls, only the
/// bound values, the observations that edges with `seen` may ask for, and who was first.
#[derive(Clone, Debug)]
pub struct Checker {
    graph: Arc<ConstraintGraph>,
    /// By index of the edge and values of the arguments of `before`.
    evidence: OrdMap<(usize, Bound), EdgeEvidence>,
    /// By index of the exclusion and bound values: the step of each member's first call.
    called: OrdMap<(usize, Bound), OrdMap<usize, u32>>,
}

impl Checker {
    /// A checker before the first call.
    pub fn new(graph: Arc<ConstraintGraph>) -> Self {
        Checker { graph, evidence: OrdMap::new(), called: OrdMap::new() }
    }

    /// Takes note of a call and says what it breaks: at most one finding per edge and per exclusion.
    pub fn observe(&mut self, call: &ObservedCall<'_>) -> Breaches {
        let edges = self.graph.edges().iter().enumerate().filter(|(_, edge)| call.matches.contains(&edge.after));
        let (edges, mut findings): (Vec<usize>, Vec<Finding>) =
            edges.filter_map(|(index, edge)| Some((index, self.precedence(index, edge, call)?))).unzip();
        let sets = self.graph.exclusions().iter().enumerate();
        let (exclusions, excluded): (Vec<usize>, Vec<Finding>) =
            sets.filter_map(|(index, set)| Some((index, self.exclusion(index, set, call)?))).unzip();
        findings.extend(excluded);
        if let Some(observation) = call.observation {
            self.remember(call, observation);
        }
        Breaches { findings, edges, exclusions }
    }

    fn precedence(&self, index: usize, edge: &Edge, call: &ObservedCall<'_>) -> Option<Finding> {
        let standing = self.standing(index, edge, call);
        let code = match (standing, call.observation) {
            (Standing::Satisfied, _) => return None,
            (Standing::SameBatch | Standing::Missing, None) => PRECEDENCE_ATTEMPTED,
            (Standing::SameBatch, Some(_)) => SAME_BATCH,
            (Standing::Missing, Some(_)) => PRECEDENCE_VIOLATED,
        };
        Some(Finding::new(code, wording::precedence(&self.graph, edge, call, standing)).at_step(call.step))
    }

    fn standing(&self, index: usize, edge: &Edge, call: &ObservedCall<'_>) -> Standing {
        match asked(edge, call.arguments) {
            Asked::Never => Standing::Missing,
            Asked::Rows(rows) => {
                let standings = rows.iter().map(|(bound, seen)| self.standing_of(index, edge, call, (bound, *seen)));
                standings.max().unwrap_or(Standing::Satisfied)
            }
        }
    }

    fn standing_of(
        &self,
        index: usize,
        edge: &Edge,
        call: &ObservedCall<'_>,
        (bound, seen): (&Bound, Option<&Value>),
    ) -> Standing {
        if bound.iter().all(Option::is_some) {
            let evidence = self.evidence.get(&(index, bound.clone()));
            return evidence.map_or(Standing::Missing, |evidence| standing_by(evidence, edge, call, seen));
        }
        let agrees = |known: &Bound| known.iter().zip(bound).all(|(known, own)| own.is_none() || own == known);
        let of_edge = self.evidence.range((index, Bound::new())..).take_while(|((edge, _), _)| *edge == index);
        let agreeing = of_edge.filter(|((_, known), _)| agrees(known));
        agreeing.map(|(_, evidence)| standing_by(evidence, edge, call, seen)).min().unwrap_or(Standing::Missing)
    }

    fn exclusion(&self, index: usize, set: &ExclusionSet, call: &ObservedCall<'_>) -> Option<Finding> {
        let mine: Vec<usize> = members(set, call).collect();
        let bounds = bound_values(&set.bind, call.arguments).into_iter();
        let called: Vec<_> = bounds.filter_map(|bound| self.called.get(&(index, bound))).collect();
        // Different members are needed, one for each of the two calls.
        let other = called.into_iter().flatten().filter(|(member, _)| mine.iter().any(|own| own != *member));
        let (member, step) = other.min_by_key(|(_, step)| **step)?;
        let code = if call.observation.is_some() { EXCLUSION_VIOLATED } else { EXCLUSION_ATTEMPTED };
        let text = wording::exclusion(&self.graph, set, call, (*member, *step));
        Some(Finding::new(code, text).at_step(call.step))
    }

    fn remember(&mut self, call: &ObservedCall<'_>, observation: &Value) {
        let mut shared = None;
        for (index, edge) in self.graph.edges().iter().enumerate() {
            if !call.matches.contains(&edge.before) {
                continue;
            }
            for bound in bound_values(edge.bind.keys(), call.arguments) {
                let fresh = EdgeEvidence { message: call.message, is_done: false, observations: Vector::new() };
                let evidence = self.evidence.entry((index, bound)).or_insert(fresh);
                evidence.is_done |= !call.is_read;
                if edge.seen.is_some() && !evidence.observations.iter().any(|(_, known)| **known == *observation) {
                    let kept = shared.get_or_insert_with(|| Arc::new(observation.clone()));
                    evidence.observations.push_back((call.message, Arc::clone(kept)));
                }
            }
        }
        for (index, set) in self.graph.exclusions().iter().enumerate() {
            for bound in bound_values(&set.bind, call.arguments) {
                for member in members(set, call) {
                    let called = self.called.entry((index, bound.clone())).or_default();
                    called.entry(member).or_insert(call.step);
                }
            }
        }
    }
}

fn members<'a>(set: &'a ExclusionSet, call: &'a ObservedCall<'_>) -> impl Iterator<Item = usize> + 'a {
    call.matches.iter().copied().filter(|pattern| set.members.contains(pattern))
}

/// How one piece of evidence stands to a call: the value that must be seen was shown.
fn standing_by(evidence: &EdgeEvidence, edge: &Edge, call: &ObservedCall<'_>, seen: Option<&Value>) -> Standing {
    let earliest = match seen {
        None => Some(evidence.message),
        Some(value) => {
            let shows = evidence.observations.iter().filter(|(_, observation)| contains(observation, value));
            shows.map(|(message, _)| *message).min()
        }
    };
    // Move, then extend, in one message: the second needs that the first was done, not what it says. A look
    // decides nothing, whatever the one before it shows.
    let is_order_alone = edge.seen.is_none() && (call.is_read || evidence.is_done && edge.told.is_none());
    match earliest {
        Some(message) if message < call.message || is_order_alone => Standing::Satisfied,
        Some(_) => Standing::SameBatch,
        None => Standing::Missing,
    }
}

/// What an edge asks for a call with these arguments. Values within one list belong together element by element; a path
/// into an argument at which nothing stands asks nothing.
pub fn asked<'a>(edge: &Edge, arguments: &'a Map<String, Value>) -> Asked<'a> {
    let paths: Vec<&str> = edge.bind.values().chain(&edge.seen).map(String::as_str).collect();
    let is_given = |path: &&str| field_path::leads_within(path) || arguments.contains_key(*path);
    let Some(rows) = field_path::rows(arguments, &paths, MAX_BOUND).filter(|_| paths.iter().all(is_given)) else {
        return Asked::Never;
    };
    let apart = |mut row: field_path::PathRow<'a>| {
        let seen = edge.seen.as_ref().and_then(|_| row.pop().flatten());
        (row.into_iter().map(|value| value.map(canonical::to_string)).collect(), seen)
    };
    Asked::Rows(rows.into_iter().map(apart).collect())
}

/// The values of these arguments; none when one is not given, for that agrees with nothing. Of more choices than are
/// told apart none.
pub fn bound_values<'n>(
    names: impl IntoIterator<Item = &'n String>,
    arguments: &Map<String, Value>,
) -> BTreeSet<Bound> {
    let paths: Vec<&str> = names.into_iter().map(String::as_str).collect();
    let rows = field_path::rows(arguments, &paths, MAX_BOUND).unwrap_or_default().into_iter();
    let whole = rows.filter(|row| row.iter().all(Option::is_some));
    whole.map(|row| row.into_iter().map(|value| value.map(canonical::to_string)).collect()).collect()
}

/// Whether `value` occurs anywhere in `observation`: as a value, or, when it is text, as a key.
pub fn contains(observation: &Value, value: &Value) -> bool {
    if is_same(observation, value) {
        return true;
    }
    match observation {
        Value::Array(items) => items.iter().any(|item| contains(item, value)),
        Value::Object(map) => {
            value.as_str().is_some_and(|text| map.contains_key(text)) || map.values().any(|item| contains(item, value))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
