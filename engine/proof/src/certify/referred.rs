//! The calls that references of assertions can mean: what a search must remember of the way when `$2.id` decides
//! whether a state is the wanted one.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::goal::Goal;
use probity_behaviour::task::matching::arguments_match;
use probity_behaviour::task::reference::{Observations, calls_referred_to};
use probity_engine::Sum;

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
        if !self.goal.has_references() || !self.may_stand(tool, arguments) {
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
