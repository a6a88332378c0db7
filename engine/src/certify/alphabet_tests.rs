//! Which calls an alphabet has.

use serde_json::json;

use super::super::shop::Shop;
use super::*;

fn calls(shop: &Shop, tool: &str, used: &[ToolCall]) -> Vec<Value> {
    shop.with_goal(|task, run, goal| {
        let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls()).with_used(used);
        let calls = alphabet.calls(task.initial()).into_iter().filter(|call| call.tool == tool);
        calls.map(|call| call.arguments).collect()
    })
}

/// `till_item_id` ends with the key of items, `item_id` is it; a collection with a shorter key hides neither.
#[test]
fn a_parameter_takes_the_keys_of_the_collection_it_is_called_after() {
    let shop = Shop::new();
    shop.with_goal(|task, _, _| {
        let keys = |name| keys_for(name, task.initial()).unwrap_or_default();
        assert_eq!(keys("item_id"), ["IT01", "IT02", "IT03"]);
        assert_eq!(keys("till_item_id"), ["IT01", "IT02", "IT03"]);
        assert_eq!(keys("order_id"), ["OR001", "OR002", "OR003", "OR004"]);
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
