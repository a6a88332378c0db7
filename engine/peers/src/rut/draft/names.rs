//! Names of the peer in our spelling: identifiers that nothing else is called, put into its data before anything is
//! drafted from it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::rut::browse::HELPERS;
use crate::rut::host;
use crate::rut::matching::{oracle, tool_name};
use crate::rut::path::objects;
use probity_engine::ids::{free_name, identifier_of, is_identifier};

/// The most characters that a cleaned name keeps, so that there is room for a number behind it.
const MAX_KEPT: usize = 56;

/// Whether a word is kept for something else and cannot be a name.
pub type IsReserved<'a> = &'a dyn Fn(&str) -> bool;

#[derive(Debug, Default)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// Names for all of these: those that can stay stay, the others are cleaned and told apart.
    pub fn of(theirs: BTreeSet<String>, is_reserved: IsReserved) -> Self {
        let can_stay = |name: &String| is_identifier(name) && !is_reserved(name);
        let (stay, change): (BTreeSet<String>, BTreeSet<String>) = theirs.into_iter().partition(can_stay);
        let mut names: BTreeMap<String, String> = stay.iter().map(|name| (name.clone(), name.clone())).collect();
        let mut taken = stay;
        for name in change {
            let free = free_name(&cleaned(&name), |name| !taken.contains(name) && !is_reserved(name));
            taken.insert(free.clone());
            names.insert(name, free);
        }
        Names(names)
    }

    pub fn ours(&self, theirs: &str) -> String {
        self.0.get(theirs).cloned().unwrap_or_else(|| theirs.to_owned())
    }

    pub fn changed(&self, ours: &str) -> Option<&str> {
        let (theirs, _) = self.0.iter().find(|(theirs, known)| *known == ours && theirs != known)?;
        Some(theirs)
    }
}

/// A name in lower-case letters, digits and `_`: `getUser` becomes `get_user`.
fn cleaned(name: &str) -> String {
    let kept: String = identifier_of(name).chars().take(MAX_KEPT).collect();
    if is_identifier(&kept) { kept } else { format!("x_{kept}") }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_told_apart() {
        let theirs = ["getUser", "get_user", "get-user", "let", "7up", "", "x_let", "Ünder", "HTTPGet"];
        let names = Names::of(theirs.map(str::to_owned).into(), &|word| word == "let");
        let ours: BTreeSet<String> = theirs.iter().map(|name| names.ours(name)).collect();
        assert_eq!(ours.len(), theirs.len(), "{names:?}");
        assert!(ours.iter().all(|name| is_identifier(name) && name != "let"), "{ours:?}");
        for (theirs, expected) in [
            ("get_user", "get_user"),
            ("get-user", "get_user_2"),
            ("getUser", "get_user_3"),
            ("let", "let_2"),
            ("7up", "x_7up"),
            ("x_let", "x_let"),
            ("HTTPGet", "http_get"),
        ] {
            assert_eq!(names.ours(theirs), expected, "{theirs}");
        }
        assert_eq!((names.changed("get_user_3"), names.changed("get_user")), (Some("getUser"), None));
        let long = Names::of([format!("{}A", "a".repeat(90)), format!("{}B", "a".repeat(90))].into(), &|_| false);
        assert!(long.0.values().all(|name| is_identifier(name)) && long.0.len() == 2, "{long:?}");
    }
}
