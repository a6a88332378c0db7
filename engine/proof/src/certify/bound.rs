//! How many calls are at least still needed: the bound from enforced effects.
//!
//! A write changes at most the rows that its declared effects allow, and the engine holds it to that. So an
//! assertion that is still false needs a write that may touch its part of the state, and each such write needs
//! the calls that edges put before it.

use std::collections::{BTreeMap, BTreeSet};

use super::goal::Goal;
use probity_behaviour::task::assertion::CheckedAssertion;
use probity_behaviour::task::reference::{Observations, calls_referred_to};
use probity_engine::{Actor, Effect, SlotKind, State, Tool};

pub struct Bound<'a> {
    goal: &'a Goal<'a>,
    /// The tools that can change each part of the state, with the most rows of one call.
    writers: BTreeMap<usize, BTreeMap<String, usize>>,
    /// For each tool the reads that edges put before it, whatever its arguments are.
    needed: BTreeMap<String, BTreeSet<String>>,
}

/// What a state lacks of what is asserted.
pub struct Distance {
    /// At least so many rows of each part of the state must change.
    rows: BTreeMap<usize, usize>,
    /// At least so many writes change them.
    writes: usize,
    /// Whether an event that is armed may still change anything.
    by_event: bool,
}

impl<'a> Bound<'a> {
    pub fn new(goal: &'a Goal<'a>) -> Self {
        let environment = goal.task.environment();
        let tools: Vec<&Tool> = environment.tools().iter().filter(|tool| tool.actor == Actor::Agent).collect();
        let mut writers: BTreeMap<usize, BTreeMap<String, usize>> = BTreeMap::new();
        for tool in &tools {
            for effect in &tool.effects {
                let rows = writers.entry(effect.slot).or_default().entry(tool.name.clone()).or_default();
                *rows = rows.saturating_add(effect.max_rows as usize);
            }
        }
        let needed = tools.iter().map(|tool| (tool.name.clone(), reads_before(goal, &tool.name))).collect();
        Bound { goal, writers, needed }
    }

    /// Whether the reads that edges put before every call of a tool have been made.
    pub fn is_open(&self, tool: &str, called: &BTreeSet<String>) -> bool {
        self.missing(tool, called) == 0
    }

    pub fn distance(&self, state: &State) -> Distance {
        let rows = rows_to_change(&self.wrong(state), state);
        let by_event = state.progress().iter().any(|event| !event.fired && event.calls_since_armed.is_some());
        Distance { writes: self.writes(&rows), rows, by_event }
    }

    /// Whether one call of a tool may be the last: it can touch every part of the state that is still wrong.
    pub fn may_finish(&self, from: &Distance, tool: &str) -> bool {
        from.by_event || from.rows.keys().all(|slot| self.most_rows(*slot, tool) > 0)
    }

    fn wrong(&self, state: &State) -> Vec<&CheckedAssertion> {
        let initial = self.goal.task.initial();
        let outcome = self.goal.outcome;
        let is_wrong = |assertion: &&CheckedAssertion| {
            let mut referred = BTreeSet::new();
            assertion.values().for_each(|value| calls_referred_to(value, &mut referred));
            referred.is_empty() && !assertion.holds(initial, state, Observations::default())
        };
        outcome.achieves.iter().chain(&outcome.preserves).filter(is_wrong).collect()
    }

