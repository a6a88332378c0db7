//! The kinds of conformance vectors and what each asks.

use serde_json::{Value, json};

use super::completion::Completion;
use super::efficiency::Efficiency;
use super::relaxed::Relaxed;
use super::{blueprint, browse, host, leak, relaxed, state_diff};

/// The kinds, and the fields that an input of each has; the first of a pair is the name, the second whether it is an object.
const FIELDS: [(&str, &[(&str, bool)]); 8] = [
    ("completion", &[("sample", true), ("run", true)]),
    ("efficiency", &[("sample", true), ("run", true), ("completion_passed", false)]),
    ("state_diff", &[("old", false), ("new", false)]),
    ("relaxed", &[("completion", true)]),
    ("failure_mode", &[("relaxed_completion", true), ("actual_tool_trace", false)]),
    ("blueprint", &[("gold_trace", false), ("candidate", true), ("final_state_diff", false)]),
    ("leaks", &[("message", false), ("tool_names", false), ("relevant_entities", false), ("dialogue", true)]),
    ("discoverability", &[("state", false), ("tool", false), ("arguments", false)]),
];

pub fn kinds() -> Vec<&'static str> {
    FIELDS.iter().map(|(kind, _)| *kind).collect()
}

/// What an input lacks to be a question of its kind, if anything. What is odd further inside is the question.
pub(crate) fn input_fault(kind: &str, input: &Value) -> Option<String> {
    let Some(map) = input.as_object() else { return Some("`input` is not an object".to_owned()) };
    FIELDS.iter().filter(|(known, _)| *known == kind).flat_map(|(_, fields)| *fields).find_map(|(name, is_object)| {
        match map.get(*name) {
            None => Some(format!("`{name}` of the input is missing")),
            Some(value) if *is_object && !value.is_object() => Some(format!("`{name}` of the input is not an object")),
            Some(_) => None,
        }
    })
}

/// What the reference would say to the input of a vector; `None` for an unknown kind.
pub fn answer(kind: &str, input: &Value) -> Option<Value> {
    let null = Value::Null;
    let field = |name: &str| input.get(name).unwrap_or(&null);
    Some(match kind {
        "completion" => Completion::of(field("sample"), field("run")).to_value(),
        "efficiency" => {
            let passed = host::is_truthy(field("completion_passed"));
            as_value(&Efficiency::of(field("sample"), field("run"), passed))
        }
        "state_diff" => Value::Object(state_diff::diff_values(field("old"), field("new"))),
        "relaxed" => as_value(&Relaxed::of(field("completion"))),
        "failure_mode" => as_value(&relaxed::of(field("relaxed_completion"), input.get("actual_tool_trace"))),
        "blueprint" => blueprint(input),
        "leaks" => leaks(input),
        "discoverability" => {
            let tool = field("tool").as_str().unwrap_or_default();
            browse::call(field("state"), tool, field("arguments")).unwrap_or_default()
        }
        _ => return None,
    })
}

fn as_value(report: &impl serde::Serialize) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}

fn blueprint(input: &Value) -> Value {
    let candidate = input.get("candidate").unwrap_or(&Value::Null);
    let diff = input.get("final_state_diff").and_then(Value::as_object);
    json!({
        "canonical_action_graph": blueprint::graph(input.get("gold_trace"), candidate),
        "final_state_assertions": diff.map(blueprint::assertions).unwrap_or_default(),
        "min_required_action_turns": blueprint::least_turns(input.get("gold_trace"), candidate),
    })
}

fn leaks(input: &Value) -> Value {
    let message = input.get("message").map(host::text).unwrap_or_default();
    let dialogue = input.get("dialogue").unwrap_or(&Value::Null);
    json!({
        "hidden_identifiers": leak::hidden_identifiers(dialogue),
        "stable": leak::stable(&message, input.get("tool_names"), input.get("relevant_entities")),
        "unstable": leak::unstable(&message, dialogue),
    })
}
