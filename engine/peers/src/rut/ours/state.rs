//! Both sides of the state: what was to change and did not, and what changed and was not to.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::assignment::Problem;
use crate::rut::assertion::own_ids;
use crate::rut::path::{Equality, is_soft};
use probity_engine::{number, pointer::join};

/// A change of one value: what it was and what it is, nothing where it was or is not there.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    before: Option<Value>,
    after: Option<Value>,
}

pub type Changes = BTreeMap<Vec<String>, Change>;

/// How the expected changes and those that happened differ; JSON Pointers into the state.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// Expected, and not there.
    pub missing: Vec<String>,
    /// There, and not expected.
    pub collateral: Vec<String>,
    /// Created as expected under another id.
    pub renamed: Vec<String>,
}

pub fn changes(before: &Map<String, Value>, after: &Map<String, Value>) -> Changes {
    let mut found = Changes::new();
    collect(before, after, &[], &mut found);
    found
}

fn collect(before: &Map<String, Value>, after: &Map<String, Value>, path: &[String], found: &mut Changes) {
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let below = [path, std::slice::from_ref(key)].concat();
        match (before.get(key), after.get(key)) {
            (Some(Value::Object(before)), Some(Value::Object(after))) => collect(before, after, &below, found),
            (Some(before), Some(after)) if number::is_same(before, after) => {}
            (before, after) => {
                found.insert(below, Change { before: before.cloned(), after: after.cloned() });
            }
        }
    }
}

/// The changes that a difference in the peer's format stands for.
pub fn expected(diff: &Map<String, Value>) -> Changes {
    let mut found = Changes::new();
    read(diff, &[], &mut found);
    found
}

fn read(diff: &Map<String, Value>, path: &[String], found: &mut Changes) {
    for (key, entry) in diff {
        let Value::Object(entry) = entry else { continue };
        let below = [path, std::slice::from_ref(key)].concat();
        let side = |name: &str| entry.get("changed").and_then(|changed| changed.get(name)).cloned();
        let change = match (entry.len(), entry.keys().next().map(String::as_str)) {
            (1, Some("changed")) if side("old").is_some() && side("new").is_some() => {
                Some(Change { before: side("old"), after: side("new") })
            }
            (1, Some("added")) => Some(Change { before: None, after: entry.get("added").cloned() }),
            (1, Some("removed")) => Some(Change { before: entry.get("removed").cloned(), after: None }),
            _ => None,
        };
        match change {
            Some(change) => drop(found.insert(below, change)),
            None => read(entry, &below, found),
        }
    }
}

/// Holds expected changes against those that happened.
pub fn compare(expected: &Changes, actual: &Changes, equal: Equality) -> Gap {
    let hard = |changes: &Changes| -> Changes {
        let hard = changes.iter().filter(|(path, _)| {
            let segments: Vec<&str> = path.iter().map(String::as_str).collect();
            !is_soft(&segments)
        });
        hard.map(|(path, change)| (path.clone(), change.clone())).collect()
    };
    let (mut expected, mut actual) = (hard(expected), hard(actual));
    expected.retain(|path, change| match actual.get(path) {
        Some(found) if is_same(change, found, equal) => {
            actual.remove(path);
            false
        }
        Some(_) | None => true,
    });
    let renamed = rename(&mut expected, &mut actual, equal);
    let pointers = |changes: Changes| changes.into_keys().map(|path| pointer(&path)).collect();
    Gap { missing: pointers(expected), collateral: pointers(actual), renamed }
}

fn pointer(path: &[String]) -> String {
    join(path.iter().map(String::as_str))
}

fn is_same(wanted: &Change, found: &Change, equal: Equality) -> bool {
    let side = |wanted: &Option<Value>, found: &Option<Value>| match (wanted, found) {
        (None, None) => true,
        (Some(wanted), Some(found)) => same_but_soft(wanted, found, equal, &[]),
        (None, Some(_)) | (Some(_), None) => false,
    };
    side(&wanted.before, &found.before) && side(&wanted.after, &found.after)
}

