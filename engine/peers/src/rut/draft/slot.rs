//! The peer's containers as parts of our state: collections of records, single records, and wrapped lists.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::schema::infer;
use probity_engine::{Delta, SlotFile, SlotKind, pointer::join};

/// The field under which a list or a single value stands in a record.
const WRAPPED: &str = "value";

/// How a container of the peer becomes a part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Collection,
    Record,
    /// A list or a single value, wrapped in a record.
    Wrapped,
}

/// What each container is, over all states it is seen in.
pub fn slots(states: &[&Map<String, Value>]) -> BTreeMap<String, Slot> {
    let names: std::collections::BTreeSet<&String> = states.iter().flat_map(|state| state.keys()).collect();
    let slot = |name: &str| {
        let values: Vec<&Value> = states.iter().filter_map(|state| state.get(name)).collect();
        let objects: Vec<&Map<String, Value>> = values.iter().filter_map(|value| value.as_object()).collect();
        let mut records = objects.iter().flat_map(|object| object.values());
        match objects.len() == values.len() {
            false => Slot::Wrapped,
            true if records.all(Value::is_object) => Slot::Collection,
            true => Slot::Record,
        }
    };
    names.into_iter().map(|name| (name.clone(), slot(name))).collect()
}

pub fn file(name: &str, slot: Slot, states: &[&Map<String, Value>]) -> SlotFile {
    let values = states.iter().filter_map(|state| state.get(name));
    match slot {
        Slot::Collection => {
            let records: Vec<(&String, &Value)> = values.filter_map(Value::as_object).flatten().collect();
            let item = infer(&records.iter().map(|(_, record)| *record).collect::<Vec<_>>());
            let repeats = |field: &str| {
                records.iter().all(|(key, record)| record.get(field).and_then(Value::as_str) == Some(key.as_str()))
            };
            let fields = item.get("properties").and_then(Value::as_object).into_iter().flatten();
            let key = fields.map(|(field, _)| field.clone()).find(|field| repeats(field));
            let item = if records.is_empty() { infer(&[&json!({})]) } else { item };
            SlotFile { kind: SlotKind::Collection, key, item, refers: BTreeMap::new() }
        }
        Slot::Record => record(infer(&values.collect::<Vec<_>>())),
        Slot::Wrapped => {
            let wrapped: Vec<Value> = values.map(wrap).collect();
            record(infer(&wrapped.iter().collect::<Vec<_>>()))
        }
    }
}

fn record(item: Value) -> SlotFile {
    SlotFile { kind: SlotKind::Record, key: None, item, refers: BTreeMap::new() }
}

fn wrap(value: &Value) -> Value {
    json!({WRAPPED: value})
}

pub fn convert(state: &Map<String, Value>, slots: &BTreeMap<String, Slot>) -> Map<String, Value> {
    let part = |(name, value): (&String, &Value)| {
        let value = match slots.get(name)? {
            Slot::Collection | Slot::Record => value.clone(),
            Slot::Wrapped => wrap(value),
        };
        Some((name.clone(), value))
    };
    state.iter().filter_map(part).collect()
}

/// What differs between two converted states.
pub fn delta(before: &Map<String, Value>, after: &Map<String, Value>, slots: &BTreeMap<String, Slot>) -> Delta {
    let mut delta = Delta::default();
    for (name, slot) in slots {
        let (before, after) = (before.get(name).and_then(Value::as_object), after.get(name).and_then(Value::as_object));
        match slot {
            Slot::Record | Slot::Wrapped => delta.add(&join([name.as_str()]), before, after),
            Slot::Collection => {
                let keys = before.into_iter().chain(after).flat_map(|records| records.keys());
                let keys: std::collections::BTreeSet<&String> = keys.collect();
                for key in keys {
                    let record = |side: Option<&'_ Map<String, Value>>| {
                        side.and_then(|records| records.get(key)).and_then(Value::as_object).cloned()
                    };
                    delta.add(&join([name.as_str(), key.as_str()]), record(before).as_ref(), record(after).as_ref());
                }
            }
        }
    }
    delta
}

/// The merge patch (RFC 7396) from one state to another.
pub fn patch(from: &Map<String, Value>, to: &Map<String, Value>) -> Map<String, Value> {
    let gone = from.keys().filter(|key| !to.contains_key(*key)).map(|key| (key.clone(), Value::Null));
    let changed = to.iter().filter_map(|(key, value)| match (from.get(key), value) {
        (Some(before), value) if before == value => None,
        (Some(Value::Object(before)), Value::Object(after)) => Some((key.clone(), Value::Object(patch(before, after)))),
        (Some(_) | None, value) => Some((key.clone(), value.clone())),
    });
    gone.chain(changed).collect()
}

pub(crate) fn has_null(state: &Map<String, Value>) -> bool {
    state.values().any(|value| match value {
        Value::Null => true,
        Value::Object(fields) => has_null(fields),
        Value::Array(_) | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    })
}

/// Plays a difference of the peer on a state.
pub fn apply(diff: &Map<String, Value>, state: &Map<String, Value>) -> Map<String, Value> {
    let mut state = state.clone();
    for (key, entry) in diff {
        let Value::Object(entry) = entry else { continue };
        let new = entry.get("changed").and_then(|changed| changed.get("new")).or_else(|| entry.get("added"));
        if let Some(value) = new {
            state.insert(key.clone(), value.clone());
        } else if entry.contains_key("removed") {
            state.remove(key);
        } else {
            let below = state.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
            state.insert(key.clone(), Value::Object(apply(entry, &below)));
        }
    }
    state
}
