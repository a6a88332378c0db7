//! What is generated for a task stands beside it, in `TASK.lock.json`: a reader of the task need not look at it, and
//! what has drifted is one small file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::model::task_file::TaskFile;
use probity_engine::authored;
use probity_engine::comment::blank;
use probity_engine::format::{format, print};
use probity_engine::{Data, Delta, Diagnostic, Read, Tree, position, strict};

pub const ENDING: &str = ".lock.json";

/// What is generated for a task; `probity check --update` writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LockFile {
    /// The hash of the initial state.
    pub hash: String,
    /// What the oracle of each outcome changes, by the outcome's name; those that change nothing are left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deltas: BTreeMap<String, Delta>,
}

impl LockFile {
    pub fn text(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        format("lock", &text).unwrap_or(text)
    }
}

/// Reads what is generated for the task at `path`.
/// An error: the first thing that is wrong with it; all of it can be made anew.
pub fn read(path: &str, text: &str) -> Result<LockFile, Diagnostic> {
    let path = path_of(path);
    let found = match strict::parse::<LockFile>(&path, text) {
        Ok((lock, _)) => return Ok(lock),
        Err(found) => found.into_iter().next(),
    };
    let found = found.unwrap_or_else(|| Diagnostic::file(path, "bad_json", "not a lock file"));
    Err(found.help("all of it is generated: `probity check --update` makes it anew"))
}

/// The path of what is generated for the task at `path`.
pub fn path_of(path: &str) -> String {
    format!("{}{ENDING}", path.strip_suffix(".json").unwrap_or(path))
}

/// The path of the task that `path` is generated for, if it is such a file.
pub fn task_of(path: &str) -> Option<String> {
    path.strip_suffix(ENDING).map(|name| format!("{name}.json"))
}

/// Puts what is generated into a task that is written out, where it is read from; it stands there or here, not twice.
pub(super) fn merge(file: &str, tree: &mut Tree, lock: LockFile) -> Vec<Diagnostic> {
    let mut twice = Vec::new();
    let mut put = |of: &mut Tree, key: &str, value| match of.get(key) {
        Some(found) => twice.push(found.key.unwrap_or(found.at)),
        None => {
            let at = of.at;
            of.push(key, Tree::at(at, value));
        }
    };
    if let Some(start) = tree.get_mut("initial_state") {
        put(start, "hash", json!(lock.hash));
    }
    for outcome in tree.get_mut("outcomes").and_then(Tree::items_mut).into_iter().flatten() {
        let delta = outcome.get("name").and_then(Tree::text).and_then(|name| lock.deltas.get(name));
        if let Some(delta) = delta {
            put(outcome, "delta", json!(delta));
        }
    }
    let refused = |(line, column)| {
        let message = "this stands in the lock file, too";
        let refused = Diagnostic::file(file, "locked_twice", message).help("remove it here");
        Diagnostic { line, column, ..refused }
    };
    twice.into_iter().map(refused).collect()
}

pub fn orphans(path: &str, text: &str, task: &TaskFile) -> Option<Diagnostic> {
    let lock = read(path, text).ok()?;
    let path = path_of(path);
    let is_known = |name: &&String| task.outcomes.iter().any(|outcome| outcome.name == **name);
    let name = lock.deltas.keys().find(|name| !is_known(name))?;
    let found = Diagnostic::file(path, "orphan_delta", format!("the task has no outcome `{name}`"));
    Some(found.help("`probity check --update` removes what is left of it"))
}

pub fn is_in(text: &str) -> bool {
    let (blanked, _) = blank(text);
    let Ok(mut tree) = position::tree("task", &blanked) else { return false };
    let before = tree.clone();
    take_out(&mut tree);
    tree != before
}

pub fn without(text: &str) -> String {
    let (blanked, comments) = blank(text);
    let Ok(mut tree) = position::tree("task", &blanked) else { return text.to_owned() };
    take_out(&mut tree);
    print(&tree, comments)
}

/// A task as the texts of its file, without what follows from its path and its oracle, and of its lock file.
pub fn split(file: &TaskFile) -> (String, String) {
    let deltas = file.outcomes.iter().filter(|outcome| !outcome.delta.is_empty());
    let deltas = deltas.map(|outcome| (outcome.name.clone(), outcome.delta.clone())).collect();
    let lock = LockFile { hash: file.initial_state.hash.clone(), deltas };
    let text = serde_json::to_string(file).unwrap_or_default();
    let Ok(mut tree) = position::tree("task", &text) else { return (text, lock.text()) };
    take_out(&mut tree);
    ["format", "id", "environment"].iter().for_each(|key| drop(tree.remove(key)));
    for outcome in tree.get_mut("outcomes").and_then(Tree::items_mut).into_iter().flatten() {
        outcome.remove("budget");
    }
    (print(&tree, Vec::new()), lock.text())
}

fn take_out(tree: &mut Tree) {
    if let Some(start) = tree.get_mut("initial_state") {
        start.remove("hash");
    }
    match tree.get_mut("outcomes").map(|outcomes| &mut outcomes.data) {
        Some(Data::Array(outcomes)) => outcomes.iter_mut().for_each(|outcome| drop(outcome.remove("delta"))),
        Some(Data::Object(outcomes)) => outcomes.iter_mut().for_each(|(_, outcome)| drop(outcome.remove("delta"))),
        Some(Data::Scalar(_)) | None => {}
    }
}

pub fn task(file: &str, text: &str, lock: Option<&str>) -> Read<TaskFile> {
    let lock: Option<LockFile> = match lock {
        Some(text) => Some(read(file, text).map_err(|found| vec![found])?),
        None => None,
    };
    let merge = |tree: &mut Tree| lock.map_or_else(Vec::new, |lock| merge(file, tree, lock));
    authored::read(file, text, |tree, refused| super::task::task(file, tree, refused), merge)
}

/// The JSON Schema of tasks, long and short, for editors.
pub fn task_schema() -> Value {
    authored::schema::<TaskFile>(include_str!("task.schema.json"))
}
