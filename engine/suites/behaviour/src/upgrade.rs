//! Runs of format 1: how what they hold is said in format 2. Nothing that was played or said changes; the scores are
//! made anew from the traces.

use serde_json::{Map, Value, json};

use crate::benchmark::NAME;
use probity_bench::run::config::FORMAT;
use probity_bench::trace;

/// How the detail of an end began when it was the user's model that could not be reached.
const USER_UNREACHABLE: &str = "the user's provider could not be reached";

/// Whether a `run.json` or a record is of format 1.
pub fn is_old(value: &Value) -> bool {
    value["format"] == json!(1)
}

/// A `run.json`.
pub fn config(mut old: Value) -> Value {
    let selection = old["selection"].take();
    let levels = [
        ("environment", "environments"),
        ("domain", "domains"),
        ("variant", "variants"),
        ("difficulty", "difficulties"),
    ];
    let chosen = levels.into_iter().filter(|(_, list)| selection[list].as_array().is_some_and(|list| !list.is_empty()));
    let levels: Map<String, Value> =
        chosen.map(|(factor, list)| (factor.to_owned(), selection[list].clone())).collect();
    old["selection"] = json!({"tasks": selection["tasks"], "levels": levels, "limit": selection["limit"]});
    old["suite"] = json!(NAME);
    old["format"] = json!(FORMAT);
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
    let header = &mut old["header"];
    let variant = header["variant"].take();
    if let Some(header) = header.as_object_mut() {
        header.remove("variant");
        header.insert("levels".to_owned(), json!({"variant": variant}));
        header.insert("benchmark".to_owned(), json!(NAME));
        header.insert("format".to_owned(), json!(trace::FORMAT));
    }
    for event in old["events"].as_array_mut().into_iter().flatten() {
        upgrade_event(event);
    }
    old
}

/// Only agents called tools, and a user's provider was told by the words of an end.
fn upgrade_event(event: &mut Value) {
    if event["type"] == json!("step") {
        event["actor"] = json!("agent");
    }
    let detail = event["detail"].as_str().unwrap_or_default().to_owned();
    if let Some(why) = detail.strip_prefix(USER_UNREACHABLE) {
        event["reason"] = json!("user_unreachable");
        event["detail"] = json!(why.trim_start_matches(": "));
    }
}
