//! What we read of the peer's files (A.1 to A.3), and of which type it must be: `shape.json`. Keys that we do not read
//! may be anything; null stands for a missing value.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use probity_engine::{Problem, pointer::escape, suggest::nearest};

/// The keys that we read of an object, with the type of each; a mark of exclamation is behind those it must have.
pub type ReadKeys = BTreeMap<String, Shape>;

/// The type of a value that we read.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Shape {
    Plain(Plain),
    Record(ReadKeys),
    Records([ReadKeys; 1]),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plain {
    Text,
    Integer,
    Flag,
    /// Whatever is in it.
    Object,
    Texts,
}

/// What an entry of each file is: a sample, a state item of the blueprints, a result.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    pub sample: ReadKeys,
    pub item: ReadKeys,
    pub result: ReadKeys,
}

pub static SHAPES: LazyLock<Shapes> =
    LazyLock::new(|| serde_json::from_str(include_str!("shape.json")).unwrap_or_default());

/// Everything in `value` that is not as we read it.
pub fn check(value: &Value, keys: &ReadKeys, pointer: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    record(value, keys, pointer, &mut problems);
    problems
}

fn record(value: &Value, keys: &ReadKeys, pointer: &str, problems: &mut Vec<Problem>) {
    let Value::Object(map) = value else {
        problems.push(wrong(pointer, "an object", value));
        return;
    };
    for (key, shape) in keys {
        let name = key.trim_end_matches('!');
        let at = format!("{pointer}/{}", escape(name));
        match map.get(name).filter(|value| !value.is_null()) {
            Some(value) => shaped(value, shape, &at, problems),
            None => problems.extend(missing(map, key, keys, pointer)),
        }
    }
}

/// A key that is needed and not there, or one that is not there while another is nearly called so.
fn missing(map: &Map<String, Value>, key: &str, keys: &ReadKeys, pointer: &str) -> Option<Problem> {
    let name = key.trim_end_matches('!');
    let others =
        map.keys().map(String::as_str).filter(|other| keys.keys().all(|key| key.trim_end_matches('!') != *other));
    match (name != key, nearest(name, others)) {
        (true, near) => {
            let problem = Problem::error(pointer, "missing_key", format!("`{name}` is missing"));
            Some(match near {
                Some(near) => problem.help(format!("is `{near}` meant for it?")),
                None => problem,
            })
        }
        (false, Some(near)) => {
            let at = format!("{pointer}/{}", escape(near));
            let problem = Problem::warning(at, "unread_key", format!("`{near}` is not read"));
            Some(problem.help(format!("did you mean `{name}`?")))
        }
        (false, None) => None,
    }
}

fn shaped(value: &Value, shape: &Shape, at: &str, problems: &mut Vec<Problem>) {
    let items = |what: &str, problems: &mut Vec<Problem>| match value {
        Value::Array(items) => items.clone(),
        other => {
            problems.push(wrong(at, what, other));
            Vec::new()
        }
    };
    let wanted = match shape {
        Shape::Record(keys) => return record(value, keys, at, problems),
        Shape::Records([keys]) => {
            for (index, item) in items("a list of objects", problems).iter().enumerate() {
                record(item, keys, &format!("{at}/{index}"), problems);
            }
            return;
        }
        Shape::Plain(Plain::Texts) => {
            for (index, item) in items("a list of texts", problems).iter().enumerate() {
                shaped(item, &Shape::Plain(Plain::Text), &format!("{at}/{index}"), problems);
            }
            return;
        }
        Shape::Plain(Plain::Text) => (value.is_string(), "a text"),
        Shape::Plain(Plain::Integer) => (value.is_i64() || value.is_u64(), "a whole number"),
        Shape::Plain(Plain::Flag) => (value.is_boolean(), "true or false"),
        Shape::Plain(Plain::Object) => (value.is_object(), "an object"),
    };
    problems.extend((!wanted.0).then(|| wrong(at, wanted.1, value)));
}

/// Whether an object has a key that every entry has: it is one itself, and no wrapping around a list.
pub(crate) fn is_entry(map: &Map<String, Value>, keys: &ReadKeys) -> bool {
    keys.keys().filter_map(|key| key.strip_suffix('!')).any(|name| map.contains_key(name))
}

/// The list of entries is not there; perhaps one is nearly called so.
pub(crate) fn missing_list(map: &Map<String, Value>, names: &[&str]) -> Problem {
    let slip = names.iter().find_map(|name| Some((*name, nearest(name, map.keys().map(String::as_str))?)));
    let known: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match slip {
        Some((name, near)) => {
            let problem = Problem::error(format!("/{}", escape(near)), "missing_list", format!("`{near}` is not read"));
            problem.help(format!("did you mean `{name}`?"))
        }
        None => Problem::error("", "missing_list", "the list of entries is missing")
            .help(format!("give a list, or an object with one under {}", known.join(" or "))),
    }
}

/// A value of another type than we read.
pub fn wrong(at: &str, wanted: &str, found: &Value) -> Problem {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Problem::error(at, "wrong_type", format!("expected {wanted}, found {found}"))
}
