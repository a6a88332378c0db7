//! Outcome assertions, checked: one comparison rule for all, and the words for what does not hold.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

use super::reference::{Binder, Observations, Reference, has_fields};
use crate::model::assertion::Assertion;
use crate::task::likeness::plain_difference;
use probity_engine::{Fields, Problem, SlotKind, State, canonical, pointer, suggest};
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
        let mut binder = Binder::new(bindings);
        let test = test(authored, state, &mut binder).map_err(|problem| vec![problem])?;
        if binder.unbound.is_empty() {
            let text = serde_json::to_string(authored).unwrap_or_default();
            return Ok(CheckedAssertion { text, test });
        }
        Err(binder.problems().collect())
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

fn test(authored: &Assertion, state: &State, binder: &mut Binder) -> Result<Test, Problem> {
    let path = authored.path().map_or(Ok(Vec::new()), |path| checked_path(path, state, binder))?;
    Ok(match authored {
        Assertion::Absent { .. } => Test::Absent(path),
        Assertion::Exists { .. } => Test::Exists(path),
        Assertion::Changed { .. } => Test::Changed(path),
        Assertion::Equals { equals, .. } => {
            let mut value = equals.clone();
            binder.bind(&mut value, "/equals");
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
            binder.bind_map(&mut matching, "/matching");
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

fn checked_path(path: &str, state: &State, binder: &mut Binder) -> Result<Vec<Value>, Problem> {
    let Some(segments) = pointer::split(path).filter(|segments| !segments.is_empty()) else {
        let message = format!("`{path}` is not a JSON Pointer into the state");
        return Err(Problem::error("/path", "bad_path", message).help("for example `/bookings/$booking/status`"));
    };
    slot(state, segments.first().map_or("", String::as_str), "/path")?;
    let mut segments: Vec<Value> = segments.into_iter().map(Value::from).collect();
    segments.iter_mut().for_each(|segment| binder.bind(segment, "/path"));
    Ok(segments)
}

fn slot(state: &State, name: &str, at: &str) -> Result<usize, Problem> {
    state.shape().index(name).ok_or_else(|| {
        let help = suggest::help(name, state.shape().slots.iter().map(|slot| slot.name.as_str()));
        Problem::error(at, "unknown_collection", format!("there is no collection or record `{name}`")).help(help)
    })
}

/// How many characters of a value are told.
const TOLD: usize = 80;

impl CheckedAssertion {
    /// What it asks for: `` `status` of `bookings/B1` is `confirmed` ``.
    pub fn wanted(&self, initial: &State, observations: Observations) -> String {
        let place = place(self.path(), observations);
        match &self.test {
            Test::Equals(_, wanted) => format!("{place} is {}", told(wanted, observations)),
            Test::Absent(_) => format!("{place} is not there"),
            Test::Exists(_) => format!("{place} is there"),
            Test::Changed(_) => format!("{place} is another than at the start"),
            Test::Matches(_, regex) => format!("{place} matches `{}`", quotable(regex.as_str())),
            Test::New { slot, matching, count } => {
                format!("{} in {}{}", entries(*count), name(initial, *slot), with(matching, observations))
            }
        }
    }

    /// Why it does not hold: what is there, and what was wanted.
    pub fn failure(&self, initial: &State, last: &State, observations: Observations) -> String {
        if let Test::New { slot, matching, count } = &self.test {
            return new_failure(initial, last, observations, (*slot, matching, *count));
        }
        let place = place(self.path(), observations);
        let path: Option<Vec<String>> = self.path().iter().map(|part| segment(&observations.fill(part)?)).collect();
        let Some(path) = path else {
            return format!("{place} cannot be looked at: the call was not made");
        };
        let now = last.at(&path);
        let is = now.as_ref().map_or_else(|| "is not there".to_owned(), |now| format!("is {}", plainly(now)));
        match &self.test {
            Test::Equals(_, wanted) => {
                let first = now.as_ref().and_then(|now| first_apart(path.last()?, now, &observations.fill(wanted)?));
                format!("{place} {is}; it is to be {}{}", told(wanted, observations), first.unwrap_or_default())
            }
            Test::Absent(_) => format!("{place} is there; it is to be gone"),
            Test::Exists(_) => format!("{place} is not there"),
            Test::Changed(_) => format!("{place} {is}, as at the start"),
            Test::Matches(_, regex) => format!("{place} {is}; it is to match `{}`", quotable(regex.as_str())),
            Test::New { .. } => String::new(),
        }
    }
}

/// Of a list or an object, where it first differs from what is wanted.
fn first_apart(field: &str, now: &Value, wanted: &Value) -> Option<String> {
    let is_one = now.is_array() && wanted.is_array() || now.is_object() && wanted.is_object();
    let difference = plain_difference(field, wanted, now).filter(|_| is_one)?;
    Some(format!("; first apart: {}", difference.text()))
}

fn new_failure(
    initial: &State,
    last: &State,
    observations: Observations,
    (slot, matching, count): (usize, &Map<String, Value>, usize),
) -> String {
    let filled = observations.fill_map(matching);
    let new: Vec<(String, Fields)> = last
        .entities(slot)
        .filter(|(key, _)| initial.get(slot, key).is_none())
        .map(|(key, entity)| (key.to_string(), entity.clone()))
        .collect();
    let wanted = filled.as_ref().unwrap_or(matching);
    let found = new.iter().filter(|(_, entity)| has_fields(entity, wanted)).count();
    let much = if found == 0 { "no new entry".to_owned() } else { entries(found) };
    let mut text = format!("{much} in {}{}", name(initial, slot), with(matching, observations));
    if count != 1 || found > 0 {
        text.push_str(&format!(", where {count} are wanted"));
    }
    let near = if found == 0 { nearest(&new, wanted) } else { None };
    text.push_str(&near.unwrap_or_default());
    text
}

/// The new entity that has most of what was wanted, and in what it differs.
fn nearest(new: &[(String, Fields)], wanted: &Map<String, Value>) -> Option<String> {
    let wrong = |entity: &Fields| -> Vec<String> {
        let differs = wanted.iter().filter(|(name, value)| entity.get(name.as_str()) != Some(*value));
        let line = |(name, value): (&String, &Value)| match entity.get(name.as_str()) {
            Some(has) => format!("`{name}` {}", in_place(has, value)),
            None => format!("`{name}` nothing in place of {}", plainly(value)),
        };
        differs.map(line).collect()
    };
    let (key, wrong) = new.iter().map(|(key, entity)| (key, wrong(entity))).min_by_key(|(_, wrong)| wrong.len())?;
    (wrong.len() < wanted.len()).then(|| format!("; `{key}` has {}", wrong.join(" and ")))
}

fn entries(count: usize) -> String {
    format!("{count} new {}", if count == 1 { "entry" } else { "entries" })
}

fn name(state: &State, slot: usize) -> String {
    state.shape().slots.get(slot).map(|slot| format!("`{}`", slot.name)).unwrap_or_default()
}

/// `` with `a` 1 and `b` `x` ``.
fn with(fields: &Map<String, Value>, observations: Observations) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("`{name}` {}", told(value, observations))).collect();
    if fields.is_empty() { String::new() } else { format!(" with {}", fields.join(" and ")) }
}

/// `` `status` of `bookings/B1` ``; of what an oracle call returns where that call was not made.
fn place(path: &[Value], observations: Observations) -> String {
    let parts: Vec<String> = path
        .iter()
        .map(|part| match observations.fill(part) {
            Some(Value::String(text)) => quotable(&text),
            Some(other) => canonical::to_string(&other),
            None => referred(part).unwrap_or_default(),
        })
        .collect();
    match parts.split_at_checked(2) {
        Some((entity, field)) if !field.is_empty() => format!("`{}` of `{}`", field.join("/"), entity.join("/")),
        Some(_) | None => format!("`{}`", parts.join("/")),
    }
}

/// A value in words, references to what calls return filled in as far as they were made.
pub(crate) fn told(value: &Value, observations: Observations) -> String {
    let unfilled = || referred(value).map_or_else(|| plainly(value), |text| format!("`{text}`"));
    observations.fill(value).map_or_else(unfilled, |value| plainly(&value))
}

/// `the booking_id of oracle call 2`.
fn referred(value: &Value) -> Option<String> {
    match Reference::parse(value.as_str()?)? {
        Reference::Observation(call, path) => Some(format!("the {} of oracle call {call}", path.join("/"))),
        Reference::Binding(_) | Reference::Escaped(_) => None,
    }
}

/// A value between backquotes, text as it is, in 80 characters at most.
pub(crate) fn plainly(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| canonical::to_string(value), str::to_owned);
    format!("`{}`", quotable(&text))
}

/// What stands where another value was wanted; with their types where the two print alike.
pub(crate) fn in_place(given: &Value, wanted: &Value) -> String {
    let (has, want) = (plainly(given), plainly(wanted));
    let is_same_word = has.trim_matches('`').trim() == want.trim_matches('`').trim();
    match is_same_word && kind(given) != kind(wanted) {
        true => format!("{has} ({}) in place of {want} ({})", kind(given), kind(wanted)),
        false => format!("{has} in place of {want}"),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

fn quotable(text: &str) -> String {
    let text = text.replace('`', "'");
    match text.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(&text)),
        None => text,
    }
}
