//! The peer's files: samples, blueprints and results (spec A). Read strictly where we use them, and all problems at
//! once.

pub mod shape;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;

use crate::load::diagnose;
use crate::load::foreign::{self, Located};
use crate::model::diagnostic::{Diagnostic, Problem};
use shape::Field;

/// Names under which the list of results may stand.
const RESULT_LISTS: [&str; 5] = ["results", "items", "samples", "per_sample", "per_sample_results"];

/// What was read, by the ids the peer joins by.
#[derive(Debug, Default)]
pub struct PeerFiles {
    /// Samples in the order of their file, without the runtime data.
    pub samples: Vec<Value>,
    /// State items by the id of each of their tasks.
    pub items: BTreeMap<String, Value>,
    /// Runs by sample.
    pub runs: BTreeMap<String, Value>,
    /// What is odd and hinders nothing.
    pub warnings: Vec<Diagnostic>,
}

/// Where the files are.
#[derive(Clone, Copy, Debug)]
pub struct PeerPaths<'a> {
    /// The samples, JSON lines or a list.
    pub samples: &'a Path,
    /// The blueprints, one JSON document.
    pub blueprints: &'a Path,
    /// The results, if any are wanted.
    pub results: Option<&'a Path>,
}

impl PeerFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// Everything that keeps them from being used, warnings too.
    pub fn read(paths: PeerPaths) -> Result<Self, Vec<Diagnostic>> {
        let mut reading = Reading::default();
        let samples = reading.list(paths.samples, &[], shape::SAMPLE);
        let has_samples = reading.problems.is_empty();
        let items = reading.list(paths.blueprints, &["items"], shape::ITEM);
        let results =
            paths.results.map(|results| reading.list(results, &RESULT_LISTS, shape::RESULT)).unwrap_or_default();
        let mut files = PeerFiles::default();
        let mut known = BTreeSet::new();
        for entry in samples {
            reading.once(&entry, "sample_id", &mut known);
            files.samples.push(entry.value);
        }
        for entry in items {
            let tasks: Vec<String> = super::path::objects(entry.value.get("task_blueprints"))
                .filter_map(|task| task.get("task_id").and_then(Value::as_str).map(str::to_owned))
                .collect();
            files.items.extend(tasks.into_iter().map(|task| (task, entry.value.clone())));
        }
        let mut seen = BTreeSet::new();
        for mut entry in results {
            reading.once(&entry, "sample_id", &mut seen);
            let id = text(&entry.value, "sample_id");
            // Where the samples could not be read, that is said already.
            if has_samples && !known.contains(&id) {
                let problem = Problem::warning("/sample_id", "unknown_sample", format!("there is no sample `{id}`"));
                reading.add(&entry, problem);
            }
            if let Some(run) = entry.value.get_mut("run") {
                files.runs.insert(id, run.take());
            }
        }
        reading.problems.sort();
        if reading.problems.iter().any(Diagnostic::is_error) {
            return Err(reading.problems);
        }
        files.warnings = reading.problems;
        Ok(files)
    }
}

/// The text of a field, or nothing.
pub fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// An entry of a list, and where it stands.
struct Entry {
    file: String,
    pointer: String,
    value: Value,
    place: Rc<Located>,
}

#[derive(Default)]
struct Reading {
    problems: Vec<Diagnostic>,
}

impl Reading {
    /// The entries of a file: its lines, its list, or the list under one of these names.
    fn list(&mut self, path: &Path, names: &[&str], fields: &'static [Field]) -> Vec<Entry> {
        let file = path.to_string_lossy().into_owned();
        let located = match foreign::read(path).map_err(|problem| vec![problem]).and_then(|text| parse(&file, &text)) {
            Ok(located) => located,
            Err(problems) => {
                self.problems.extend(problems);
                return Vec::new();
            }
        };
        let mut entries = Vec::new();
        for place in located.into_iter().map(Rc::new) {
            let listed = names.iter().find_map(|name| Some((format!("/{name}"), place.value.get(name)?.as_array()?)));
            let listed = listed.or_else(|| Some((String::new(), place.value.as_array()?)));
            let entry = |pointer: String, value: &Value| Entry {
                file: file.clone(),
                pointer,
                value: value.clone(),
                place: place.clone(),
            };
            match listed {
                Some((list, items)) => {
                    entries.extend(items.iter().enumerate().map(|(i, item)| entry(format!("{list}/{i}"), item)));
                }
                None => entries.push(entry(String::new(), &place.value)),
            }
        }
        for entry in &entries {
            for problem in shape::check(&entry.value, fields, "") {
                self.add(entry, problem);
            }
        }
        entries
    }

    fn add(&mut self, entry: &Entry, problem: Problem) {
        let mut found = diagnose(&entry.file, &entry.place.positions, problem.below(&entry.pointer));
        found.line += entry.place.lines_before;
        self.problems.push(found);
    }

    /// Tells of an id that came before.
    fn once(&mut self, entry: &Entry, name: &str, seen: &mut BTreeSet<String>) {
        let id = text(&entry.value, name);
        if !seen.insert(id.clone()) {
            self.add(entry, Problem::error(format!("/{name}"), "duplicate_id", format!("`{id}` was given before")));
        }
    }
}

/// A text that is one JSON value, or one value a line.
fn parse(file: &str, text: &str) -> Result<Vec<Located>, Vec<Diagnostic>> {
    let is_one_value = file.ends_with(".json") || text.trim_start().starts_with('[');
    match is_one_value {
        true => foreign::json(file, text).map(|value| vec![value]).map_err(|problem| vec![problem]),
        false => foreign::json_lines(file, text),
    }
}
