//! Outcome assertions, checked: one comparison rule for all.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

use super::binding::has_fields;
use super::reference::{Observations, bind, bind_map};
use crate::model::assertion::Assertion;
use probity_engine::model::diagnostic::Problem;
use probity_engine::model::environment_file::SlotKind;
use probity_engine::model::pointer;
use probity_engine::model::suggest;
use probity_engine::state::State;

/// An assertion about the final state, with its bindings filled in.
#[derive(Clone, Debug)]
pub struct CheckedAssertion {
    /// For people: the assertion as one line.
    pub text: String,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Equals(Vec<Value>, Value),
    Absent(Vec<Value>),
    Exists(Vec<Value>),
    Changed(Vec<Value>),
    Matches(Vec<Value>, Regex),
    New { slot: usize, matching: Map<String, Value>, count: usize },
}

impl CheckedAssertion {
    /// Checks an authored assertion.
    ///
    /// # Errors
    /// What is wrong with it, placed below the assertion.
    pub fn build(
        authored: &Assertion,
        bindings: &BTreeMap<String, String>,
        state: &State,
    ) -> Result<CheckedAssertion, Vec<Problem>> {
        let mut unbound = Vec::new();
        let test = test(authored, bindings, state, &mut unbound).map_err(|problem| vec![problem])?;
        if unbound.is_empty() {
            let text = serde_json::to_string(authored).unwrap_or_default();
            return Ok(CheckedAssertion { text, test });
        }
        Err(unbound.into_iter().map(|(at, name)| super::build::unbound(&at, &name, bindings)).collect())
    }

    /// Whether it holds of `last`, the state an episode that started from `initial` ended in.
    ///
    /// A reference to a call that was not made refers to nothing, and of nothing no assertion holds.
    pub fn holds(&self, initial: &State, last: &State, observations: Observations) -> bool {
        if let Test::New { slot, matching, count } = &self.test {
            return observations.fill_map(matching).is_some_and(|matching| {
                let new = last.entities(*slot).filter(|(key, _)| initial.get(*slot, key).is_none());
                new.filter(|(_, entity)| has_fields(entity, &matching)).count() == *count
            });
        }
        let path = self.path().iter().map(|part| segment(&observations.fill(part)?)).collect::<Option<Vec<_>>>();
        path.is_some_and(|path| self.holds_at(&path, initial, last, observations))
    }

    /// The values in which references to the oracle's calls may stand.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let (single, fields) = match &self.test {
            Test::Equals(_, wanted) => (Some(wanted), None),
            Test::New { matching, .. } => (None, Some(matching)),
            Test::Absent(_) | Test::Exists(_) | Test::Changed(_) | Test::Matches(..) => (None, None),
        };
        self.path().iter().chain(single).chain(fields.into_iter().flat_map(Map::values))
    }

    /// The part of the state it speaks of.
    pub fn slot(&self, state: &State) -> Option<usize> {
        match &self.test {
            Test::New { slot, .. } => Some(*slot),
            Test::Equals(path, _)
            | Test::Absent(path)
            | Test::Exists(path)
            | Test::Changed(path)
            | Test::Matches(path, _) => state.shape().index(path.first()?.as_str()?),
        }
    }

    /// How many new entities it asks for, if that is what it asks.
    pub fn new_count(&self) -> Option<usize> {
        match &self.test {
            Test::New { count, .. } => Some(*count),
            Test::Equals(..) | Test::Absent(_) | Test::Exists(_) | Test::Changed(_) | Test::Matches(..) => None,
        }
    }

    /// The key of the entity that its path names, unless it refers to a call.
    pub fn entity(&self) -> Option<&str> {
        self.path().get(1)?.as_str().filter(|text| !text.starts_with('$'))
    }

    fn path(&self) -> &[Value] {
        match &self.test {
            Test::Equals(path, _)
            | Test::Absent(path)
            | Test::Exists(path)
            | Test::Changed(path)
            | Test::Matches(path, _) => path,
            Test::New { .. } => &[],
        }
    }

    fn holds_at(&self, path: &[String], initial: &State, last: &State, observations: Observations) -> bool {
        let value = last.at(path);
        match &self.test {
            Test::Equals(_, wanted) => value.is_some() && value == observations.fill(wanted),
            Test::Absent(_) => value.is_none(),
            Test::Exists(_) => value.is_some(),
            Test::Changed(_) => value != initial.at(path),
            Test::Matches(_, regex) => value.is_some_and(|value| value.as_str().is_some_and(|t| regex.is_match(t))),
            Test::New { .. } => false,
        }
    }
}

