//! The files that are read, joined by their ids.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;

use super::shape::{self, ReadKeys, SHAPES};
use probity_engine::load::diagnose;
use probity_engine::{Diagnostic, Located, Problem, foreign};

/// Names under which the list of results may stand.
pub(super) const RESULT_LISTS: [&str; 5] = ["results", "items", "samples", "per_sample", "per_sample_results"];

/// What was read, by the ids the peer joins by.
#[derive(Debug, Default)]
pub struct PeerFiles {
    /// Samples in the order of their file, without the runtime data.
    pub samples: Vec<Value>,
    /// State items by the id of each of their tasks.
    pub items: BTreeMap<String, Value>,
    pub runs: BTreeMap<String, Value>,
    /// Samples that hold an integer beyond 64 bits, or whose run does.
    inexact_samples: BTreeSet<String>,
    /// Tasks whose state items hold one.
    inexact_tasks: BTreeSet<String>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Copy, Debug)]
pub struct PeerPaths<'a> {
    /// The samples, JSON lines or a list.
    pub samples: &'a Path,
    /// The blueprints, one JSON document.
    pub blueprints: &'a Path,
    pub results: Option<&'a Path>,
}

impl PeerFiles {
    /// Reads the files.
    /// An error: everything that keeps them from being used, warnings too.
    pub fn read(paths: PeerPaths) -> Result<Self, Vec<Diagnostic>> {
        let mut reading = PeerReader::default();
        let samples = reading.list(paths.samples, &[], &SHAPES.sample);
        let has_samples = reading.problems.is_empty();
        let items = reading.list(paths.blueprints, &["items"], &SHAPES.item);
        let results =
            paths.results.map(|results| reading.list(results, &RESULT_LISTS, &SHAPES.result)).unwrap_or_default();
        let mut files = PeerFiles::default();
        let mut known = BTreeSet::new();
        for entry in samples {
            reading.once(&entry, "sample_id", &mut known);
            files.inexact_samples.extend(entry.is_inexact().then(|| text(&entry.value, "sample_id")));
            files.samples.push(entry.value);
        }
        for entry in items {
            files.add_item(&entry, &mut reading);
        }
        let mut seen = BTreeSet::new();
        for mut entry in results {
            reading.once(&entry, "sample_id", &mut seen);
            let id = text(&entry.value, "sample_id");
            files.inexact_samples.extend(entry.is_inexact().then(|| id.clone()));
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

impl PeerFiles {
    /// Adds a state item under each of its tasks. The last one that names a task counts, as with the peer.
    fn add_item(&mut self, entry: &Entry, reading: &mut PeerReader) {
        let tasks = entry.value.get("task_blueprints").and_then(Value::as_array).into_iter().flatten();
        for (index, task) in tasks.enumerate() {
            let Some(id) = task.get("task_id").and_then(Value::as_str) else { continue };
            if self.items.insert(id.to_owned(), entry.value.clone()).is_some() {
                let at = format!("/task_blueprints/{index}/task_id");
                let message = format!("`{id}` was given before; the last one counts, as with the peer");
                reading.add(entry, Problem::warning(at, "duplicate_task", message).help("leave one of them out"));
                self.inexact_tasks.remove(id);
            }
            self.inexact_tasks.extend(entry.is_inexact().then(|| id.to_owned()));
        }
    }

    /// Whether a sample hangs on an integer that we do not hold exactly.
    pub(crate) fn is_inexact(&self, sample: &Value) -> bool {
        self.inexact_samples.contains(&text(sample, "sample_id"))
            || self.inexact_tasks.contains(&text(sample, "task_id"))
    }
}

pub fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

pub(super) struct Entry {
    file: String,
    pointer: String,
    pub(super) value: Value,
    place: Rc<Located>,
}

impl Entry {
    /// Whether it holds an integer beyond 64 bits.
    pub(super) fn is_inexact(&self) -> bool {
        let is_inside = |at: &String| at.strip_prefix(&self.pointer).is_some_and(|rest| rest.starts_with('/'));
        self.place.wide.iter().any(is_inside)
    }
}

#[derive(Default)]
pub(super) struct PeerReader {
    pub(super) problems: Vec<Diagnostic>,
}

impl PeerReader {
    /// The entries of a file: its lines, its list, or the list under one of these names.
    pub(super) fn list(&mut self, path: &Path, names: &[&str], fields: &ReadKeys) -> Vec<Entry> {
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
            entries.extend(self.entries(&file, &place, names, fields));
        }
        if entries.is_empty() && self.problems.iter().all(|problem| problem.file != file) {
            let empty = Diagnostic::file(&file, "empty_file", "there is no entry in it");
            self.problems.push(empty.help("name a file with at least one entry"));
        }
        for entry in &entries {
            for problem in shape::check(&entry.value, fields, "") {
                self.add(entry, problem);
            }
        }
        entries
    }

    /// The entries of one value: the value itself, its items, or those of the list under one of these names.
    fn entries(&mut self, file: &str, place: &Rc<Located>, names: &[&str], fields: &ReadKeys) -> Vec<Entry> {
        let entry = |pointer: String, value: &Value| Entry {
            file: file.to_owned(),
            pointer,
            value: value.clone(),
            place: place.clone(),
        };
        let listed = names.iter().find_map(|name| Some((format!("/{name}"), place.value.get(name)?)));
        match listed.unwrap_or_else(|| (String::new(), &place.value)) {
            (list, Value::Array(items)) => {
                items.iter().enumerate().map(|(index, item)| entry(format!("{list}/{index}"), item)).collect()
            }
            (list, other) if !list.is_empty() => {
                self.add(&entry(String::new(), &Value::Null), shape::wrong(&list, "a list of objects", other));
                Vec::new()
            }
            (_, Value::Object(map)) if !names.is_empty() && !shape::is_entry(map, fields) => {
                self.add(&entry(String::new(), &Value::Null), shape::missing_list(map, names));
                Vec::new()
            }
            (_, value) => vec![entry(String::new(), value)],
        }
    }

    pub(super) fn add(&mut self, entry: &Entry, problem: Problem) {
        let mut found = diagnose(&entry.file, &entry.place.positions, problem.below(&entry.pointer));
        found.line += entry.place.lines_before;
        self.problems.push(found);
    }

    /// Tells of an id that came before.
    pub(super) fn once(&mut self, entry: &Entry, name: &str, seen: &mut BTreeSet<String>) {
        let id = text(&entry.value, name);
        if !seen.insert(id.clone()) {
            self.add(entry, Problem::error(format!("/{name}"), "duplicate_id", format!("`{id}` was given before")));
        }
    }
}

/// A text that is one JSON value, or one value a line.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Located>, Vec<Diagnostic>> {
    let is_one_value = file.ends_with(".json") || text.trim_start().starts_with('[');
    match is_one_value {
        true => foreign::json(file, text).map(|value| vec![value]).map_err(|problem| vec![problem]),
        false => foreign::json_lines(file, text),
    }
}
