//! Which units of a run have a record: none may be missing, none may have two.

use std::collections::{BTreeMap, BTreeSet};

use super::episodes::EpisodeLine;
use super::units::Units;
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
    pub fn of(units: &Units, agents: &BTreeMap<String, AgentSpec>, entries: &[EpisodeLine]) -> Coverage {
        let mut recorded = vec![false; units.len()];
        let mut doubled = BTreeSet::new();
        let mut last = None;
        for entry in entries {
            // They stand in unit order, so that doubles follow each other.
            if last.replace(entry.order()) == Some(entry.order()) {
                doubled.insert(entry.name());
            }
            let place = units.place(entry.order()).and_then(|place| recorded.get_mut(place));
            place.into_iter().for_each(|recorded| *recorded = true);
        }
        let open = recorded.iter().enumerate().filter(|(_, is_recorded)| !**is_recorded);
        let open = open.filter_map(|(place, _)| units.get(place));
        let missing: Vec<String> = open.filter(|unit| unit.is_played_by(agents)).map(|unit| unit.name()).collect();
        let count = recorded.iter().filter(|is_recorded| **is_recorded).count();
        Coverage { expected: count + missing.len(), missing, doubled: doubled.into_iter().collect() }
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
