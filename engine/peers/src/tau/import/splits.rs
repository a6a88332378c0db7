//! Which tasks of a world are for training and which for tests.

use std::collections::BTreeMap;
use std::path::Path;

use probity_engine::load::diagnose_all;
use probity_engine::{Diagnostic, Positions, Problem, foreign};

/// The splits by which a task is known; a file may have others, which say which tasks there are.
const SPLITS: [&str; 2] = ["train", "test"];

pub(super) struct Splits {
    file: String,
    positions: Positions,
    ids: BTreeMap<String, Vec<String>>,
}

impl Splits {
    /// Reads a file of splits.
    /// An error: it is no such file, or a task is in two splits, or twice in one.
    pub(super) fn read(path: &Path) -> Result<Splits, Vec<Diagnostic>> {
        let file = path.to_string_lossy().into_owned();
        let located = foreign::read(path).and_then(|text| foreign::json(&file, &text)).map_err(|found| vec![found])?;
        let ids = serde_json::from_value(located.value).map_err(|error| {
            let found = Diagnostic::file(file.as_str(), "bad_splits", error.to_string());
            vec![found.help("it has the ids of each split: {\"train\": [..], \"test\": [..]}")]
        })?;
        let splits = Splits { file, positions: located.positions, ids };
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let mut problems = Vec::new();
        for (split, index, id) in splits.each() {
            if let Some(other) = seen.insert(id, split) {
                let what = format!("task `{id}` is in `{other}` already");
                problems.push(problem(split, index, "duplicate_task", what, "leave it in one split, once"));
            }
        }
        splits.told(problems)?;
        Ok(splits)
    }

    pub(super) fn of(&self, task: &str) -> &'static str {
        let is_in = |split: &&str| self.ids.get(*split).is_some_and(|ids| ids.iter().any(|id| id == task));
        SPLITS.into_iter().find(is_in).unwrap_or("other")
    }

    /// Refuses ids that no task has.
    /// An error: each of them at its place.
    pub(super) fn name_only(&self, tasks: &[&str]) -> Result<(), Vec<Diagnostic>> {
        let unknown = self.each().filter(|(.., id)| !tasks.contains(id));
        let problems = unknown.map(|(split, index, id)| {
            let what = format!("there is no task `{id}`");
            problem(split, index, "unknown_task", what, "remove it, or add the task")
        });
        self.told(problems.collect())
    }

    fn each(&self) -> impl Iterator<Item = (&'static str, usize, &str)> {
        SPLITS.into_iter().flat_map(|split| {
            let ids = self.ids.get(split).into_iter().flatten().enumerate();
            ids.map(move |(index, id)| (split, index, id.as_str()))
        })
    }

    fn told(&self, problems: Vec<Problem>) -> Result<(), Vec<Diagnostic>> {
        if problems.is_empty() { Ok(()) } else { Err(diagnose_all(&self.file, &self.positions, problems)) }
    }
}

fn problem(split: &str, index: usize, code: &'static str, what: String, help: &str) -> Problem {
    Problem::error(format!("/{split}/{index}"), code, what).help(help)
}
