//! What a run was played on. Numbers of runs are held against each other only where that is the same.

use std::collections::BTreeMap;

use crate::table::count;
use probity_bench::{Header, RunConfig, RunSpeech, Unit, Units};
use probity_engine::Hash;

/// What decides the episodes of a run beside its agents, its seed and its trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The version of the engine that played it.
    pub(super) engine: String,
    /// Which user.
    pub(super) user: String,
    speech: Option<RunSpeech>,
    /// By the name of each task instance the marks of the header that its traces have.
    marks: BTreeMap<String, [Hash; Header::PARTS.len()]>,
}

impl Conditions {
    /// Those of a run with these units.
    pub fn of(config: &RunConfig, units: &Units) -> Conditions {
        let headers = units.instances().filter_map(|unit: Unit| unit.header());
        Conditions::with(config, headers)
    }

    pub(super) fn with(config: &RunConfig, headers: impl Iterator<Item = Header>) -> Conditions {
        let named = |header: Header| (format!("{} {}", header.task, header.levels), header.marks());
        Conditions {
            engine: config.engine.clone(),
            user: config.user_name(),
            speech: config.speech.clone(),
            marks: headers.map(named).collect(),
        }
    }

    /// How many task instances there are.
    pub(super) fn instances(&self) -> usize {
        self.marks.len()
    }

    /// In words, what is other than in the usual ones; nothing where runs of both can be ranked together.
    pub(super) fn unlike(&self, usual: &Conditions) -> Vec<String> {
        let mut words = Vec::new();
        if self.engine != usual.engine {
            words.push(format!("played by probity {}, not {}", self.engine, usual.engine));
        }
        if self.speech != usual.speech {
            words.push("what the user said went through other programs".to_owned());
        }
        let lacking = |of: &Conditions, other: &Conditions| -> Vec<String> {
            of.marks.keys().filter(|name| !other.marks.contains_key(*name)).cloned().collect()
        };
        for (names, what) in [(lacking(usual, self), "fewer"), (lacking(self, usual), "more")] {
            let instances = count(names.len(), "task instance");
            words.extend(names.first().map(|first| format!("{instances} {what} than usual, first: {first}")));
        }
        let mut parts: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for (name, marks) in &self.marks {
            let other = usual.marks.get(name).unwrap_or(marks);
            let unlike =
                Header::PARTS.into_iter().zip(marks.iter().zip(other)).filter(|(_, (own, other))| own != other);
            unlike.for_each(|(what, _)| parts.entry(what).or_default().push(name));
        }
        words.extend(parts.into_iter().filter_map(|(what, names)| {
            let instances = count(names.len(), "task instance");
            Some(format!("{what} in {instances}, first: {}", names.first()?))
        }));
        words
    }
}
