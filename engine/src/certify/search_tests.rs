//! The search for shorter solutions beside a naive one that tries every trace.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::minimality::{Effort, Minimality, minimality};
use super::*;
use crate::load::suite::Suite;
use crate::task::Task;
use crate::task::oracle::play;

const ENVIRONMENT: &str = include_str!("../../tests/cases/base/environments/shop/counter.json");
const SCRIPT: &str = include_str!("../../tests/cases/base/scripts/shop/counter.rhai");
const LIBRARY: &str = include_str!("../../tests/cases/base/scripts/lib/goods.rhai");
const TASK: &str = include_str!("../../tests/cases/base/tasks/shop/counter/more_teapots.json");

/// The shop with other constraints and another outcome.
fn suite(precedence: &Value, outcome: &Value) -> Suite {
    let mut environment: Value = serde_json::from_str(ENVIRONMENT).unwrap();
    environment["constraints"] = json!({"precedence": precedence});
    let mut task: Value = serde_json::from_str(TASK).unwrap();
    for (key, value) in outcome.as_object().unwrap() {
        task["outcomes"][0][key] = value.clone();
    }
    let files = [
        ("environments/shop/counter.json", environment.to_string()),
        ("scripts/shop/counter.rhai", SCRIPT.to_owned()),
        ("scripts/lib/goods.rhai", LIBRARY.to_owned()),
        ("tasks/shop/counter/more_teapots.json", task.to_string()),
    ];
    Suite::from_files(files.map(|(path, text)| (path.to_owned(), text)).into(), Vec::new())
}

/// The length of the shortest trace of at most `most` calls that solves the goal, by trying all.
fn naive(goal: &Goal, alphabet: &mut Alphabet, most: usize) -> Option<usize> {
    let mut layer = vec![goal.start()];
    for length in 0..=most {
        if layer.iter().any(|position| goal.failing(position).is_empty()) {
            return Some(length);
        }
        let follow = |position: &Position| -> Vec<Position> {
            alphabet.calls(&position.state).iter().filter_map(|call| position.after(goal, call).ok()).collect()
        };
        layer = if length < most { layer.iter().flat_map(follow).collect() } else { Vec::new() };
    }
    None
}

fn compare(task: &Task) -> (Option<usize>, Minimality) {
    let run = play(task, &task.outcomes()[0]).map_err(|fault| format!("{fault:?}")).unwrap();
    let goal = Goal::of_outcome(task, 0, &run).remove(0);
    let budget = run.calls.len();
    let mut alphabet = Alphabet::of_users(task, &goal.variants, &[&run]);
    let shortest = naive(&goal, &mut alphabet, budget - 1);
    (shortest, minimality(&goal, &mut alphabet, budget, &mut Effort::default()))
}

fn any_outcome() -> impl Strategy<Value = Value> {
    let find = json!({"tool": "find_orders", "arguments": {"customer": "Mara Weber"}});
    let item = json!({"tool": "get_item", "arguments": {"item_id": "IT01"}});
    let set = json!({"tool": "set_quantity", "arguments": {"order_id": "$order", "quantity": 3}});
    let cancel = json!({"tool": "cancel_order", "arguments": {"order_id": "$order"}});
    let calls = prop::sample::subsequence(vec![find, item, set, cancel], 1..=3);
    let quantity = json!({"path": "/orders/$order/quantity", "equals": 3});
    let changed = json!({"path": "/orders/$order/quantity", "changed": true});
    let cancelled = json!({"path": "/orders/$order/status", "equals": "cancelled"});
    let achieves = prop::sample::subsequence(vec![quantity, changed, cancelled], 0..=2);
    let says = prop::sample::subsequence(vec![json!(["24.00"]), json!(["stars", "plain"]), json!(["3"])], 0..=2);
    (calls, achieves, says).prop_map(|(calls, achieves, says)| {
        json!({"budget": calls.len(), "oracle": calls, "achieves": achieves, "preserves": [],
            "must_say": if achieves.is_empty() && says.is_empty() { vec![json!(["24.00"])] } else { says },
            "replies": ["It is plain and 24.00 EUR.", "Now there are 3."]})
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// What the search leaves out is never part of a shortest solution: it finds a shorter one exactly when there is one.
    #[test]
    fn it_finds_what_trying_everything_finds(outcome in any_outcome(), precedence in any_precedence()) {
        let suite = suite(&precedence, &outcome);
        let task = suite.tasks.values().next();
        prop_assume!(task.is_some());
        let task = &task.unwrap().task;
        prop_assume!(play(task, &task.outcomes()[0]).is_ok());
        let (shortest, found) = compare(task);
        match shortest {
            Some(length) => prop_assert!(
                matches!(&found, Minimality::Refuted { calls } if calls.len() == length),
                "{length} calls do, the search says {found:?}"
            ),
            None => prop_assert!(matches!(found, Minimality::Proved { .. }), "{found:?}"),
        }
    }
}
