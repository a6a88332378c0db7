//! What the reference derives from a replayed oracle: assertions, graph and the least number of turns (spec A.1).

use serde_json::{Map, Value, json};

use super::host;
use super::matching::Record;
use super::path::objects;

/// One assertion for each leaf of a final difference, its path joined by dots.
pub fn assertions(diff: &Map<String, Value>) -> Vec<Value> {
    let mut found = Vec::new();
    collect(diff, "", &mut found);
    found
}

fn collect(diff: &Map<String, Value>, above: &str, found: &mut Vec<Value>) {
    for (key, entry) in diff {
        let Value::Object(entry) = entry else { continue };
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        if let Some(changed) = entry.get("changed") {
            let (old, new) = (changed.get("old"), changed.get("new"));
            found.push(json!({"path": path, "assertion_type": "changed", "old_value": old, "new_value": new}));
        } else if let Some(value) = entry.get("added") {
            found.push(json!({"path": path, "assertion_type": "added", "value": value}));
        } else if let Some(value) = entry.get("removed") {
            found.push(json!({"path": path, "assertion_type": "removed", "value": value}));
        } else {
            collect(entry, &path, found);
        }
    }
}

/// The graph of an oracle: a chain of its steps. A step that changed something is a write.
pub fn graph(trace: Option<&Value>, candidate: &Value) -> Value {
    let steps: Vec<&Record> = objects(trace).collect();
    let is_write = |step: &&&Record| host::is_truthy_field(step.get("state_diff"));
    let reads: Vec<Value> = steps.iter().filter(|step| !is_write(step)).map(|step| node(step)).collect();
    let sets = reads.iter().map(|node| json!({"step_index": node.get("step_index"), "equivalent_nodes": [node]}));
    let writes = steps.iter().filter(is_write).map(|step| {
        let mut node = node(step);
        if let Some(fields) = node.as_object_mut() {
            fields.insert("expected_state_diff".to_owned(), step.get("state_diff").cloned().unwrap_or_default());
        }
        node
    });
    let indices: Vec<Option<&Value>> = steps.iter().map(|step| step.get("step_index")).collect();
    let pairs = indices.iter().zip(indices.iter().skip(1));
    let edges = pairs.map(|(before, after)| json!({"before_step_index": before, "after_step_index": after}));
    let requirements = |name: &str, mark: &str| -> Vec<Value> {
        let texts = candidate.get(name).and_then(Value::as_array).into_iter().flatten();
        let texts = texts.filter(|text| !host::label(Some(text)).is_empty());
        texts.map(|text| json!({"requirement": text, mark: true})).collect()
    };
    let task_type = candidate.get("task_type").map_or_else(|| json!("execute"), Value::clone);
    json!({
        "graph_type": "linear_action_graph_v2",
        "task_type": task_type,
        "required_read_equivalence_sets": sets.collect::<Vec<_>>(),
        "required_read_nodes": reads,
        "required_write_nodes": writes.collect::<Vec<_>>(),
        "clarify_nodes": requirements("clarification_requirements", "required_before_write"),
        "refuse_nodes": requirements("refusal_requirements", "required"),
        "precedence_edges": edges.collect::<Vec<_>>(),
        "forbidden_actions": candidate.get("forbidden_actions").cloned().unwrap_or_else(|| json!([])),
    })
}

fn node(step: &Record) -> Value {
    let kept = ["step_index", "tool_name", "arguments", "purpose"];
    let fields = kept.into_iter().map(|name| (name.to_owned(), step.get(name).cloned().unwrap_or_default()));
    Value::Object(fields.collect())
}

/// User turns, oracle calls and one reply: what the reference holds to be the least.
pub(crate) fn least_turns(trace: Option<&Value>, candidate: &Value) -> usize {
    let length = |value: Option<&Value>| value.and_then(Value::as_array).map_or(0, Vec::len);
    let turns = match candidate.get("dialogue_mode").and_then(Value::as_str) {
        Some("multi_turn") => length(candidate.get("multi_turn_tasks")).max(1),
        Some(_) | None => 1,
    };
    turns + length(trace) + 1
}
