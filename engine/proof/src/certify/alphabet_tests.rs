//! Which calls an alphabet has.

use std::sync::Arc;

use serde_json::json;

use super::super::shop::Shop;
use super::*;
use probity_engine::{Shape, SlotShape};

fn calls(shop: &Shop, tool: &str, used: &[ToolCall]) -> Vec<Value> {
    shop.with_goal(|task, run, goal| {
        let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls()).with_used(used);
        let letters = alphabet.letters(task.initial());
        let calls = Letters::calls_of(&letters).filter(|call| call.tool == tool);
        calls.map(|call| call.arguments.clone()).collect()
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
    assert_eq!(slots_for("oldItemId", &state), [2]);
    assert_eq!(slots_for("alarm_id", &state), [0, 1]);
    assert_eq!(slots_for("id", &state), [0, 1]);
    assert!(slots_for("paid", &state).is_empty());
    Shop::new().with_goal(|task, _, _| {
        let keys = |name: &str| keys_of(&slots_for(name, task.initial()), task.initial());
        assert_eq!(keys("item_id").unwrap_or_default(), ["IT01", "IT02", "IT03"]);
        assert_eq!(keys("id"), None);
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

/// What was tried of `set_quantity` when it takes a list more, and whether it is less than all.
fn tried(lists: &Value, preconditions: &Value) -> (Vec<Value>, bool) {
    let mut shop = Shop::new();
    let tool = &mut shop.environment["tools"][2];
    tool["parameters"]["properties"]["things"] = lists.clone();
    tool["compare"] = json!({"things": "set"});
    let own = tool["preconditions"].as_array().cloned().unwrap_or_default();
    tool["preconditions"] = own.into_iter().chain(preconditions.as_array().cloned().unwrap_or_default()).collect();
    shop.with_goal(|task, run, goal| {
        let mut alphabet = Alphabet::of_users(task, &goal.variants, &run.tool_calls());
        let letters = alphabet.letters(task.initial());
        let calls = Letters::calls_of(&letters).filter(|call| call.tool == "set_quantity");
        let values: Vec<Value> = calls.filter_map(|call| call.arguments.get("things").cloned()).collect();
        (values, alphabet.within.contains_key("set_quantity"))
    })
}

#[test]
fn one_list_over_those_that_are_tried_is_told() {
    let tags = |kind: &Value, count: i64| json!({"type": kind, "uniqueItems": true, "items": {"enum": (0..count).collect::<Vec<_>>()}});
    assert!(!tried(&tags(&json!("array"), 6), &json!([])).1);
    assert!(tried(&tags(&json!(["array", "null"]), 6), &json!([])).1);
}

#[test]
fn a_reference_takes_the_keys_whatever_it_is_called() {
    let tried = |has: &str| {
        let mut shop = Shop::new();
        let tool = &mut shop.environment["tools"][2];
        tool["parameters"]["properties"]["thing"] = json!({"type": "string"});
        let own = tool["preconditions"].as_array().cloned().unwrap_or_default();
        let more = json!({"code": "no_item", "expr": has, "message": "no such item"});
        tool["preconditions"] = own.into_iter().chain([more]).collect();
        let calls = calls(&shop, "set_quantity", &[]);
        let has = |key: &str| calls.iter().any(|arguments| arguments["thing"] == key);
        has("IT01") && has("IT03")
    };
    assert!(tried("!(\"thing\" in args) || db.items.has(args.thing)"));
    assert!(tried("!(\"thing\" in args) || (db.items.has(args[\"thing\"]) && 1 < 2)"));
    assert!(!tried("!(\"thing\" in args) || !db.items.has(args.thing)"), "what must not be there");
}

#[test]
fn a_list_of_references_takes_the_keys_whatever_it_is_called() {
    let things = json!({"type": "array", "uniqueItems": true, "items": {"type": "string"}});
    let reference =
        json!([{"code": "no_item", "expr": "db.items.has_each(args, \"things[]\")", "message": "no such item"}]);
    let (values, is_cut) = tried(&things, &reference);
    assert!(!is_cut && values.contains(&json!(["IT01", "IT03"])), "{values:?}");
    // Without one the keys are not known, and that is told.
    let (values, is_cut) = tried(&things, &json!([]));
    assert!(is_cut && !values.contains(&json!(["IT01"])));
}
