//! How one file is read.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;

use super::files::text;
use super::shape;
use super::shape::Field;
use probity_engine::{Diagnostic, Located, Problem, foreign, load::diagnose};

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
    pub(super) fn list(&mut self, path: &Path, names: &[&str], fields: &'static [Field]) -> Vec<Entry> {
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
    fn entries(&mut self, file: &str, place: &Rc<Located>, names: &[&str], fields: &[Field]) -> Vec<Entry> {
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
