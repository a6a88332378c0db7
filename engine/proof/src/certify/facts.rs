//! What a search remembers of earlier calls: which edges they open for which later calls, what they exclude, and
//! which of them references of assertions can mean.
//!
//! The facts say in advance what the constraint checker would say of a call, so that calls that break compliance
//! are never made. A shorter solution that a search finds is played against the checker before it is believed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use super::goal::{Goal, KnownPieces};
use probity_behaviour::task::Task;
use probity_behaviour::task::matching::arguments_match;
use probity_behaviour::task::reference::{Observations, calls_referred_to};
use probity_engine::check::{Asked, Bound, asked, bound_values};
use probity_engine::{Sum, canonical, field_path};

pub type Facts = BTreeSet<u32>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CallFact {
    /// A call opened an edge for these bound values and, of an edge with `seen`, showed this value.
    Open(usize, Bound, Option<String>),
    Called(usize, Bound, usize),
}

pub struct ObservedFacts {
    /// Its hash, by which equal observations are known.
    pub sum: Sum,
    pub known: KnownPieces,
    observation: Value,
    /// Everything in it that an edge with `seen` may ask for.
    values: OnceCell<BTreeSet<String>>,
}

impl ObservedFacts {
    pub fn new(sum: Sum, known: KnownPieces, observation: Value) -> ObservedFacts {
        ObservedFacts { sum, known, observation, values: OnceCell::new() }
    }

    fn has(&self, value: &str) -> bool {
        let all = || {
            let mut values = BTreeSet::new();
            collect(&self.observation, &mut values);
            values
        };
        self.values.get_or_init(all).contains(value)
    }
}

/// What an edge with `seen` asks for or was shown with the same bound values.
type BoundEdge = (usize, Bound);

/// The facts that calls can need or give, numbered.
#[derive(Default)]
pub struct FactTable {
    numbers: BTreeMap<CallFact, u32>,
    /// Values that `seen` asks for, by edge and bound values, each with its fact.
    asked: BTreeMap<BoundEdge, BTreeMap<String, u32>>,
    /// What was shown to an edge with `seen`, by edge and bound values.
    shown: BTreeMap<BoundEdge, BTreeMap<Sum, Rc<ObservedFacts>>>,
    is_stale: bool,
    /// How many values have been asked for; until there are more, the same call gives the same facts.
    pub asks: usize,
    /// Facts that only bar calls.
    bars: Facts,
}

#[derive(Clone, Debug, Default)]
pub struct Demand {
    pub needs: Vec<u32>,
    pub bars: Vec<u32>,
    /// Whether an edge can never be satisfied by this call.
    pub is_hopeless: bool,
}

impl Demand {
    /// Whether a call may be made after calls that gave these facts.
    pub fn is_met(&self, facts: &Facts) -> bool {
        !self.is_hopeless
            && self.needs.iter().all(|fact| facts.contains(fact))
            && !self.bars.iter().any(|fact| facts.contains(fact))
    }
}

impl FactTable {
    /// Whether a value was asked for after an observation had shown it, so that facts given before are too few;
    /// asking takes it back.
    pub fn was_stale(&mut self) -> bool {
        std::mem::take(&mut self.is_stale)
    }

    fn ask(&mut self, bound: BoundEdge, value: String, fact: u32) {
        let is_new = self.asked.entry(bound.clone()).or_default().insert(value.clone(), fact).is_none();
        self.asks += usize::from(is_new);
        let earlier = self.shown.get(&bound).into_iter().flat_map(BTreeMap::values);
        self.is_stale |= is_new && earlier.into_iter().any(|shown| shown.has(&value));
    }