    /// At least so many calls lead from here to the goal; `called` are the tools called so far.
    pub fn at_least(&self, (state, from): (&State, &Distance), is_informed: bool, called: &BTreeSet<String>) -> usize {
        let cheapest = |slot: &usize| {
            let writers = self.writers.get(slot).into_iter().flatten();
            writers.map(|(tool, _)| self.missing(tool, called)).min().unwrap_or(0)
        };
        let reads = from.rows.keys().map(cheapest).max().unwrap_or(0);
        let by_tools = from.writes + reads;
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

    /// At least so many writes touch so many rows: each changes at most what its effects allow, of one part of the
    /// state and of all parts together.
    fn writes(&self, rows: &BTreeMap<usize, usize>) -> usize {
        let of = |slot: &usize, rows: usize, tool: &String| self.most_rows(*slot, tool).min(rows);
        let tools: BTreeSet<&String> =
            rows.keys().filter_map(|slot| self.writers.get(slot)).flat_map(BTreeMap::keys).collect();
        let calls =
            |rows: usize, most: Option<usize>| most.filter(|most| *most > 0).map_or(0, |most| rows.div_ceil(most));
        let alone = rows.iter().map(|(slot, rows)| calls(*rows, tools.iter().map(|tool| of(slot, *rows, tool)).max()));
        let together = |tool: &&String| rows.iter().map(|(slot, rows)| of(slot, *rows, tool)).sum();
        alone.max().unwrap_or(0).max(calls(rows.values().sum(), tools.iter().map(together).max()))
    }

    /// The most rows of a part of the state that one call of a tool changes.
    fn most_rows(&self, slot: usize, tool: &str) -> usize {
        self.writers.get(&slot).and_then(|writers| writers.get(tool)).copied().unwrap_or(0)
    }
}

/// At least so many rows of each part must change.
fn rows_to_change(wrong: &[&CheckedAssertion], state: &State) -> BTreeMap<usize, usize> {
    let mut named: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    let mut rows: BTreeMap<usize, usize> = BTreeMap::new();
    for assertion in wrong {
        let Some(slot) = assertion.slot(state) else { continue };
        let is_record = state.shape().slots.get(slot).is_some_and(|shape| shape.kind == SlotKind::Record);
        named.entry(slot).or_default().extend(assertion.entity().filter(|_| !is_record));
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

#[cfg(test)]
mod tests {
    use super::super::shop::Shop;
    use super::*;
    use probity_behaviour::model::assertion::Assertion;
    use serde_json::json;

    #[test]
    fn many_rows_are_counted_at_once() {
        Shop::new().with_goal(|_, _, goal| {
            let mut bound = Bound::new(goal);
            let writers = |rows: usize| (0..6).map(|at| (format!("tool_{at}"), rows)).collect();
            bound.writers = BTreeMap::from([(0, writers(1)), (1, writers(2))]);
            assert_eq!(bound.writes(&BTreeMap::from([(0, 60), (1, 60)])), 60);
            assert_eq!(bound.writes(&BTreeMap::from([(0, 1), (1, 3)])), 2);
            bound.writers = BTreeMap::from([
                (0, BTreeMap::from([("a".to_owned(), 1)])),
                (1, BTreeMap::from([("b".to_owned(), 1)])),
            ]);
            assert_eq!(bound.writes(&BTreeMap::from([(0, 1), (1, 1)])), 2);
            assert_eq!(bound.writes(&BTreeMap::new()), 0);
        });
    }

    /// One write changes any number of a record's fields.
    #[test]
    fn a_record_is_one_row() {
        Shop::new().with_goal(|task, _, _| {
            let state = task.initial();
            let checked = |path: &str| {
                let authored: Assertion = serde_json::from_value(json!({"path": path, "changed": true})).unwrap();
                CheckedAssertion::build(&authored, &BTreeMap::new(), state).unwrap()
            };
            let rows = |paths: [&str; 2]| -> Vec<usize> {
                let checked = paths.map(checked);
                rows_to_change(&checked.iter().collect::<Vec<_>>(), state).into_values().collect()
            };
            assert_eq!(rows(["/till/float_cents", "/till/owner"]), [1]);
            assert_eq!(rows(["/orders/OR001/status", "/orders/OR002/status"]), [2]);
        });
    }

    /// What an assertion with a reference anywhere in it asks for is not known from the state.
    #[test]
    fn references_are_left_to_the_checker() {
        let wrapped = json!([{"path": "/orders/$order/wrapping", "equals": {"paper": "$1.0.wrapping.paper"}}]);
        let mut shop = Shop::new();
        shop.task["outcomes"][0]["achieves"] = wrapped;
        shop.with_goal(|task, _, goal| assert!(Bound::new(goal).wrong(task.initial()).is_empty()));
    }
}
