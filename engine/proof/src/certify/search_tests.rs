//! The search for shorter solutions beside a naive one that tries every trace.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::candidate::Candidate;
use super::super::minimality::{Effort, Minimality, minimality, search_within};
use super::super::shop::{Shop, call, find, outcome, set};
use super::*;
use probity_behaviour::task::Task;
use probity_behaviour::task::oracle::play;

/// The length of the shortest trace of at most `most` calls that solves the goal, by trying all; calls that are
/// refused too, since events may fire before them.
fn naive(goal: &Goal, alphabet: &mut Alphabet, most: usize) -> Option<usize> {
    let mut layer = vec![goal.start()];
    for length in 0..=most {
        if layer.iter().any(|position| goal.failing(position).is_empty()) {
            return Some(length);
        }
        let follow = |position: &Candidate| -> Vec<Candidate> {
            let after = |call: &ToolCall| match position.after(goal, call) {
                Ok(next) => Some(next),
                Err(refused) => (refused.state().sum() != position.state().sum()).then_some(*refused),
            };
            Letters::calls_of(&alphabet.letters(position.state())).filter_map(after).collect()
        };
        layer = if length < most { layer.iter().flat_map(follow).collect() } else { Vec::new() };
    }
    None
}

fn compare(task: &Task) -> (Option<usize>, Minimality) {
    let run = play(task, &task.outcomes()[0]).map_err(|stop| stop.call).unwrap();
    let goal = Goal::of_outcome(task, 0, &run).remove(0);
    let budget = run.calls.len();
    let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls());
    let shortest = naive(&goal, &mut alphabet, budget - 1);
    (shortest, minimality(&goal, &mut alphabet, budget, &mut Effort::default()))
}

/// That the search finds a shorter solution exactly when there is one.
fn agree((shortest, found): &(Option<usize>, Minimality)) -> Result<(), String> {
    let is_right = match (shortest, found) {
        (Some(length), Minimality::Refuted { calls }) => calls.len() == *length,
        (None, Minimality::Proved { .. }) => true,
        _ => false,
    };
    if is_right { Ok(()) } else { Err(format!("{shortest:?} calls do, the search says {found:?}")) }
}

fn look(shop: &Shop) -> (Option<usize>, Minimality) {
    let suite = shop.suite();
    let task = suite.tasks.values().next().unwrap_or_else(|| panic!("{:?}", suite.diagnostics));
    compare(&task.task)
}

fn any_outcome() -> impl Strategy<Value = Value> {
    let item = call("get_item", json!({"item_id": "IT01"}));
    let cancel = call("cancel_order", json!({"order_id": "$order"}));
    let calls = prop::sample::subsequence(vec![find(), item, set(), cancel], 1..=3);
    let quantity = json!({"path": "/orders/$order/quantity", "equals": 3});
    let changed = json!({"path": "/orders/$order/quantity", "changed": true});
    let cancelled = json!({"path": "/orders/$order/status", "equals": "cancelled"});
    let found = json!({"path": "/orders/$1.0.order_id/quantity", "equals": 3});
    let priced = json!({"path": "/items/$2.item_id/price_cents", "equals": "$2.price_cents"});
    let wrapped = json!({"path": "/orders/$order/wrapping", "equals": {"paper": "$1.0.wrapping.paper"}});
    let all = vec![quantity, changed, cancelled, found, priced, wrapped];
    let achieves = prop::sample::subsequence(all, 0..=2);
    let says = vec![json!(["24.00"]), json!(["stars", "plain"]), json!(["3"]), json!(["OR002 at 24.00"])];
    let says = prop::sample::subsequence(says, 0..=2);
    (calls, achieves, says).prop_map(|(calls, achieves, says)| {
        let says = if achieves.is_empty() && says.is_empty() { vec![json!(["24.00"])] } else { says };
        outcome(&calls, Value::from(achieves), Value::from(says))
    })
}

fn any_precedence() -> impl Strategy<Value = Value> {
    let edges = vec![
        json!({"before": "find_orders", "after": "set_quantity", "seen": "order_id"}),
        json!({"before": "find_orders", "after": "cancel_order", "seen": "order_id"}),
        json!({"before": "get_item", "after": "set_quantity"}),
        json!({"before": "find_orders", "after": "get_item", "seen": "item_id"}),
        json!({"before": "set_quantity", "after": "cancel_order", "bind": {"order_id": "order_id"}}),
        json!({"before": "get_item", "after": "cancel_order where db.orders[args.order_id].quantity > 2"}),
    ];
    prop::sample::subsequence(edges, 0..=4).prop_map(Value::from)
}

