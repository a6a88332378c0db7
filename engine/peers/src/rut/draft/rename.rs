//! Puts our names of tools and parts of the state into the peer's data, before anything is drafted from it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::names::Names;
use crate::rut::browse::HELPERS;
use crate::rut::host;
use crate::rut::matching::{oracle, tool_name};
use crate::rut::path::objects;

/// Fields of an item or a sample whose keys are parts of the state.
const STATES: [&str; 2] = ["init_config", "expected_state_diff"];

pub fn tools(item: &Value, samples: &[&Value]) -> BTreeSet<String> {
    let declared = objects(item.get("tools")).map(|tool| host::label(tool.get("name")));
    let called = samples.iter().flat_map(|sample| oracle(sample).map(tool_name));
    declared.chain(called).collect()
}

/// What the peer calls the parts of the state. The helpers that it attaches to the state are none.
pub fn parts(item: &Value, samples: &[&Value]) -> BTreeSet<String> {
    let holders = std::iter::once(item).chain(samples.iter().copied());
    let states = holders.flat_map(|holder| STATES.into_iter().filter_map(|name| holder.get(name)?.as_object()));
    states.flat_map(Map::keys).filter(|name| !HELPERS.contains(&name.as_str())).cloned().collect()
}

pub fn item(item: &Value, tools: &Names, parts: &Names) -> Value {
    let mut item = item.clone();
    rename_states(&mut item, parts);
    for tool in list(&mut item, "tools") {
        let name = host::label(tool.get("name"));
        tool.insert("name".to_owned(), tools.ours(&name).into());
    }
    item
}

pub fn sample(sample: &Value, tools: &Names, parts: &Names) -> Value {
    let mut sample = sample.clone();
    rename_states(&mut sample, parts);
    for step in list(&mut sample, "gold_tool_trace") {
        let name = tools.ours(&tool_name(step));
        step.insert("tool_name".to_owned(), name.into());
        if let Some(diff) = step.get_mut("state_diff").and_then(Value::as_object_mut) {
            rename_keys(diff, parts);
        }
    }
    sample
}

fn list<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    let items = value.get_mut(name).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_object_mut)
}

fn rename_states(holder: &mut Value, parts: &Names) {
    for name in STATES {
        if let Some(state) = holder.get_mut(name).and_then(Value::as_object_mut) {
            rename_keys(state, parts);
        }
    }
}

fn rename_keys(state: &mut Map<String, Value>, parts: &Names) {
    let old = std::mem::take(state).into_iter().filter(|(name, _)| !HELPERS.contains(&name.as_str()));
    *state = old.map(|(name, value)| (parts.ours(&name), value)).collect();
}
