//! The loader: authored files of any content. The first line of an input says what the rest is:
//!
//! - `edit environment`, `edit task`: edits of the shop's file, see [`edit`];
//! - `file PATH`: the text of the file at a path, among or instead of the shop's;
//! - anything else: a text for the readers of JSON.

use std::fmt::Debug;

use probity_behaviour::model::task_file::TaskFile;
use probity_behaviour::suite::{Files, Suite};
use probity_engine::{
    Diagnostic, EnvironmentFile, Place, Positions, Spot, canonical, foreign, pointer, position, strict,
};
use probity_proof::check::check;
use probity_proof::store::NoStore;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::edit::edit;
use super::first_line;
use super::suite::SHOP;

const ENVIRONMENT: &str = "environments/shop/counter.json";
const TASK: &str = "tasks/shop/counter/more_teapots.json";

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (first, rest) = first_line(text);
    let mut files = SHOP.clone();
    match first.split_once(' ') {
        Some(("edit", "environment")) => edit_file(&mut files, ENVIRONMENT, rest),
        Some(("edit", "task")) => edit_file(&mut files, TASK, rest),
        Some(("file", path)) => drop(files.insert(path.to_owned(), rest.to_owned())),
        _ => return read(text),
    }
    load(&files);
}

fn edit_file(files: &mut Files, path: &str, lines: &str) {
    let mut value = serde_json::from_str(&files[path]).unwrap();
    edit(&mut value, lines.lines());
    files.insert(path.to_owned(), serde_json::to_string_pretty(&value).unwrap());
}

/// Loads the files: every problem stands somewhere in them, and the same is found twice.
fn load(files: &Files) {
    let suite = Suite::from_files(files.clone(), Vec::new());
    let found = if suite.has_errors() { Vec::new() } else { check(&suite, &NoStore) };
    suite.diagnostics.iter().chain(&found).for_each(|problem| assert_placed(problem, files));
    let again = Suite::from_files(files.clone(), Vec::new());
    assert_eq!(suite.diagnostics, again.diagnostics);
    for (id, environment) in &suite.environments {
        assert_eq!(environment.hash(), again.environments[id].hash());
    }
    for (id, loaded) in &suite.tasks {
        let other = &again.tasks[id].task;
        assert_eq!(loaded.task.hash(), other.hash());
        assert_eq!(loaded.task.initial().hash(), other.initial().hash());
    }
    for (path, text) in files {
        round_trip::<EnvironmentFile>(path, text);
        round_trip::<TaskFile>(path, text);
    }
}

/// A problem about a file of the suite stands within its text, and says so on few lines.
fn assert_placed(problem: &Diagnostic, files: &Files) {
    assert!(!problem.code.is_empty() && !problem.message.contains('\n'), "{problem}");
    let Some(text) = files.get(&problem.file) else {
        return assert_eq!((problem.line, problem.column), (0, 0), "{problem}");
    };
    assert_within(text, (problem.line, problem.column), problem);
}

/// A place lies in a text, or just behind it; line or column 0 stands for all of it.
fn assert_within(text: &str, (line, column): Spot, about: &impl Debug) {
    let mut lines = text.split('\n');
    let Some(found) = line.checked_sub(1).map(|before| lines.nth(before)) else {
        return assert_eq!(column, 0, "{about:?}");
    };
    let length = found.unwrap_or_else(|| panic!("there is no line {line}: {about:?}")).chars().count();
    assert!(column <= length + 1, "there is no column {column}: {about:?}");
}

/// What is read and written again reads the same.
fn round_trip<T: DeserializeOwned + Serialize + JsonSchema>(file: &str, text: &str) {
    let Ok((read, _)) = strict::parse::<T>(file, text) else { return };
    let written = serde_json::to_value(&read).unwrap();
    let (again, _) = strict::parse::<T>(file, &written.to_string()).unwrap_or_else(|found| panic!("{found:?}"));
    assert_eq!(serde_json::to_value(&again).unwrap(), written);
}

/// Reads a text in all the ways that a file can be read.
fn read(text: &str) {
    match position::parse("a.json", text) {
        Ok((value, positions)) => {
            let written = canonical::to_string(&value);
            assert_eq!(position::parse("a.json", &written).map(|(value, _)| value), Ok(value.clone()));
            assert_found(text, &positions, "", &value);
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            problems.iter().for_each(|problem| assert_within(text, (problem.line, problem.column), problem));
        }
    }
    round_trip::<EnvironmentFile>(ENVIRONMENT, text);
    round_trip::<TaskFile>(TASK, text);
    if let Err(problem) = foreign::json("a.json", text) {
        assert_within(text, (problem.line, problem.column), &problem);
    }
    let (values, problems) = foreign::each_line("a.jsonl", text);
    assert!(!values.is_empty() || !problems.is_empty());
    problems.iter().for_each(|problem| assert_within(text, (problem.line, problem.column), problem));
}

/// Every value stands where it is said to stand.
fn assert_found(text: &str, positions: &Positions, path: &str, value: &Value) {
    let (line, column) = positions.locate(&Place::Pointer(path.to_owned()));
    let line = text.split('\n').nth(line - 1).unwrap_or_default();
    let start = line.chars().nth(column - 1);
    let is_it = match value {
        Value::Null => start == Some('n'),
        Value::Bool(is) => start == Some(if *is { 't' } else { 'f' }),
        Value::Number(_) => start.is_some_and(|c| c == '-' || c.is_ascii_digit()),
        Value::String(_) => start == Some('"'),
        Value::Array(_) => start == Some('['),
        Value::Object(_) => start == Some('{'),
    };
    assert!(is_it, "{path:?} is not at {start:?}");
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| assert_found(text, positions, &format!("{path}/{at}"), item));
        }
        Value::Object(map) => map.iter().for_each(|(key, item)| {
            assert_found(text, positions, &format!("{path}/{}", pointer::escape(key)), item);
        }),
        _ => {}
    }
}