/// Equality of records without their soft fields and these ones of the top.
fn same_but_soft(left: &Value, right: &Value, equal: Equality, ignored: &[&str]) -> bool {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            let counts = |key: &String| !is_soft(&["", key.as_str()]) && !ignored.contains(&key.as_str());
            let keys: std::collections::BTreeSet<&String> =
                a.keys().chain(b.keys()).filter(|key| counts(key)).collect();
            keys.into_iter().all(|key| match (a.get(key), b.get(key)) {
                (Some(a), Some(b)) => same_but_soft(a, b, equal, &[]),
                (None, _) | (_, None) => false,
            })
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_but_soft(a, b, equal, &[]))
        }
        _ => equal(left, right),
    }
}

/// Takes out created records that differ in nothing but the id they go by.
fn rename(expected: &mut Changes, actual: &mut Changes, equal: Equality) -> Vec<String> {
    let created = |changes: &Changes| -> Vec<(Vec<String>, Value)> {
        let created = changes.iter().filter(|(_, change)| change.before.is_none());
        created.filter_map(|(path, change)| Some((path.clone(), change.after.clone()?))).collect()
    };
    let (wanted, found) = (created(expected), created(actual));
    let is_renamed = |(path, value): &(Vec<String>, Value), (other, record): &(Vec<String>, Value)| {
        let (Some((id, parent)), Some((other_id, other_parent))) = (path.split_last(), other.split_last()) else {
            return false;
        };
        let ids = own_ids(value, &[id.as_str()]);
        let other_ids = own_ids(record, &[other_id.as_str()]);
        let ignored: Vec<&str> = ids.intersection(&other_ids).copied().collect();
        !parent.is_empty()
            && parent == other_parent
            && value.is_object()
            && same_but_soft(value, record, equal, &ignored)
    };
    let fits = wanted.iter().map(|wanted| {
        found.iter().enumerate().filter(|(_, found)| is_renamed(wanted, found)).map(|(index, _)| index).collect()
    });
    let assignment = Problem { fits: fits.collect(), edges: Vec::new() }.solve();
    let mut renamed = Vec::new();
    for ((path, _), position) in wanted.iter().zip(assignment) {
        if let Some((other, _)) = position.and_then(|position| found.get(position)) {
            expected.remove(path);
            actual.remove(other);
            renamed.push(pointer(path));
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn gap(diff: Value, before: Value, after: Value) -> Gap {
        let actual = changes(before.as_object().unwrap(), after.as_object().unwrap());
        compare(&expected(diff.as_object().unwrap()), &actual, number::is_same)
    }

    #[test]
    fn what_nobody_asked_for_is_named() {
        let diff = json!({"beds": {"B1": {"plant": {"changed": {"old": "fern", "new": "moss"}}}}});
        let before = json!({"beds": {"B1": {"plant": "fern", "timestamp": 1}, "B2": {"wet": 1}}});
        let after = json!({"beds": {"B1": {"plant": "moss", "timestamp": 2}, "B2": {"wet": true}}});
        assert_eq!(gap(diff, before, after), Gap { collateral: vec!["/beds/B2/wet".to_owned()], ..Gap::default() });
    }

    #[test]
    fn a_created_record_may_have_another_id_once() {
        let diff = json!({"loans": {"L1": {"added": {"loan_id": "L1", "book": "b"}}}});
        let one = json!({"loans": {"L9": {"loan_id": "L9", "book": "b"}}});
        assert_eq!(gap(diff.clone(), json!({"loans": {}}), one).renamed, ["/loans/L1"]);
        let two = json!({"loans": {"L8": {"loan_id": "L8", "book": "b"}, "L9": {"loan_id": "L9", "book": "b"}}});
        assert_eq!(gap(diff, json!({"loans": {}}), two).collateral, ["/loans/L9"]);
    }

    #[test]
    fn names_with_dots_are_no_trouble() {
        let diff = json!({"tags": {"a.b": {"added": 1}}});
        assert_eq!(gap(diff, json!({"tags": {}}), json!({"tags": {"a.b": 1}})), Gap::default());
    }
}
