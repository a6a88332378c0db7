//! `probity check --update`: writes the pinned hashes and the expected deltas into the lock files of tasks.

use std::collections::BTreeMap;
use std::path::Path;

use probity_behaviour::load::lock::{self, LockFile};
use probity_behaviour::suite::{LoadedFile, LoadedTask, Suite};
use probity_behaviour::task::oracle::play;
use probity_behaviour::task::{Outcome, Task};
use probity_engine::{Delta, Diagnostic};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Updated {
    pub written: Vec<String>,
    /// Files of which something could not be known, and what.
    pub unknown: Vec<(String, &'static str)>,
}

/// Writes what has drifted, as far as it can be known.
/// An error: the first file that could not be written.
pub fn update(root: &Path, suite: &Suite) -> Result<Updated, Diagnostic> {
    let mut updated = Updated::default();
    for loaded in suite.tasks.values() {
        let hash = loaded.task.file().initial_state.hash.clone();
        let old = LockFile { hash, deltas: deltas(&loaded.task, |_| None) };
        let new = LockFile { hash: loaded.task.initial().hash().to_string(), deltas: deltas(&loaded.task, changed) };
        write(root, &loaded.file, &old, &new, &mut updated)?;
    }
    for left in &suite.left_out {
        let Some((file, hash)) = &left.start else { continue };
        let Ok((task, _)) = probity_behaviour::load::task(&file.path, &file.text, readable(file)) else { continue };
        let deltas = task.outcomes.into_iter().filter(|outcome| !outcome.delta.is_empty());
        let deltas = deltas.map(|outcome| (outcome.name, outcome.delta)).collect();
        let old = LockFile { hash: task.initial_state.hash, deltas };
        let new = LockFile { hash: hash.to_string(), ..old.clone() };
        write(root, file, &old, &new, &mut updated)?;
    }
    updated.unknown = unknown(suite);
    Ok(updated)
}

/// The text of a lock file of which something can be kept.
fn readable(file: &LoadedFile) -> Option<&str> {
    file.lock.as_deref().filter(|text| lock::read(&file.path, text).is_ok())
}

/// Writes what is generated beside a task, and takes it out of the task; what is as it was stays where it stands.
fn write(
    root: &Path,
    file: &LoadedFile,
    old: &LockFile,
    new: &LockFile,
    updated: &mut Updated,
) -> Result<(), Diagnostic> {
    let text = new.text();
    let is_there = file.lock.as_ref() == Some(&text) || (file.lock.is_none() && old == new && lock::is_in(&file.text));
    if is_there {
        return Ok(());
    }
    let mut replace = |path: String, text: &str| {
        probity_engine::read::replace(root, &path, text)?;
        updated.written.push(path);
        Ok(())
    };
    // In this order nothing is lost when the second write fails: what stands twice is told, and can be mended.
    replace(lock::path_of(&file.path), &text)?;
    if lock::is_in(&file.text) {
        replace(file.path.clone(), &lock::without(&file.text))?;
    }
    Ok(())
}

/// What the oracles of a task change, as `now` finds it, else as the task says.
fn deltas(task: &Task, now: impl Fn((&Task, &Outcome)) -> Option<Delta>) -> BTreeMap<String, Delta> {
    let of = |outcome: &Outcome| {
        let delta = now((task, outcome)).unwrap_or_else(|| outcome.delta.clone());
        (!delta.is_empty()).then(|| (outcome.name.clone(), delta))
    };
    task.outcomes().iter().filter_map(of).collect()
}

fn changed((task, outcome): (&Task, &Outcome)) -> Option<Delta> {
    Some(task.initial().changes_to(&play(task, outcome).ok()?.last))
}

fn unknown(suite: &Suite) -> Vec<(String, &'static str)> {
    let fails = |loaded: &&LoadedTask| {
        let task = &loaded.task;
        task.outcomes().iter().any(|outcome| play(task, outcome).is_err())
    };
    let failing =
        suite.tasks.values().filter(fails).map(|loaded| (loaded.file.path.clone(), "a delta: its oracle fails"));
    let left_out = suite.left_out.iter().map(|left| {
        let what = match left.start {
            Some(_) => "the deltas: the task has errors of its own",
            None => "hash and deltas: the task or its environment cannot be read",
        };
        (left.path.clone(), what)
    });
    let mut unknown: Vec<_> = failing.chain(left_out).collect();
    unknown.sort();
    unknown
}
