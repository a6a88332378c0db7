//! Each rule with a call that breaks it.

use serde_json::json;

use super::*;
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

fn rejected(message: u32, tool: &str, arguments: Value) -> Call {
    Call { observation: None, ..done(message, tool, arguments, Value::Null) }
}

/// `find -> book`, with these `bind` and `seen`.
fn find_book(mut rest: Value) -> Value {
    rest["before"] = "find".into();
    rest["after"] = "book".into();
    json!({ "precedence": [rest] })
}

#[test]
fn a_call_needs_an_earlier_successful_one() {
    let (find, book) = (|m| done(m, "find", json!({}), json!(1)), |m| done(m, "book", json!({}), json!(1)));
    let none: [String; 0] = [];
    assert_eq!(findings(find_book(json!({})), &[find(1), book(2), book(3)]), none);
    assert_eq!(
        findings(find_book(json!({})), &[book(1), find(2), book(3)]),
        ["1 precedence_violated: `book` needs an earlier `find`"]
    );
    assert_eq!(
        findings(find_book(json!({})), &[rejected(1, "find", json!({})), book(2)]),
        ["2 precedence_violated: `book` needs an earlier `find`"]
    );
}

/// Moving and then extending in one message is the order asked for; what the first returns tells nothing new.
#[test]
fn two_changes_of_one_batch_in_their_order_are_in_order() {
    let both =
        |first: &str, second: &str| [done(1, first, json!({}), json!(1)), done(1, second, json!({"of": 1}), json!(1))];
    let none: [String; 0] = [];
    let order = json!({"precedence": [{"before": "move", "after": "extend"}]});
    assert_eq!(findings(order.clone(), &both("move", "extend")), none);
    assert_eq!(findings(order, &both("extend", "move")).len(), 1);
    let seen = json!({"precedence": [{"before": "move", "after": "extend", "seen": "of"}]});
    assert_eq!(findings(seen, &both("move", "extend")).len(), 1);
    let told = json!({"precedence": [{"before": "move", "after": "extend", "told": "move it first"}]});
    assert_eq!(findings(told, &both("move", "extend")).len(), 1);
}

/// Two looks in one message decide nothing: their order is enough, also where it is told.
#[test]
fn two_looks_of_one_batch_in_their_order_are_in_order() {
    let both = |first: &str, second: &str| {
        [done(1, first, json!({}), json!({"of": 1})), done(1, second, json!({"of": 1}), json!(1))]
    };
    let none: [String; 0] = [];
    let told = json!({"precedence": [{"before": "find", "after": "a", "told": "find it first"}]});
    assert_eq!(findings(told.clone(), &both("find", "a")), none);
    assert_eq!(findings(told, &both("a", "find")).len(), 1);
    let seen = json!({"precedence": [{"before": "find", "after": "a", "seen": "of"}]});
    assert_eq!(findings(seen, &both("find", "a")).len(), 1);
    let write = json!({"precedence": [{"before": "find", "after": "book"}]});
    assert_eq!(findings(write, &both("find", "book")).len(), 1);
}

#[test]
fn a_call_of_the_same_batch_is_not_yet_observed() {
    let (find, book) = (|m| done(m, "find", json!({}), json!(1)), |m| done(m, "book", json!({}), json!(1)));
    assert_eq!(
        findings(find_book(json!({})), &[find(1), book(1), book(2)]),
        ["2 same_batch: `book` needs an earlier `find`; the one in the same message was not yet observed"]
    );
    assert_eq!(findings(find_book(json!({})), &[find(1), find(2), book(2)]), [""; 0]);
}

#[test]
fn a_rejected_call_only_attempts() {
    let calls = [
        rejected(1, "book", json!({})),
        done(2, "find", json!({}), json!(1)),
        rejected(2, "book", json!({})),
        rejected(3, "book", json!({})),
    ];
    assert_eq!(
        findings(find_book(json!({})), &calls),
        [
            "1 precedence_attempted: `book` was tried without an earlier `find`",
            "3 precedence_attempted: `book` was tried without an earlier `find`; \
             the one in the same message was not yet observed",
        ]
    );
}

#[test]
fn bound_arguments_agree_by_value_and_absent_ones_with_nothing() {
    let calls = [
        done(1, "find", json!({"day": 1.0}), json!([])),
        done(1, "find", json!({}), json!([])),
        done(2, "book", json!({"date": 1}), json!([])),
        done(3, "book", json!({"date": "1"}), json!([])),
        done(4, "book", json!({}), json!([])),
    ];
    assert_eq!(
        findings(find_book(json!({"bind": {"day": "date"}})), &calls),
        [
            "4 precedence_violated: `book` needs an earlier `find` with day \"1\"",
            "5 precedence_violated: `book` needs an earlier `find` with day equal to date, which is not given",
        ]
    );
}

