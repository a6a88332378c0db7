//! What a search remembers of earlier calls: which edges they open for which later calls, and what they exclude.
//!
//! The facts say in advance what the constraint checker would say of a call, so that calls that break compliance
//! are never made. A shorter solution that a search finds is played against the checker before it is believed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::constraint::check::bound_values;
use crate::model::canonical;
use crate::task::Task;

/// Numbers of facts, in order.
pub type Facts = BTreeSet<u32>;

/// A fact about earlier calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    /// A call opened an edge for these bound values and, of an edge with `seen`, showed this value.
    Open(usize, Vec<String>, Option<String>),
    /// A member of an exclusion was called with these values.
    Called(usize, Vec<String>, usize),
}

/// The facts that calls can need or give, numbered.
#[derive(Default)]
pub struct Ledger {
    numbers: BTreeMap<Fact, u32>,
    /// Values that `seen` asks for, by edge and bound values, each with its fact.
    asked: BTreeMap<(usize, Vec<String>), BTreeMap<String, u32>>,
    /// Facts that only bar calls.
    bars: Facts,
}

/// What a call needs, and what must not have been called.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// Facts that must be there.
    pub needs: Vec<u32>,
    /// Facts that must not be there.
    pub bars: Vec<u32>,
    /// Whether an edge can never be satisfied by this call.
    pub is_hopeless: bool,
}

impl Ledger {
    fn number(&mut self, fact: Fact) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(fact).or_insert(next)
    }

    /// What a call needs that matches these patterns.
    pub fn demand(&mut self, task: &Task, matches: &[usize], arguments: &Map<String, Value>) -> Demand {
        let graph = task.graph();
        let mut demand = Demand::default();
        for (index, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| matches.contains(&edge.after)) {
            let Some(bound) = bound_values(edge.bind.values(), arguments) else {
                demand.is_hopeless = true;
                continue;
            };
            let seen = match &edge.seen {
                None => None,
                Some(name) => match arguments.get(name) {
                    Some(value) => Some(value),
                    None => {
                        demand.is_hopeless = true;
                        continue;
                    }
                },
            };
            let seen = seen.map(canonical::to_string);
            let fact = self.number(Fact::Open(index, bound.clone(), seen.clone()));
            if let Some(value) = seen {
                self.asked.entry((index, bound)).or_default().insert(value, fact);
            }
            demand.needs.push(fact);
        }
        for (index, set) in graph.exclusions().iter().enumerate() {
            let Some(bound) = bound_values(&set.bind, arguments) else { continue };
            for member in set
                .members
                .iter()
                .filter(|member| matches.iter().any(|own| own != *member && set.members.contains(own)))
            {
                demand.bars.push(self.number(Fact::Called(index, bound.clone(), *member)));
            }
        }
        demand
    }

    /// What a successful call gives later ones. Values that no call has asked for yet are not looked for:
    /// the calls of the state it leads to must have been asked before.
    pub fn given(
        &mut self,
        task: &Task,
        matches: &[usize],
        arguments: &Map<String, Value>,
        observation: &Value,
    ) -> Facts {
        let graph = task.graph();
        let mut given = Facts::new();
        let mut shown = None;
        for (index, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| matches.contains(&edge.before)) {
            let Some(bound) = bound_values(edge.bind.keys(), arguments) else { continue };
            if edge.seen.is_none() {
                given.insert(self.number(Fact::Open(index, bound, None)));
                continue;
            }
            let shown = shown.get_or_insert_with(|| {
                let mut shown = BTreeSet::new();
                collect(observation, &mut shown);
                shown
            });
            let asked = self.asked.get(&(index, bound)).into_iter().flatten();
            given.extend(asked.filter(|(value, _)| shown.contains(*value)).map(|(_, fact)| *fact));
        }
        for (index, set) in graph.exclusions().iter().enumerate() {
            let Some(bound) = bound_values(&set.bind, arguments) else { continue };
            for member in matches.iter().filter(|own| set.members.contains(own)) {
                let fact = self.number(Fact::Called(index, bound.clone(), *member));
                self.bars.insert(fact);
                given.insert(fact);
            }
        }
        given
    }

    /// Whether of two sets of facts the first allows every call that the second allows.
    pub fn covers(&self, first: &Facts, second: &Facts) -> bool {
        second.iter().all(|fact| self.bars.contains(fact) || first.contains(fact))
            && first.iter().all(|fact| !self.bars.contains(fact) || second.contains(fact))
    }
}

/// Everything that an observation shows to an edge with `seen`: its values, and the keys of its objects.
fn collect(value: &Value, shown: &mut BTreeSet<String>) {
    shown.insert(canonical::to_string(value));
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, shown)),
        Value::Object(map) => {
            for (key, item) in map {
                shown.insert(canonical::to_string(&Value::from(key.as_str())));
                collect(item, shown);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
