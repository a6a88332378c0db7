//! Which units of a run have a record: none may be missing, none may have two.

use std::collections::{BTreeMap, BTreeSet};

use super::episodes::EpisodeLine;
use super::plan::Unit;
use crate::agent::spec::AgentSpec;

/// The units of a run beside its records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many episodes the run has when it is complete.
    pub expected: usize,
    /// Units without a record, by name; those an agent has nothing to play in are not among them.
    pub missing: Vec<String>,
    /// Episodes with more than one record, by name.
    pub doubled: Vec<String>,
}

impl Coverage {
    /// Compares the units with the records there are.
    pub fn of(units: &[Unit], agents: &BTreeMap<String, AgentSpec>, entries: &[EpisodeLine]) -> Coverage {
        let mut seen = BTreeSet::new();
        let doubled: Vec<&EpisodeLine> = entries.iter().filter(|entry| !seen.insert(entry.order())).collect();
        let is_playable = |unit: &&Unit| agents.get(&unit.agent).is_some_and(|agent| unit.is_playable(agent));
        let (recorded, open): (Vec<&Unit>, Vec<&Unit>) = units.iter().partition(|unit| seen.contains(&unit.order()));
        let missing: Vec<String> = open.into_iter().filter(is_playable).map(Unit::name).collect();
        let doubled = doubled.into_iter().map(EpisodeLine::name).collect::<BTreeSet<_>>().into_iter().collect();
        Coverage { expected: recorded.len() + missing.len(), missing, doubled }
    }

    /// How many of the expected episodes are recorded.
    pub fn recorded(&self) -> usize {
        self.expected - self.missing.len()
    }

    /// Whether each unit has its one record.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.doubled.is_empty()
    }
}
