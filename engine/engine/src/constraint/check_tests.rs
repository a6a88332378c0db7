//! Each rule with a call that breaks it.

use serde_json::json;

use super::*;
use crate::case::{Reader, hold, pair, row};
use crate::constraint::naive::{Call, matching};
use crate::model::constraints::Constraints;

/// `step code text` for every finding over `calls`.
fn findings(constraints: Value, calls: &[Call]) -> Vec<String> {
    let constraints: Constraints = serde_json::from_value(constraints).unwrap();
    let graph = Arc::new(ConstraintGraph::build(&[("", &constraints)]).0);
    let mut checker = Checker::new(Arc::clone(&graph));
    let found = calls
        .iter()
        .zip(1..)
        .flat_map(|(call, step)| checker.observe(&call.observed(step, &matching(graph.patterns(), call))).findings);
    found.map(|finding| format!("{} {}: {}", finding.step.unwrap(), finding.code, finding.text)).collect()
}

fn done(message: u32, tool: &str, arguments: Value, observation: Value) -> Call {
    Call {
        message,
        tool: tool.to_owned(),
        arguments: arguments.as_object().unwrap().clone(),
        observation: Some(observation),
    }
}

/// `find -> book`, with these `bind` and `seen`.
fn find_book(mut rest: Value) -> Value {
    rest["before"] = "find".into();
    rest["after"] = "book".into();
    json!({ "precedence": [rest] })
}

/// The findings over calls `[message, tool, arguments, observation]`; a call without an observation was rejected.
fn found(text: &str) -> Vec<String> {
    let (constraints, calls) = pair(text);
    let calls: Vec<Value> = serde_json::from_str(calls).unwrap();
    let call = |call: &Value| Call {
        observation: call.get(3).cloned(),
        ..done(
            u32::try_from(call[0].as_u64().unwrap()).unwrap(),
            call[1].as_str().unwrap(),
            call[2].clone(),
            Value::Null,
        )
    };
    findings(constraints.parse().unwrap(), &calls.iter().map(call).collect::<Vec<_>>())
}

#[test]
fn calls_break_what_the_cases_say() {
    let readers: [(&str, Reader); 2] = [
        ("findings", |text| row(found(text), " + ")),
        ("codes", |text| row(found(text).iter().map(|found| found.split_once(':').unwrap().0), " + ")),
    ];
    hold(include_str!("check_cases.txt"), &readers);
}

#[test]
fn a_clone_goes_its_own_way() {
    let constraints: Constraints = serde_json::from_value(find_book(json!({}))).unwrap();
    let mut without = Checker::new(Arc::new(ConstraintGraph::build(&[("", &constraints)]).0));
    let mut with = without.clone();
    with.observe(&done(1, "find", json!({}), json!(1)).observed(1, &[0]));
    let book = done(2, "book", json!({}), json!(1));
    assert_eq!(with.observe(&book.observed(2, &[1])), Breaches::default());
    assert_eq!(without.observe(&book.observed(1, &[1])).findings.len(), 1);
}

#[test]
fn attempts_do_not_break_compliance() {
    let codes = [PRECEDENCE_VIOLATED, SAME_BATCH, EXCLUSION_VIOLATED, PRECEDENCE_ATTEMPTED, EXCLUSION_ATTEMPTED];
    assert_eq!(codes.map(is_violation), [true, true, true, false, false]);
    assert!(!is_violation("something_else"));
}

#[test]
fn long_lists_are_asked_for_to_their_end() {
    let items: Vec<Value> = (0..300).map(|item| json!({"item": item})).collect();
    let finds = (0..299).map(|item| done(1, "find", json!({"item": item}), json!(1)));
    let book = done(2, "book", json!({"lines": items}), json!(1));
    let calls: Vec<Call> = finds.chain([book]).collect();
    assert_eq!(findings(find_book(json!({"bind": {"item": "lines[].item"}})), &calls).len(), 1);
    // Too many choices of two lists are never taken for satisfied.
    let numbers: Vec<i64> = (0..100).collect();
    let both = json!({"bind": {"a": "a[]", "b": "b[]"}});
    let book = done(2, "book", json!({"a": numbers, "b": numbers}), json!(1));
    assert_eq!(findings(find_book(both), &[book]).len(), 1);
}
