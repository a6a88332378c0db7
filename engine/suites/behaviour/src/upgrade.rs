//! Runs of format 1: how what they hold is said in format 2. Nothing that was played or said changes; the scores are
//! made anew from the traces.

use serde_json::{Map, Value, json};

use crate::benchmark::NAME;
use probity_bench::{run::config::FORMAT, trace};

/// How the detail of an end began when it was the user's model that could not be reached.
const USER_UNREACHABLE: &str = "the user's provider could not be reached";

/// What stands under a name; nothing where there is no such thing.
fn at<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

pub fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}

fn set(value: &mut Value, name: &str, new: Value) {
    if let Some(map) = value.as_object_mut() {
        map.insert(name.to_owned(), new);
    }
}

/// Whether a `run.json` or a record is of format 1.
pub fn is_old(value: &Value) -> bool {
    *at(value, "format") == json!(1)
}

/// A `run.json`.
pub fn config(mut old: Value) -> Value {
    let selection = take(&mut old, "selection");
    let levels = [
        ("environment", "environments"),
        ("domain", "domains"),
        ("variant", "variants"),
        ("difficulty", "difficulties"),
    ];
    let chosen = levels.into_iter().filter(|(_, list)| at(&selection, list).as_array().is_some_and(|l| !l.is_empty()));
    let levels: Map<String, Value> =
        chosen.map(|(factor, list)| (factor.to_owned(), at(&selection, list).clone())).collect();
    let selection = json!({"tasks": at(&selection, "tasks"), "levels": levels, "limit": at(&selection, "limit")});
    set(&mut old, "selection", selection);
    set(&mut old, "suite", json!(NAME));
    set(&mut old, "format", json!(FORMAT));
    old
}

/// An authored file: a task without the keys that nothing ever read.
pub fn input(path: &str, text: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(text).ok().filter(|_| path.starts_with("tasks/"))?;
    value.as_object_mut()?.remove("critical_fields")?;
    serde_json::to_string_pretty(&value).ok().map(|text| text + "\n")
}

/// A trace. The hashes of its header are for its instance to make anew.
pub fn trace(mut old: Value) -> Value {
    if let Some(header) = old.get_mut("header") {
        let variant = take(header, "variant");
        if let Some(header) = header.as_object_mut() {
            header.remove("variant");
        }
        set(header, "levels", json!({"variant": variant}));
        set(header, "benchmark", json!(NAME));
        set(header, "format", json!(trace::FORMAT));
    }
    let events = old.get_mut("events").and_then(Value::as_array_mut);
    events.into_iter().flatten().for_each(upgrade_event);
    old
}

/// Only agents called tools, and a user's provider was told by the words of an end.
fn upgrade_event(event: &mut Value) {
    if *at(event, "type") == json!("step") {
        set(event, "actor", json!("agent"));
    }
    let detail = at(event, "detail").as_str().unwrap_or_default().to_owned();
    if let Some(why) = detail.strip_prefix(USER_UNREACHABLE) {
        set(event, "reason", json!("user_unreachable"));
        set(event, "detail", json!(why.trim_start_matches(": ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_stands_there_is_turned_without_a_panic() {
        for text in ["[]", "1", "null", "{\"header\": 3, \"events\": [7, {\"type\": \"step\"}]}", "{\"selection\": []}"]
        {
            let value: Value = serde_json::from_str(text).unwrap();
            let (_, turned) = (config(value.clone()), trace(value.clone()));
            assert!(!is_old(&value));
            assert_eq!(turned.pointer("/events/1/actor"), text.contains("step").then_some(&json!("agent")));
        }
        let end = json!({"events": [{"type": "end", "reason": "provider_unreachable", "detail": format!("{USER_UNREACHABLE}: no route")}]});
        assert_eq!(trace(end)["events"][0], json!({"type": "end", "reason": "user_unreachable", "detail": "no route"}));
    }
}
