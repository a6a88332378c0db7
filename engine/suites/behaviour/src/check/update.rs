//! `probity check --update`: writes the pinned hash and the expected deltas into task files.

use std::path::Path;

use serde_json::Value;

use crate::suite::{LoadedFile, LoadedTask, Suite};
use crate::task::oracle::{difference, play};
use probity_engine::model::canonical::Hash;
use probity_engine::model::diagnostic::{Diagnostic, Place};

/// What an update did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Files that changed.
    pub written: Vec<String>,
    /// Files of which something could not be known, and what.
    pub unknown: Vec<(String, &'static str)>,
}

/// Writes what has drifted, as far as it can be known.
///
/// # Errors
/// The first file that could not be written.
pub fn update(root: &Path, suite: &Suite) -> Result<Updated, Diagnostic> {
    let mut updated = Updated::default();
    let mut write = |file: &LoadedFile, text: String| {
        if text != file.text {
            probity_engine::load::read::replace(root, &file.path, &text)?;
            updated.written.push(file.path.clone());
        }
        Ok(())
    };
    for loaded in suite.tasks.values() {
        write(&loaded.file, text_of(loaded))?;
    }
    for (file, hash) in suite.left_out.iter().filter_map(|left| left.start.as_ref()) {
        write(file, apply(&file.text, hash_edit(file, hash).into_iter().collect()))?;
    }
    updated.unknown = unknown(suite);
    Ok(updated)
}

/// What could not be known, file by file.
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

/// The edit that writes the hash of the initial state.
fn hash_edit(file: &LoadedFile, hash: &Hash) -> Option<Edit> {
    let hash = Value::from(hash.to_string());
    match has(file, "/initial_state/hash") {
        true => replace(file, "/initial_state/hash", &hash),
        false => insert_after(file, "/initial_state/seed", "hash", &hash),
    }
}

/// The task's text with its hash and deltas as they are now; the rest stays to the letter.
fn text_of(loaded: &LoadedTask) -> String {
    let task = &loaded.task;
    let mut edits: Vec<Edit> = hash_edit(&loaded.file, &task.initial().hash()).into_iter().collect();
    for (index, outcome) in task.outcomes().iter().enumerate() {
        let Ok(run) = play(task, outcome) else { continue };
        let delta = difference(task.initial(), &run.last);
        if delta == outcome.delta {
            continue;
        }
        let Ok(value) = serde_json::to_value(&delta) else { continue };
        let at = format!("/outcomes/{index}/delta");
        let is_there =
            task.file().outcomes.get(index).is_some_and(|file| !file.delta.is_empty()) || has(&loaded.file, &at);
        match is_there {
            true => edits.extend(replace(&loaded.file, &at, &value)),
            false => edits.extend(insert_after(&loaded.file, &format!("/outcomes/{index}/budget"), "delta", &value)),
        }
    }
    apply(&loaded.file.text, edits)
}

struct Edit {
    from: usize,
    to: usize,
    text: String,
}

fn has(file: &LoadedFile, pointer: &str) -> bool {
    serde_json::from_str::<Value>(&file.text).is_ok_and(|value| value.pointer(pointer).is_some())
}

/// Byte range of the value at a pointer, and the indentation of its line.
fn span(file: &LoadedFile, pointer: &str) -> Option<(usize, usize, usize)> {
    let (line, column) = file.positions.locate(&Place::Pointer(pointer.to_owned()));
    let mut start = 0;
    for text in file.text.split_inclusive('\n').take(line.checked_sub(1)?) {
        start += text.len();
    }
    let rest = file.text.get(start..)?;
    let indent = rest.len() - rest.trim_start_matches(' ').len();
    let from = start + rest.char_indices().nth(column.checked_sub(1)?)?.0;
    let mut values = serde_json::Deserializer::from_str(file.text.get(from..)?).into_iter::<Value>();
    values.next()?.ok()?;
    Some((from, from + values.byte_offset(), indent))
}

fn pretty(value: &Value, indent: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{}", " ".repeat(indent)))
}

fn replace(file: &LoadedFile, pointer: &str, value: &Value) -> Option<Edit> {
    let (from, to, indent) = span(file, pointer)?;
    Some(Edit { from, to, text: pretty(value, indent) })
}

fn insert_after(file: &LoadedFile, pointer: &str, key: &str, value: &Value) -> Option<Edit> {
    let (_, to, indent) = span(file, pointer)?;
    let text = format!(",\n{}\"{key}\": {}", " ".repeat(indent), pretty(value, indent));
    Some(Edit { from: to, to, text })
}

fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.from));
    let mut text = text.to_owned();
    for edit in edits {
        if text.get(edit.from..edit.to).is_some() {
            text.replace_range(edit.from..edit.to, &edit.text);
        }
    }
    text
}