    fn number(&mut self, fact: CallFact) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(fact).or_insert(next)
    }

    pub fn demand(&mut self, task: &Task, matches: &[usize], arguments: &Map<String, Value>) -> Demand {
        let graph = task.graph();
        let mut demand = Demand::default();
        for (index, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| matches.contains(&edge.after)) {
            let Asked::Rows(rows) = asked(edge, arguments) else {
                demand.is_hopeless = true;
                continue;
            };
            for (bound, seen) in rows {
                let seen = seen.map(canonical::to_string);
                let fact = self.number(CallFact::Open(index, bound.clone(), seen.clone()));
                if let Some(value) = seen {
                    self.ask((index, bound), value, fact);
                }
                demand.needs.push(fact);
            }
        }
        for (index, set) in graph.exclusions().iter().enumerate() {
            let is_barring = |member: &&usize| matches.iter().any(|own| own != *member && set.members.contains(own));
            let members: Vec<usize> = set.members.iter().filter(is_barring).copied().collect();
            for bound in bound_values(&set.bind, arguments) {
                for member in &members {
                    demand.bars.push(self.number(CallFact::Called(index, bound.clone(), *member)));
                }
            }
        }
        demand
    }

    /// What a successful call gives later ones. Values that no call has asked for yet give no fact; when one is
    /// asked for later, [`FactTable::was_stale`] says so.
    pub fn given(
        &mut self,
        task: &Task,
        matches: &[usize],
        arguments: &Map<String, Value>,
        shown: &Rc<ObservedFacts>,
    ) -> Facts {
        let graph = task.graph();
        let mut given = Facts::new();
        for (index, edge) in graph.edges().iter().enumerate().filter(|(_, edge)| matches.contains(&edge.before)) {
            // An edge asks nothing of a path of its own at which nothing stands.
            let may_be_empty: Vec<bool> = edge.bind.values().map(|path| field_path::leads_within(path)).collect();
            let bounds = bound_values(edge.bind.keys(), arguments).into_iter();
            for bound in bounds.flat_map(|bound| with_some_empty(bound, &may_be_empty)) {
                if edge.seen.as_ref().is_none_or(|path| field_path::leads_within(path)) {
                    given.insert(self.number(CallFact::Open(index, bound.clone(), None)));
                }
                if edge.seen.is_none() {
                    continue;
                }
                let asked = self.asked.get(&(index, bound.clone())).into_iter().flatten();
                given.extend(asked.filter(|(value, _)| shown.has(value)).map(|(_, fact)| *fact));
                self.shown.entry((index, bound)).or_default().entry(shown.sum).or_insert_with(|| Rc::clone(shown));
            }
        }
        for (index, set) in graph.exclusions().iter().enumerate() {
            for bound in bound_values(&set.bind, arguments) {
                for member in matches.iter().filter(|own| set.members.contains(own)) {
                    let fact = self.number(CallFact::Called(index, bound.clone(), *member));
                    self.bars.insert(fact);
                    given.insert(fact);
                }
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

/// Most ways to leave bound values out that are gone through.
const MAX_WAYS: usize = 256;

/// Bound values, and the same without some of those that may be empty.
fn with_some_empty(bound: Bound, may_be_empty: &[bool]) -> Vec<Bound> {
    let mut all = vec![bound];
    for (at, _) in may_be_empty.iter().enumerate().filter(|(_, may)| **may) {
        if all.len() >= MAX_WAYS {
            break;
        }
        let mut more = all.clone();
        more.iter_mut().filter_map(|bound| bound.get_mut(at)).for_each(|value| *value = None);
        all.append(&mut more);
    }
    all
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

/// Calls that may stand for a call of the oracle, numbered together with what they returned.
pub(super) struct Referred<'a> {
    goal: &'a Goal<'a>,
    numbers: BTreeMap<(String, Sum), u32>,
}

impl<'a> Referred<'a> {
    pub(super) fn new(goal: &'a Goal<'a>) -> Self {
        Referred { goal, numbers: BTreeMap::new() }
    }

    /// The number of a call that an assignment may use; nothing for one that no reference can mean.
    pub(super) fn number(&mut self, tool: &str, arguments: &Map<String, Value>, observation: Sum) -> Option<u32> {
        if !self.goal.has_references || !self.may_stand(tool, arguments) {
            return None;
        }
        let text = format!("{tool} {}", probity_engine::canonical::to_string(&Value::Object(arguments.clone())));
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        Some(*self.numbers.entry((text, observation)).or_insert(next))
    }

    /// Whether a call is like one of the oracle's or its equivalents, whatever their references stand for.
    fn may_stand(&self, tool: &str, arguments: &Map<String, Value>) -> bool {
        self.goal.outcome.oracle.iter().any(|call| {
            let equivalents = call.equivalents.iter().map(|other| (&other.tool, &other.arguments));
            let mut all = std::iter::once((&call.tool, &call.arguments)).chain(equivalents);
            all.any(|(name, expected)| name == tool && self.is_like(tool, expected, arguments))
        })
    }

    fn is_like(&self, tool: &str, expected: &Map<String, Value>, arguments: &Map<String, Value>) -> bool {
        let Some(tool) = self.goal.task.environment().tool(tool) else { return false };
        let filled = expected.iter().map(|(name, value)| {
            let mut calls = std::collections::BTreeSet::new();
            calls_referred_to(value, &mut calls);
            let value =
                if calls.is_empty() { Observations::default().fill(value) } else { arguments.get(name).cloned() };
            Some((name.clone(), value?))
        });
        let filled = filled.collect::<Option<Map<String, Value>>>().and_then(|filled| tool.complete(&filled).ok());
        filled.is_some_and(|filled| arguments_match(tool, &filled, arguments))
    }
}
