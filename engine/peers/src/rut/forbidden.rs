//! Forbidden actions: sentences with a very small grammar (spec B.10).

use serde_json::{Map, Value};

use super::host;
use super::matching::{Record, tool_name};
use super::path::fields;

/// One text for each rule that a write of the trace matches.
pub fn violations(rules: Option<&Value>, trace: &[&Record], initial: &Value) -> Vec<String> {
    let mut violations = Vec::new();
    for rule in rules.and_then(Value::as_array).into_iter().flatten().filter(|rule| !rule.is_null()) {
        let written = host::text(rule);
        let wanted = host::strip(&written).to_lowercase();
        let mut writes = trace.iter().filter(|call| host::is_truthy_field(call.get("is_write")));
        if let Some(call) = writes.find(|call| !wanted.is_empty() && matches(&wanted, call, initial)) {
            violations.push(format!("forbidden action matched executed write tool '{}': {written}", tool_name(call)));
        }
    }
    violations
}

/// Whether a rule names the tool of a call and its rest holds.
fn matches(rule: &str, call: &Record, initial: &Value) -> bool {
    let name = tool_name(call).to_lowercase();
    let rest = rule.strip_prefix(&name).or_else(|| rule.strip_prefix(&name.replace('_', " ")));
    let none = Map::new();
    let arguments = call.get("arguments").and_then(Value::as_object).unwrap_or(&none);
    match rest.map(host::strip) {
        Some(rest) if !name.is_empty() => rest_holds(rest, arguments, initial),
        Some(_) | None => false,
    }
}

fn rest_holds(rest: &str, arguments: &Record, initial: &Value) -> bool {
    if let Some(target) = rest.strip_prefix("on ") {
        let target = host::strip(target);
        return arguments.values().any(|value| host::strip(&host::text(value)).to_lowercase() == target);
    }
    match rest {
        "" => true,
        "with an inactive medication" => is_inactive(arguments, initial),
        "at a conflicting scheduled_time" => has_conflict(arguments, initial),
        _ => false,
    }
}

fn is_inactive(arguments: &Record, initial: &Value) -> bool {
    let id = host::label(arguments.get("medication_id"));
    let record = initial.get("medications").and_then(|medications| medications.as_object()?.get(&id));
    record.and_then(|record| record.get("active_status")) == Some(&Value::Bool(false))
}

fn has_conflict(arguments: &Record, initial: &Value) -> bool {
    let reminders = fields(initial.get("reminders"));
    reminders.filter_map(|(_, record)| record.as_object()).any(|record| {
        let is_same = |name: &str| host::label(record.get(name)) == host::label(arguments.get(name));
        host::label(record.get("status")) == "scheduled"
            && ["user_id", "medication_id", "scheduled_time"].into_iter().all(is_same)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hits(rule: &str, arguments: Value) -> bool {
        let call = json!({"tool_name": "Pull_Up", "arguments": arguments, "is_write": 1});
        !violations(Some(&json!([rule])), &[call.as_object().unwrap()], &json!({})).is_empty()
    }

    #[test]
    fn a_rule_starts_with_the_tool_and_names_at_most_one_value() {
        assert!(hits("  PULL UP ", json!({})));
        assert!(hits("pull_up on  Bed 7.0", json!({"bed": " bed 7.0 "})));
        assert!(hits("pull_up on 7.0", json!({"bed": 7.0})) && !hits("pull_up on 7", json!({"bed": 7.0})));
        assert!(hits("pull_up on true", json!({"force": true})));
        assert!(
            !hits("do not pull_up", json!({})) && !hits("pull_up on", json!({})) && !hits("pull_up today", json!({}))
        );
    }

    #[test]
    fn reads_are_never_forbidden() {
        let call = json!({"tool_name": "look", "is_write": null});
        assert_eq!(violations(Some(&json!(["look"])), &[call.as_object().unwrap()], &json!({})), [""; 0]);
    }
}