fn any_events() -> impl Strategy<Value = Value> {
    let busy = json!({"code": "busy", "message": "try again"});
    let events = vec![
        json!({"id": "rush", "fires_before": "set_quantity", "function": "rush", "error": busy}),
        json!({"id": "close", "armed_by": "get_item", "function": "close"}),
        json!({"id": "wait", "armed_by": "find_orders", "fires_before": "cancel_order", "after_calls": 1,
            "advance_minutes": 5, "error": busy}),
    ];
    prop::sample::subsequence(events, 0..=2).prop_map(Value::from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// What the search leaves out is never part of a shortest solution.
    #[test]
    fn it_finds_what_trying_everything_finds(
        outcome in any_outcome(), precedence in any_precedence(), events in any_events()
    ) {
        let suite = Shop::new().precedence(precedence).events(events).outcome(&outcome).suite();
        let task = suite.tasks.values().next();
        prop_assume!(task.is_some());
        let task = &task.unwrap().task;
        prop_assume!(play(task, &task.outcomes()[0]).is_ok());
        if let Err(difference) = agree(&compare(task)) {
            prop_assert!(false, "{difference}");
        }
    }
}

/// Two reads that lead to the same state, facts and answers: only one of them is what `$1` refers to.
#[test]
fn reads_that_references_mean_are_kept() {
    let other = call("find_orders", json!({"customer": "Guest 01"}));
    let wrapped = json!([{"path": "/orders/$order/wrapping", "equals": {"paper": "$2.0.wrapping.paper"}}]);
    let found = look(&Shop::new().precedence(json!([])).outcome(&outcome(&[other, find()], wrapped, json!([]))));
    assert!(matches!(&found, (Some(1), Minimality::Refuted { .. })), "{found:?}");
}

/// An answer with an order's id and a price follows only from two observations; what tells half of it is needed.
#[test]
fn reads_that_tell_a_part_of_an_answer_are_kept() {
    let item = call("get_item", json!({"item_id": "IT01"}));
    let peek = call("peek_order", json!({}));
    let asked = outcome(&[find(), item, peek], json!([]), json!([["OR002 at 24.00"]]));
    let found = look(&Shop::new().precedence(json!([])).outcome(&asked));
    assert!(matches!(&found, (Some(2), Minimality::Refuted { .. })), "{found:?}");
}

/// The id of an order is shown before there is such an order: only later does a call ask for it.
#[test]
fn what_is_asked_for_only_later_is_remembered() {
    let oracle = [
        call("peek_order", json!({})),
        call("get_item", json!({"item_id": "IT01"})),
        call("open_order", json!({})),
        call("set_quantity", json!({"order_id": "OR900", "quantity": 3})),
    ];
    let achieves = json!([{"path": "/orders/OR900/quantity", "equals": 3}]);
    let seen = json!([{"before": "peek_order", "after": "set_quantity", "seen": "order_id"},
        {"before": "peek_order", "after": "open_order"}]);
    let shop = Shop::new().precedence(seen).outcome(&outcome(&oracle, achieves, json!([])));
    let found = shop.with_goal(|task, run, goal| {
        let mut calls = run.tool_calls();
        calls.retain(|call| call.tool != "set_quantity");
        // No oracle gives the id, so that none of the calls of the first state asks for it.
        let mut alphabet = Alphabet::of_users(task, &goal.variants, &calls);
        minimality(goal, &mut alphabet, 4, &mut Effort::default())
    });
    assert!(matches!(&found, Minimality::Refuted { calls } if calls.len() == 3), "{found:?}");
}

/// A call may be refused and yet change the state, when an event fires before it.
#[test]
fn events_before_refused_calls_lead_on() {
    let events = json!([{"id": "rush", "armed_by": "find_orders", "fires_before": "cancel_order", "function": "rush",
        "error": {"code": "busy", "message": "try again"}}]);
    let item = call("get_item", json!({"item_id": "IT01"}));
    let achieves = json!([{"path": "/orders/$order/quantity", "equals": 3}]);
    let asked = outcome(&[find(), item, set()], achieves, json!([]));
    let edges = json!([{"before": "get_item", "after": "set_quantity"},
        {"before": "find_orders", "after": "set_quantity"}, {"before": "get_item", "after": "cancel_order"}]);
    let found = look(&Shop::new().precedence(edges).events(events).outcome(&asked));
    assert!(matches!(&found, (Some(2), Minimality::Refuted { .. })), "{found:?}");
}

#[test]
fn what_cannot_be_listed_is_said() {
    let achieves = json!([{"path": "/orders/$order/quantity", "equals": 3}]);
    let mut shop = Shop::new().outcome(&outcome(&[find(), set()], achieves, json!([])));
    shop.environment["tools"][2]["parameters"]["properties"]["quantity"] =
        json!({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"enum": ["a few"]}]});
    let found = look(&shop).1;
    assert!(
        matches!(&found, Minimality::Undecided { cut, .. } if cut.contains("set_quantity") && cut.len() == 1),
        "{found:?}"
    );
}

#[test]
fn a_search_stops_at_its_limits_and_says_so() {
    let achieves = json!([{"path": "/orders/$order/quantity", "equals": 3}]);
    let item = call("get_item", json!({"item_id": "IT01"}));
    let asked = outcome(&[find(), item, set()], achieves, json!([["24.00"]]));
    let shop = Shop::new().outcome(&asked);
    for limits in [
        Limits { nodes: 2, ..Limits::MOST },
        Limits { calls: 5, ..Limits::MOST },
        Limits { bytes: 50_000, ..Limits::MOST },
    ] {
        let found = shop.with_goal(|task, run, goal| {
            let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls());
            search_within(goal, &mut alphabet, (2, 2), limits, &mut Effort::default())
        });
        assert!(
            matches!(&found, Minimality::Undecided { depth: 0, calls, cut, .. } if *calls > 0 && cut.is_empty()),
            "{limits:?}: {found:?}"
        );
    }
}
