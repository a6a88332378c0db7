//! What a search remembers of earlier calls: which edges they open for which later calls, and what they exclude.
//!
//! The facts say in advance what the constraint checker would say of a call, so that calls that break compliance
//! are never made. A shorter solution that a search finds is played against the checker before it is believed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::constraint::check::{bound_values, contains};
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
    asked: BTreeMap<(usize, Vec<String>), Vec<(Value, u32)>>,
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
            let fact = self.number(Fact::Open(index, bound.clone(), seen.map(canonical::to_string)));
            if let Some(value) = seen {
                let asked = self.asked.entry((index, bound)).or_default();
                if !asked.iter().any(|(_, known)| *known == fact) {
                    asked.push((value.clone(), fact));
                }
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
        for (index, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| matches.contains(&edge.before)) {
            let Some(bound) = bound_values(edge.bind.keys(), arguments) else { continue };
            if edge.seen.is_none() {
                given.insert(self.number(Fact::Open(index, bound, None)));
                continue;
            }
            let asked = self.asked.get(&(index, bound)).into_iter().flatten();
            given.extend(asked.filter(|(value, _)| contains(observation, value)).map(|(_, fact)| *fact));
        }
        for (index, set) in graph.exclusions().iter().enumerate() {
            let Some(bound) = bound_values(&set.bind, arguments) else { continue };
            for member in matches.iter().filter(|own| set.members.contains(own)) {
                given.insert(self.number(Fact::Called(index, bound.clone(), *member)));
            }
        }
        given
    }
}
