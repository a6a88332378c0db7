//! Outcome assertions, checked: one comparison rule for all.

pub(crate) mod words;

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

use super::binding::has_fields;
use super::reference::{Observations, bind, bind_map};
use crate::model::assertion::Assertion;
use probity_engine::{Problem, SlotKind, State, pointer, suggest};
use probity_prose::last_line;

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
    /// An error: what is wrong with it, placed below the assertion.
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
        Err(unbound.into_iter().map(|(at, name)| super::reference::unbound(&at, &name, bindings)).collect())
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
    let path = authored.path().map_or(Ok(Vec::new()), |path| checked_path(path, bindings, state, unbound))?;
    Ok(match authored {
        Assertion::Absent { .. } => Test::Absent(path),
        Assertion::Exists { .. } => Test::Exists(path),
        Assertion::Changed { .. } => Test::Changed(path),
        Assertion::Equals { equals, .. } => {
            let mut value = equals.clone();
            bind(&mut value, bindings, "/equals", unbound);
            Test::Equals(path, value)
        }
        Assertion::Matches { matches, .. } => Test::Matches(
            path,
            Regex::new(matches).map_err(|error| {
                let why = last_line(&error.to_string()).to_owned();
                Problem::error("/matches", "bad_pattern", format!("`{matches}` is not a regular expression: {why}"))
                    .help("look-around and back-references are not supported")
            })?,
        ),
        Assertion::New { new, matching, count } => {
            let mut matching = matching.clone();
            bind_map(&mut matching, bindings, "/matching", unbound);
            Test::New { slot: collection(state, new)?, matching, count: *count as usize }
        }
    })
}

fn collection(state: &State, name: &str) -> Result<usize, Problem> {
    let slot = slot(state, name, "/new")?;
    if state.shape().slots.get(slot).is_some_and(|shape| shape.kind == SlotKind::Record) {
        let message = format!("`{name}` is a record: nothing new can be in it");
        let help = "`new` counts entities of a collection; for a record write `path`";
        return Err(Problem::error("/new", "unknown_collection", message).help(help));
    }
    Ok(slot)
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
