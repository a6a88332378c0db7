//! `probity check --update`: writes the pinned hash and the expected deltas into task files.

use std::path::Path;

use serde_json::Value;

use crate::load::suite::{LoadedFile, LoadedTask, Suite};
use crate::model::diagnostic::{Diagnostic, Place};
use crate::task::oracle::{difference, play};

/// Writes what has drifted; returns the paths of the files that changed.
///
/// # Errors
/// The first file that could not be written.
pub fn update(root: &Path, suite: &Suite) -> Result<Vec<String>, Diagnostic> {
    let mut written = Vec::new();
    for loaded in suite.tasks.values() {
        let text = updated(loaded);
        if text != loaded.file.text {
            crate::load::read::replace(root, &loaded.file.path, &text)?;
            written.push(loaded.file.path.clone());
        }
    }
    Ok(written)
}

/// The task's text with its hash and deltas as they are now; the rest stays to the letter.
fn updated(loaded: &LoadedTask) -> String {
    let task = &loaded.task;
    let mut edits = Vec::new();
    let hash = Value::from(task.initial().hash().to_string());
    match has(&loaded.file, "/initial_state/hash") {
        true => edits.extend(replace(&loaded.file, "/initial_state/hash", &hash)),
        false => edits.extend(insert_after(&loaded.file, "/initial_state/seed", "hash", &hash)),
    }
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
