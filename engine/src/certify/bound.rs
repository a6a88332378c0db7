//! How many calls are at least still needed: the bound from enforced effects.
//!
//! A write changes at most the rows that its declared effects allow, and the engine holds it to that. So an
//! assertion that is still false needs a write that may touch its part of the state, and each such write needs
//! the calls that edges put before it.

use std::collections::{BTreeMap, BTreeSet};

use super::goal::Goal;
use crate::engine::state::State;
use crate::engine::tool::Tool;
use crate::model::environment_file::{Actor, Effect};
use crate::task::assertion::CheckedAssertion;
use crate::task::reference::Observations;

/// The bound for one goal.
pub struct Bound<'a> {
    goal: &'a Goal<'a>,
    /// The tools that can change each part of the state, with the most rows of one call.
    writers: BTreeMap<usize, Vec<(String, usize)>>,
    /// For each tool the reads that edges put before it, whatever its arguments are.
    needed: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Bound<'a> {
    /// The bound for a goal.
    pub fn new(goal: &'a Goal<'a>) -> Self {
        let environment = goal.task.environment();
        let tools: Vec<&Tool> = environment.tools().iter().filter(|tool| tool.actor == Actor::Agent).collect();
        let mut writers: BTreeMap<usize, Vec<(String, usize)>> = BTreeMap::new();
        for tool in &tools {
            let mut rows: BTreeMap<usize, usize> = BTreeMap::new();
            for effect in &tool.effects {
                *rows.entry(effect.slot).or_default() += effect.max_rows as usize;
            }
            rows.into_iter().for_each(|(slot, rows)| writers.entry(slot).or_default().push((tool.name.clone(), rows)));
        }
        let needed = tools.iter().map(|tool| (tool.name.clone(), reads_before(goal, &tool.name))).collect();
        Bound { goal, writers, needed }
    }

    /// Whether the reads that edges put before every call of a tool have been made.
    pub fn is_open(&self, tool: &str, called: &BTreeSet<String>) -> bool {
        self.missing(tool, called) == 0
    }

    /// Whether one call of a tool may be the last: it can touch every part of the state that is still wrong.
    pub fn may_finish(&self, state: &State, tool: &str) -> bool {
        let by_event = state.progress().iter().any(|event| !event.fired && event.calls_since_armed.is_some());
        let rows = rows_to_change(&self.wrong(state), state);
        let touches = |slot: &usize| self.writers.get(slot).into_iter().flatten().any(|(name, _)| name == tool);
        by_event || rows.keys().all(touches)
    }

    fn wrong(&self, state: &State) -> Vec<&CheckedAssertion> {
        let initial = self.goal.task.initial();
        let outcome = self.goal.outcome;
        let is_wrong = |assertion: &&CheckedAssertion| {
            let refers = assertion.values().any(|value| value.as_str().is_some_and(|text| text.starts_with('$')));
            !refers && !assertion.holds(initial, state, Observations::default())
        };
        outcome.achieves.iter().chain(&outcome.preserves).filter(is_wrong).collect()
    }

    /// At least so many calls lead from here to the goal; `called` are the tools called so far.
    pub fn at_least(&self, state: &State, is_informed: bool, called: &BTreeSet<String>) -> usize {
        let wrong = self.wrong(state);
        let rows = rows_to_change(&wrong, state);
        let cheapest = |slot: &usize| {
            let writers = self.writers.get(slot).into_iter().flatten();
            writers.map(|(tool, _)| self.missing(tool, called)).min().unwrap_or(0)
        };
        let reads = rows.keys().map(cheapest).max().unwrap_or(0);
        let by_tools = self.writes(&rows) + reads;
        by_tools.min(self.by_event(state, called)).max(usize::from(!is_informed))
    }

    fn missing(&self, tool: &str, called: &BTreeSet<String>) -> usize {
        self.needed.get(tool).map_or(0, |needed| needed.difference(called).count())
    }

    /// An event may change anything at once: at least so many calls let the next one fire.
    fn by_event(&self, state: &State, called: &BTreeSet<String>) -> usize {
        let events = self.goal.task.environment().file().events.iter().zip(state.progress());
        let open = events.filter(|(_, progress)| !progress.fired);
        let calls = open.map(|(event, progress)| match (&event.armed_by, progress.calls_since_armed) {
            (Some(arming), None) => 2 + self.missing(&arming.tool, called),
            (None, _) | (Some(_), Some(_)) => 1,
        });
        calls.min().unwrap_or(usize::MAX)
    }

    /// The fewest writes that can touch so many rows: exact for few parts, by trying every tool for the first.
    fn writes(&self, rows: &BTreeMap<usize, usize>) -> usize {
        let Some((slot, _)) = rows.iter().find(|(_, rows)| **rows > 0) else { return 0 };
        let Some(writers) = self.writers.get(slot) else { return 0 };
        let after = |tool: &str| -> BTreeMap<usize, usize> {
            rows.iter()
                .map(|(slot, rows)| {
                    let writers = self.writers.get(slot).into_iter().flatten();
                    let most = writers.filter(|(name, _)| name == tool).map(|(_, rows)| *rows).max().unwrap_or(0);
                    (*slot, rows.saturating_sub(most))
                })
                .collect()
        };
        1 + writers.iter().map(|(tool, _)| self.writes(&after(tool))).min().unwrap_or(0)
    }
}

/// At least so many rows of each part must change.
fn rows_to_change(wrong: &[&CheckedAssertion], state: &State) -> BTreeMap<usize, usize> {
    let mut named: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    let mut rows: BTreeMap<usize, usize> = BTreeMap::new();
    for assertion in wrong {
        let Some(slot) = assertion.slot(state) else { continue };
        named.entry(slot).or_default().extend(assertion.entity());
        rows.entry(slot).or_insert(1);
    }
    for (slot, keys) in named {
        rows.entry(slot).and_modify(|rows| *rows = keys.len().max(1));
    }
    rows
}

/// The read tools of which a call must come before any call of `tool`, by edges without a predicate on it.
fn reads_before(goal: &Goal, tool: &str) -> BTreeSet<String> {
    let graph = goal.task.graph();
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut open = vec![tool.to_owned()];
    let mut visited: BTreeSet<String> = BTreeSet::new();
    while let Some(next) = open.pop() {
        if !visited.insert(next.clone()) {
            continue;
        }
        for edge in graph.edges() {
            let (Some(before), Some(after)) = (graph.patterns().get(edge.before), graph.patterns().get(edge.after))
            else {
                continue;
            };
            if after.tool == next && after.predicate.is_none() {
                found.insert(before.tool.clone());
                open.push(before.tool.clone());
            }
        }
    }
    let is_read = |name: &String| goal.task.environment().tool(name).is_some_and(|tool| tool.effect == Effect::Read);
    found.retain(is_read);
    found
}
