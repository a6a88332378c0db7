//! A file of tau2-bench's tasks, each checked in the world it is played in, and which of them are for training and
//! which for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::package;
use super::peer_task::PeerTask;
use probity_engine::load::diagnose_all;
use probity_engine::{Diagnostic, Positions, Problem, foreign};
use probity_tau2::model::TaskFile;
use probity_tau2::{Fidelity, Tau2World};

/// The tasks of a file.
/// An error: everything that is wrong with them, each with the task's id.
pub(super) fn tasks(path: &Path, splits: &Splits, world: &Tau2World) -> Result<Vec<TaskFile>, Vec<Diagnostic>> {
    let name = path.to_string_lossy().into_owned();
    let text = package::text(path).map_err(|found| vec![found])?;
    let located = foreign::json(&name, &text).map_err(|found| vec![found])?;
    let Value::Array(items) = located.value else {
        let found = Diagnostic::file(name, "no_tasks", "it is no list of tasks");
        return Err(vec![found.help("name a folder with tau2-bench's own files")]);
    };
    if items.is_empty() {
        return Err(vec![
            Diagnostic::file(name, "no_tasks", "there is no task in it").help("name a file that has some"),
        ]);
    }
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (index, item) in items.into_iter().enumerate() {
        let named = item.get("id").and_then(Value::as_str).unwrap_or("without an id").to_owned();
        if !known.insert(named.clone()) {
            let what = format!("there is another task `{named}` before it");
            problems
                .push(Problem::error(format!("/{index}/id"), "duplicate_task", what).help("give it an id of its own"));
        }
        match task(item, splits, world) {
            Ok(file) => files.push(file),
            Err(wrong) => problems.extend(wrong.into_iter().map(|(at, code, what, help)| {
                Problem::error(format!("/{index}{at}"), code, format!("task `{named}`: {what}")).help(help)
            })),
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(diagnose_all(&name, &located.positions, problems)) }
}

/// What is wrong with a task: where, a code, a line, what to do.
type Wrong = (String, &'static str, String, String);

/// Where the parts of a task of ours stand in the peer's.
const PLACES: [(&str, &str, &str); 3] = [
    ("/gold/", "/evaluation_criteria/actions/", "/name"),
    ("/start/", "/initial_state/initialization_actions/", "/func_name"),
    ("/assertions/", "/evaluation_criteria/env_assertions/", "/func_name"),
];

fn theirs(ours: &str) -> String {
    let known = PLACES.iter().find_map(|(ours_at, theirs_at, name)| {
        let rest = ours.strip_prefix(ours_at)?;
        let named = rest.strip_suffix("/tool").map(|rest| format!("{theirs_at}{rest}{name}"));
        Some(named.unwrap_or_else(|| format!("{theirs_at}{rest}")))
    });
    known.unwrap_or_else(|| ours.to_owned())
}

fn task(item: Value, splits: &Splits, world: &Tau2World) -> Result<TaskFile, Vec<Wrong>> {
    let help = || "take the file as tau2-bench has it".to_owned();
    let bad = |what: String| vec![(String::new(), "bad_task", what, help())];
    let task: PeerTask = serde_json::from_value(item).map_err(|error| bad(error.to_string()))?;
    let split = splits.of(&task.id);
    let file = task.file(split).map_err(bad)?;
    let told = |problem: Problem| {
        let at = match &problem.place {
            probity_engine::Place::Pointer(at) => theirs(at),
            probity_engine::Place::Key(_) | probity_engine::Place::Script { .. } => String::new(),
        };
        (at, problem.code, problem.message, problem.help.unwrap_or_else(help))
    };
    let wrong: Vec<Wrong> = file.problems(&world.environment).into_iter().map(told).collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    world.beginning(&file.start, Fidelity::AsThere).map_err(bad)?;
    Ok(file)
}

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
