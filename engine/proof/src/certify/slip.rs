//! Values at the bounds that a predicate draws: `args.count > 3` is about 2, 3 and 4.

use std::collections::BTreeSet;

use serde_json::Value;

use probity_behaviour::values::{self, days_off, is_of, literals, with_one};
use probity_engine::{CallPattern, Tool, ToolCall, environment_file::properties};

/// Most calls that are varied for one predicate.
const MAX_BASES: usize = 50;

/// The longest list that is made for a bound.
const MAX_LENGTH: usize = 24;

const MAX_DAYS_OFF: i64 = 7;

/// The calls of a tool with the arguments that a pattern's predicate names at its bounds, at most `most`.
pub fn at_bounds<'c>(
    tool: &Tool,
    pattern: &CallPattern,
    calls: impl Iterator<Item = &'c ToolCall>,
    most: usize,
) -> Vec<ToolCall> {
    let Some(predicate) = pattern.predicate.as_deref() else { return Vec::new() };
    let (named, bounds) = (arguments_of(predicate), at_literals(predicate));
    let mut varied: Vec<ToolCall> = calls.filter(|call| call.tool == tool.name).take(MAX_BASES).cloned().collect();
    for (name, schema) in properties(&tool.parameters).into_iter().filter(|(name, _)| named.contains(name.as_str())) {
        let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let fitting: Vec<&Value> = bounds.iter().filter(|value| is_of(value, &kind)).collect();
        let parts =
            varied.iter().filter_map(|call| call.arguments.get(&name).map(|now| (call, at_bound(now, &bounds))));
        let parts = parts.flat_map(|(call, values)| values.into_iter().map(|value| with(call, &name, &value)));
        let more = varied.iter().flat_map(|call| fitting.iter().map(|value| with(call, &name, value)));
        let more: Vec<ToolCall> = more.chain(parts).take(most).collect();
        varied.extend(more);
    }
    varied.retain(|call| tool.arguments.is_valid(&call.arguments));
    varied.truncate(most);
    varied
}

/// A list or an object with a scalar in it at a bound, or of so many elements as a bound says.
fn at_bound(now: &Value, bounds: &[Value]) -> Vec<Value> {
    let mut found = Vec::new();
    match now {
        Value::Array(items) => {
            let lengths = bounds.iter().filter_map(Value::as_u64).filter_map(|length| usize::try_from(length).ok());
            let of_length = |length| items.iter().cycle().take(length).cloned().collect();
            found.extend(lengths.filter(|length| *length <= MAX_LENGTH).map(of_length));
            for (place, item) in items.iter().enumerate() {
                let others = part_at_bound(item, bounds);
                found.extend(others.iter().map(|other| Value::Array(with_one(items, place, other))));
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let others = part_at_bound(field, bounds);
                found.extend(others.iter().map(|other| Value::Object(values::with(fields, name, other))));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

fn part_at_bound(now: &Value, bounds: &[Value]) -> Vec<Value> {
    match now {
        Value::Array(_) | Value::Object(_) => at_bound(now, bounds),
        Value::Number(_) => bounds.iter().filter(|bound| bound.is_number()).cloned().collect(),
        Value::String(_) => bounds.iter().filter(|bound| bound.is_string()).cloned().collect(),
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}

/// A call with each day that it gives up to a week off.
pub fn on_other_days(call: &ToolCall) -> Vec<ToolCall> {
    let shifts = (1..=MAX_DAYS_OFF).flat_map(|off| [-off, off]);
    let arguments = call.arguments.as_object().into_iter().flatten();
    let shifted = arguments.flat_map(|(name, value)| {
        days_off(value, shifts.clone()).into_iter().map(move |other| with(call, name, &other))
    });
    shifted.collect()
}

fn with(call: &ToolCall, name: &str, value: &Value) -> ToolCall {
    let mut call = call.clone();
    if let Some(arguments) = call.arguments.as_object_mut() {
        arguments.insert(name.to_owned(), value.clone());
    }
    call
}

/// The arguments that a predicate names: `args.count`.
fn arguments_of(predicate: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let rests = predicate.split("args.").skip(1);
    rests.map(|rest| rest.split(|c| !is_part(c)).next().unwrap_or_default()).collect()
}

/// The texts of a predicate, and its whole numbers with those beside them.
fn at_literals(predicate: &str) -> Vec<Value> {
    let beside = |literal: Value| match literal.as_i64() {
        Some(n) => [n, n.saturating_add(1), n.saturating_sub(1), n.saturating_neg()].map(Value::from).to_vec(),
        None => vec![literal],
    };
    literals(predicate).into_iter().flat_map(beside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_off_by_up_to_a_week() {
        let call = ToolCall::new("plan", serde_json::json!({"day": "2026-03-01", "count": 3, "note": "2026"}));
        let days: Vec<ToolCall> = on_other_days(&call);
        assert_eq!(days.len(), 14);
        assert_eq!(days[0].arguments, serde_json::json!({"day": "2026-02-28", "count": 3, "note": "2026"}));
    }

    #[test]
    fn what_is_in_a_list_is_put_at_the_bounds_and_so_is_its_length() {
        let found = at_bound(&serde_json::json!([{"n": 1, "s": "x"}]), &[Value::from(3), Value::from("late")]);
        let wanted = serde_json::json!([[{"n": 1, "s": "x"}, {"n": 1, "s": "x"}, {"n": 1, "s": "x"}],
            [{"n": 3, "s": "x"}], [{"n": 1, "s": "late"}]]);
        assert_eq!(Value::from(found), wanted);
        assert!(at_bound(&Value::from(7), &[Value::from(3)]).is_empty());
    }

    #[test]
    fn a_predicate_tells_its_arguments_and_bounds() {
        let predicate = r#"args.count > 3 && db.items[args.item_id].kind != "a 7" && x12(1_000)"#;
        assert_eq!(arguments_of(predicate), BTreeSet::from(["count", "item_id"]));
        let expected: Vec<Value> = [3, 4, 2, -3].map(Value::from).into_iter().collect();
        let found = at_literals(predicate);
        assert!(expected.iter().all(|value| found.contains(value)), "{found:?}");
        assert!(found.contains(&Value::from("a 7")) && found.contains(&Value::from(1001)));
        assert!(!found.contains(&Value::from(7)) && !found.contains(&Value::from(12)), "{found:?}");
    }
}
