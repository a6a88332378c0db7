//! What the peer's program put into its data by itself, set aside (spec 0.2), and calls classed by what they changed.

use serde_json::{Map, Value};

use crate::rut::browse::HELPERS;
use crate::rut::host;

#[derive(Debug)]
pub struct Cleaned {
    pub value: Value,
    /// Whether there were helpers in a state or difference.
    pub had_helpers: bool,
    /// Whether a call was recorded as a write and changed nothing, or the reverse.
    pub had_wrong_class: bool,
}

/// A run without helpers, its calls classed by their differences.
pub fn run(run: &Value) -> Cleaned {
    let mut cleaned = Cleaned { value: run.clone(), had_helpers: false, had_wrong_class: false };
    let Some(fields) = cleaned.value.as_object_mut() else { return cleaned };
    let mut had_helpers = false;
    for name in ["initial_state", "final_state"] {
        had_helpers |= strip(fields.get_mut(name), Value::is_string);
    }
    had_helpers |= strip(fields.get_mut("final_state_diff"), is_added_text);
    for name in ["actual_tool_trace", "actual_actions"] {
        for call in fields.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
            let had_here = strip(call.get_mut("state_diff"), is_added_text);
            had_helpers |= had_here;
            cleaned.had_wrong_class |= reclass(call) && !had_here;
        }
    }
    cleaned.had_helpers = had_helpers;
    cleaned
}

/// A sample without helpers; a write node that changed nothing else is a read.
pub fn sample(sample: &Value) -> Cleaned {
    let mut cleaned = Cleaned { value: sample.clone(), had_helpers: false, had_wrong_class: false };
    let Some(fields) = cleaned.value.as_object_mut() else { return cleaned };
    let mut had_helpers = strip(fields.get_mut("expected_state_diff"), is_added_text);
    if let Some(Value::Array(assertions)) = fields.get_mut("final_state_assertions") {
        let before = assertions.len();
        assertions.retain(|assertion| {
            !assertion.get("path").and_then(Value::as_str).is_some_and(|path| HELPERS.contains(&path))
        });
        had_helpers |= assertions.len() < before;
    }
    if let Some(Value::Object(graph)) = fields.get_mut("gold_action_graph") {
        had_helpers |= clean_graph(graph);
    }
    cleaned.had_helpers = had_helpers;
    cleaned
}

fn clean_graph(graph: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(writes)) = graph.get_mut("required_write_nodes") else { return false };
    let (mut kept, mut reads) = (Vec::new(), Vec::new());
    let mut had_helpers = false;
    for mut node in std::mem::take(writes) {
        let had_here = strip(node.get_mut("expected_state_diff"), is_added_text);
        had_helpers |= had_here;
        let is_read = had_here && !host::is_truthy_field(node.get("expected_state_diff"));
        if is_read { reads.push(node) } else { kept.push(node) }
    }
    *writes = kept;
    let sets = reads.into_iter().map(|node| {
        let step = node.get("step_index").cloned().unwrap_or_default();
        serde_json::json!({"step_index": step, "equivalent_nodes": [node]})
    });
    let sets: Vec<Value> = sets.collect();
    if !sets.is_empty() {
        let all = graph.entry("required_read_equivalence_sets").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(all) = all {
            all.splice(0..0, sets);
        }
    }
    had_helpers
}

/// Removes the helpers at the top of a state or difference; whether there were any.
fn strip(value: Option<&mut Value>, is_helper: fn(&Value) -> bool) -> bool {
    let Some(Value::Object(fields)) = value else { return false };
    let before = fields.len();
    fields.retain(|name, value| !(HELPERS.contains(&name.as_str()) && is_helper(value)));
    fields.len() < before
}

fn is_added_text(entry: &Value) -> bool {
    entry.as_object().is_some_and(|entry| entry.len() == 1 && entry.get("added").is_some_and(Value::is_string))
}

/// Classes a call by its difference; whether it was classed otherwise.
fn reclass(call: &mut Value) -> bool {
    let Some(call) = call.as_object_mut() else { return false };
    let Some(is_write) = call.get("state_diff").and_then(Value::as_object).map(|diff| !diff.is_empty()) else {
        return false;
    };
    let was = host::is_truthy_field(call.get("is_write"));
    call.insert("is_write".to_owned(), Value::from(is_write));
    was != is_write
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn helpers_go_and_a_look_up_is_a_read_again() {
        let helper = json!({"added": "<bound method list_state_containers at 0x7f>"});
        let dirty = json!({"actual_tool_trace": [
            {"tool_name": "look", "is_write": true, "state_diff": {"list_state_containers": helper}},
            {"tool_name": "plant", "is_write": false, "state_diff": {"beds": {"added": {}}}}
        ]});
        let cleaned = run(&dirty);
        assert!(cleaned.had_helpers && cleaned.had_wrong_class);
        let classes: Vec<_> =
            cleaned.value["actual_tool_trace"].as_array().unwrap().iter().map(|c| &c["is_write"]).collect();
        assert_eq!(classes, [&json!(false), &json!(true)]);
        let graph = json!({"gold_action_graph": {"required_write_nodes": [
            {"step_index": 1, "tool_name": "look", "expected_state_diff": {"get_state_entity": helper}},
            {"step_index": 2, "tool_name": "plant", "expected_state_diff": {"beds": {"added": {}}}}
        ]}});
        let cleaned = sample(&graph).value;
        assert_eq!(cleaned["gold_action_graph"]["required_write_nodes"].as_array().unwrap().len(), 1);
        assert_eq!(cleaned["gold_action_graph"]["required_read_equivalence_sets"][0]["step_index"], 1);
    }
}
