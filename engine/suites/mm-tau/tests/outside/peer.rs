//! The tasks are those of the peer's files: ids, initialization, gold calls, assertions, reward basis, personas.

use std::collections::BTreeSet;

use probity_engine::Actor;
use probity_mm_tau::telecom::{Assertion, Call, DealtTask, Gold, Persona, TaskSet, TelecomTask, dealt_tasks};
use serde_json::{Value, json};

fn requestor(side: Actor) -> &'static str {
    if side == Actor::User { "user" } else { "assistant" }
}

fn initialization(call: &Call) -> Value {
    json!({"env_type": requestor(call.side), "func_name": call.function, "arguments": call.arguments})
}

fn assertion(assertion: &Assertion) -> Value {
    let mut written = initialization(&assertion.call);
    written["assert_value"] = json!(assertion.expected);
    written
}

fn action(action_id: String, call: &Call, compare_args: Value) -> Value {
    let (name, arguments) = (&call.function, &call.arguments);
    json!({"action_id": action_id, "requestor": requestor(call.side), "name": name, "arguments": arguments,
        "info": null, "compare_args": compare_args})
}

fn actions(task: &TelecomTask) -> Vec<Value> {
    match task.gold() {
        Gold::Repair(calls) => calls
            .iter()
            .enumerate()
            .map(|(at, call)| action(format!("{}_{at}", call.function), call, Value::Null))
            .collect(),
        Gold::Transfer(call) => vec![action(call.function.clone(), &call, json!([]))],
    }
}

fn list<T>(items: &[T], written: fn(&T) -> Value) -> Value {
    items.iter().map(written).collect()
}

/// The peer's actions without the summary of a transfer: a sentence of the peer's, which is never compared.
fn without_summary(actions: &Value) -> Value {
    let mut actions = actions.clone();
    for action in actions.as_array_mut().unwrap() {
        action["arguments"].as_object_mut().unwrap().remove("summary");
    }
    actions
}

/// The peer's assertions without the sentences that it shows when they fail.
fn without_message(assertions: &Value) -> Value {
    let mut assertions = assertions.clone();
    for assertion in assertions.as_array_mut().unwrap() {
        assertion.as_object_mut().unwrap().remove("message");
    }
    assertions
}

fn assert_same(ours: &DealtTask, theirs: &Value) {
    let (id, task, criteria) = (ours.id(), &ours.task, &theirs["evaluation_criteria"]);
    assert_eq!(id, theirs["id"]);
    assert_eq!(probity_mm_tau::telecom::parse_id(&id), Some((task.clone(), Some(ours.persona))));
    let initial = &theirs["initial_state"]["initialization_actions"];
    assert_eq!(list(&task.initialization(), initialization).to_string(), initial.to_string(), "{id}");
    let gold = without_summary(&Value::from(actions(task)));
    assert_eq!(gold.to_string(), without_summary(&criteria["actions"]).to_string(), "{id}");
    let asserted = list(&task.assertions(), assertion);
    assert_eq!(asserted.to_string(), without_message(&criteria["env_assertions"]).to_string(), "{id}");
    assert_eq!(json!(task.reward_basis()), criteria["reward_basis"], "{id}");
    assert_eq!(ours.persona == Persona::None, theirs["user_scenario"]["persona"].is_null(), "{id}");
}

/// Compares a set with a file, task by task in order. Texts are compared, so that `2` and `2.0` differ.
fn compare(set: TaskSet, file: &str) {
    let Some(theirs) = super::vectors::json(file) else { return };
    let (ours, theirs): (Vec<DealtTask>, _) = (dealt_tasks(set).collect(), theirs.as_array().unwrap());
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).for_each(|(ours, theirs)| assert_same(ours, theirs));
}

#[test]
fn small_is_the_peers() {
    compare(TaskSet::Small, "data/telecom/tasks_small.json");
}

#[test]
fn base_is_the_peers() {
    compare(TaskSet::Base, "data/telecom/tasks_base.json");
}

#[test]
fn full_is_the_peers() {
    compare(TaskSet::Full, "data/telecom/tasks_full.json.gz");
}

#[test]
fn splits_are_the_peers() {
    let Some(splits) = super::vectors::json("data/telecom/split_tasks.json") else { return };
    for (set, name) in
        [(TaskSet::Small, "small"), (TaskSet::Base, "base"), (TaskSet::Train, "train"), (TaskSet::Paper, "test")]
    {
        let ours: BTreeSet<String> = dealt_tasks(set).map(|dealt| dealt.id()).collect();
        let theirs = splits[name].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned());
        assert_eq!(ours, theirs.collect(), "{name}");
    }
}

/// What the user knows is what the peer tells its users, found by the words for it.
#[test]
fn scenarios_know_what_the_peers_users_know() {
    let Some(theirs) = super::vectors::json("data/telecom/tasks_full.json.gz") else { return };
    for (ours, theirs) in dealt_tasks(TaskSet::Full).zip(theirs.as_array().unwrap()) {
        let told = theirs["user_scenario"]["instructions"].to_string();
        let scenario = ours.task.scenario();
        let is_told = |words: &str| told.contains(words);
        let whereabouts = scenario.whereabouts.map(|whereabouts| whereabouts.name());
        assert!(is_told(scenario.name) && is_told(scenario.phone_number));
        assert_eq!(whereabouts == Some("abroad"), is_told("abroad in"), "{}", ours.id());
        assert_eq!(whereabouts == Some("home"), is_told("at home"), "{}", ours.id());
        assert_eq!(scenario.is_without_wifi, is_told("wifi"), "{}", ours.id());
        let text = scenario.text();
        assert_eq!(text.contains("2.0 GB"), is_told("2.0 GB"), "{}", ours.id());
        assert_eq!(text.contains("pay a bill"), is_told("pay a bill"), "{}", ours.id());
    }
}