#[test]
fn seen_asks_for_the_value_anywhere_in_one_observation() {
    let find = |message, day: u32, observation| done(message, "find", json!({"day": day}), observation);
    let book = |message, day: u32, room| done(message, "book", json!({"day": day, "room": room}), json!(1));
    let edge = || find_book(json!({"bind": {"day": "day"}, "seen": "room"}));
    let calls = [
        find(1, 1, json!({"free": [{"id": "305"}], "101": {}, "count": 2.0})),
        find(1, 2, json!(["200"])),
        book(2, 1, json!("305")),
        book(2, 1, json!("101")),
        book(2, 1, json!(2)),
        book(2, 1, json!({"id": "305"})),
        book(2, 1, json!("200")),
        book(2, 1, json!("30")),
        done(2, "book", json!({"day": 2}), json!(1)),
    ];
    let lacks = |step, day, what| {
        format!(
            "{step} precedence_violated: `book` needs an earlier `find` with day {day} whose observation contains room{what}"
        )
    };
    assert_eq!(
        findings(edge(), &calls),
        [lacks(7, 1, " \"200\""), lacks(8, 1, " \"30\""), lacks(9, 2, ", which is not given")]
    );
    // Seen too early elsewhere does not help; seen in the same batch is not yet observed.
    let calls = [find(1, 1, json!([])), find(2, 1, json!(["305"])), book(2, 1, json!("305")), book(3, 1, json!("305"))];
    let found = findings(edge(), &calls);
    assert_eq!((found.len(), found[0].starts_with("3 same_batch")), (1, true), "{found:?}");
}

#[test]
fn exclusions_compare_calls_of_different_members() {
    let set = || json!({"exclusions": [{"calls": ["cancel", "move"], "bind": ["id"]}]});
    let call = |tool, id: &str| done(1, tool, json!({"id": id}), json!(1));
    let calls = [
        call("cancel", "b1"),
        call("cancel", "b1"),
        call("move", "b2"),
        done(1, "move", json!({}), json!(1)),
        rejected(1, "move", json!({"id": "b1"})),
        call("move", "b1"),
    ];
    assert_eq!(
        findings(set(), &calls),
        [
            "5 exclusion_attempted: `move` was tried but excludes `cancel`, \
             which was called at step 1 with the same id \"b1\"",
            "6 exclusion_violated: `move` excludes `cancel`, which was called at step 1 with the same id \"b1\"",
        ]
    );
    assert_eq!(findings(set(), &[rejected(1, "cancel", json!({"id": "b1"})), call("move", "b1")]), [""; 0]);
}

#[test]
fn an_unbound_exclusion_always_holds_and_one_call_does_not_exclude_itself() {
    let set = json!({"exclusions": [{"calls": ["pay", "pay where args.x == 1", "refund"]}]});
    let call = |tool, x: u32| done(1, tool, json!({ "x": x }), json!(1));
    let found = findings(set.clone(), &[call("pay", 1), call("refund", 2)]);
    assert_eq!(found, ["2 exclusion_violated: `refund` excludes `pay`, which was called at step 1"]);
    assert_eq!(findings(set.clone(), &[call("pay", 2), call("pay", 2)]), [""; 0]);
    let found = findings(set, &[call("pay", 2), call("pay", 1)]);
    assert_eq!(found, ["2 exclusion_violated: `pay` excludes `pay`, which was called at step 1"]);
}

#[test]
fn long_values_are_cut_in_the_text() {
    let book = done(1, "book", json!({"date": "d".repeat(90)}), json!(1));
    let found = findings(find_book(json!({"bind": {"day": "date"}})), &[book]);
    assert_eq!(
        found,
        [format!("1 precedence_violated: `book` needs an earlier `find` with day \"{}...", "d".repeat(59))]
    );
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

/// Of two lines each agrees with a look of its own, not with one that mixes them.
#[test]
fn bound_fields_of_one_list_belong_together() {
    let bind = json!({"bind": {"item": "lines[].item", "size": "lines[].size"}, "seen": "lines[].price"});
    let lines = json!({"lines": [{"item": "A", "size": 1, "price": 5}, {"item": "B", "size": 2, "price": 7}]});
    let find = |item: &str, size: i64, price: i64| done(1, "find", json!({"item": item, "size": size}), json!([price]));
    let book = done(2, "book", lines, json!(1));
    assert_eq!(findings(find_book(bind.clone()), &[find("A", 1, 5), find("B", 2, 7), book.clone()]), [""; 0]);
    assert_eq!(findings(find_book(bind.clone()), &[find("A", 1, 7), find("B", 2, 5), book.clone()]).len(), 1);
    assert_eq!(findings(find_book(bind), &[find("A", 1, 5), find("B", 1, 7), book]).len(), 1);
    let set = json!({"exclusions": [{"calls": ["pay", "give"], "bind": ["lines[].item", "lines[].size"]}]});
    let call = |tool: &str, one: i64, other: i64| {
        done(1, tool, json!({"lines": [{"item": "A", "size": one}, {"item": "B", "size": other}]}), json!(1))
    };
    assert_eq!(findings(set.clone(), &[call("pay", 1, 2), call("give", 2, 1)]), [""; 0]);
    assert_eq!(findings(set, &[call("pay", 1, 2), call("give", 1, 3)]).len(), 1);
}

/// An empty list takes back what is asked of its elements, not what is asked beside it.
#[test]
fn a_path_at_which_nothing_stands_asks_nothing_alone() {
    let rest = json!({"bind": {"id": "id", "item": "lines[].item"}});
    let find = |id: &str| done(1, "find", json!({"id": id, "item": "A"}), json!(1));
    let book = done(2, "book", json!({"id": "1", "lines": []}), json!(1));
    assert_eq!(findings(find_book(rest.clone()), &[find("1"), book.clone()]), [""; 0]);
    assert_eq!(
        findings(find_book(rest), &[find("2"), book.clone()]),
        ["2 precedence_violated: `book` needs an earlier `find` with id \"1\""]
    );
    assert_eq!(findings(find_book(json!({"seen": "lines[].item"})), &[book]), [""; 0]);
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