fn segment(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn test(
    authored: &Assertion,
    bindings: &BTreeMap<String, String>,
    state: &State,
    unbound: &mut Vec<(String, String)>,
) -> Result<Test, Problem> {
    let flags = [authored.absent, authored.exists, authored.changed];
    let given = flags.iter().flatten().count()
        + usize::from(authored.equals.is_some())
        + usize::from(authored.matches.is_some());
    let wrong = || {
        let help =
            "write `path` with one of equals, absent, exists, changed, matches; or `new` with `matching` and `count`";
        Problem::error("", "bad_assertion", "this is not one assertion").help(help)
    };
    if flags.contains(&Some(false)) {
        return Err(Problem::error("", "bad_assertion", "`absent`, `exists` and `changed` can only be true")
            .help("leave it out"));
    }
    if let Some(collection) = &authored.new {
        let (None, 0, Some(count)) = (&authored.path, given, authored.count) else { return Err(wrong()) };
        let mut matching = authored.matching.clone();
        bind_map(&mut matching, bindings, "/matching", unbound);
        let slot = slot(state, collection, "/new")?;
        if state.shape().slots.get(slot).is_some_and(|shape| shape.kind == SlotKind::Record) {
            let message = format!("`{collection}` is a record: nothing new can be in it");
            let help = "`new` counts entities of a collection; for a record write `path`";
            return Err(Problem::error("/new", "unknown_collection", message).help(help));
        }
        return Ok(Test::New { slot, matching, count: count as usize });
    }
    let (Some(path), 1, None, true) = (&authored.path, given, authored.count, authored.matching.is_empty()) else {
        return Err(wrong());
    };
    let path = checked_path(path, bindings, state, unbound)?;
    if let Some(value) = &authored.equals {
        let mut value = value.clone();
        bind(&mut value, bindings, "/equals", unbound);
        return Ok(Test::Equals(path, value));
    }
    if let Some(pattern) = &authored.matches {
        return Regex::new(pattern).map(|regex| Test::Matches(path, regex)).map_err(|error| {
            let message = format!("`{pattern}` is not a regular expression: {}", last_line(&error.to_string()));
            Problem::error("/matches", "bad_pattern", message).help("look-around and back-references are not supported")
        });
    }
    Ok(match (authored.absent, authored.exists) {
        (Some(_), _) => Test::Absent(path),
        (None, Some(_)) => Test::Exists(path),
        (None, None) => Test::Changed(path),
    })
}

pub(super) fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ")
}

fn checked_path(
    path: &str,
    bindings: &BTreeMap<String, String>,
    state: &State,
    unbound: &mut Vec<(String, String)>,
) -> Result<Vec<Value>, Problem> {
    let Some(segments) = pointer::split(path).filter(|segments| !segments.is_empty()) else {
        let message = format!("`{path}` is not a JSON Pointer into the state");
        return Err(Problem::error("/path", "bad_path", message).help("for example `/bookings/$booking/status`"));
    };
    slot(state, segments.first().map_or("", String::as_str), "/path")?;
    let mut segments: Vec<Value> = segments.into_iter().map(Value::from).collect();
    segments.iter_mut().for_each(|segment| bind(segment, bindings, "/path", unbound));
    Ok(segments)
}

fn slot(state: &State, name: &str, at: &str) -> Result<usize, Problem> {
    state.shape().index(name).ok_or_else(|| {
        let help = suggest::help(name, state.shape().slots.iter().map(|slot| slot.name.as_str()));
        Problem::error(at, "unknown_collection", format!("there is no collection or record `{name}`")).help(help)
    })
}
