//! Which calls an alphabet has.

use std::sync::Arc;

use serde_json::json;

use super::super::shop::Shop;
use super::*;
use probity_engine::{Shape, SlotShape};

fn calls(shop: &Shop, tool: &str, used: &[ToolCall]) -> Vec<Value> {
    shop.with_goal(|task, run, goal| {
        let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls()).with_used(used);
        let calls = alphabet.calls(task.initial()).into_iter().filter(|call| call.tool == tool);
        calls.map(|call| call.arguments).collect()
    })
}

/// A collection with a shorter key hides none with the whole name or a longer end of it.
#[test]
fn a_parameter_takes_the_keys_of_the_collection_it_is_called_after() {
    let slot =
        |name: &str, key: &str| SlotShape { name: name.into(), kind: SlotKind::Collection, key: Some(key.into()) };
    let slots = vec![slot("alarms", "id"), slot("doors", "id"), slot("items", "item_id")];
    let state = State::empty(Arc::new(Shape { slots }), 0, Vec::new());
    assert_eq!(slots_for("item_id", &state), [2]);
    assert_eq!(slots_for("old_item_id", &state), [2]);
    assert_eq!(slots_for("alarm_id", &state), [0, 1]);
    assert_eq!(slots_for("id", &state), [0, 1]);
    assert!(slots_for("paid", &state).is_empty());
    Shop::new().with_goal(|task, _, _| {
        assert_eq!(keys_for("item_id", task.initial()).unwrap_or_default(), ["IT01", "IT02", "IT03"]);
        assert_eq!(keys_for("id", task.initial()), None);
    });
}

#[test]
fn a_parameter_of_several_types_takes_values_of_each() {
    let mut shop = Shop::new();
    shop.environment["tools"][2]["parameters"]["properties"]["quantity"] = json!({"type": ["integer", "null"]});
    let quantities: BTreeSet<String> =
        calls(&shop, "set_quantity", &[]).iter().map(|arguments| arguments["quantity"].to_string()).collect();
    assert_eq!(quantities, BTreeSet::from(["3".to_owned(), "null".to_owned()]));
}

#[test]
fn what_an_agent_used_it_may_use_again() {
    let used = ToolCall::new("set_quantity".to_owned(), json!({"order_id": "OR001", "quantity": 7}));
    let again = json!({"order_id": "OR002", "quantity": 7});
    assert!(!calls(&Shop::new(), "set_quantity", &[]).contains(&again));
    assert!(calls(&Shop::new(), "set_quantity", &[used]).contains(&again));
}
