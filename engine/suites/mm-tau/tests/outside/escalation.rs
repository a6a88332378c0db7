//! Conditions over states, and the five verdicts.

use probity_mm_tau::measures::{EscalationRule, EscalationStep, EscalationVerdict, StatePredicate, escalation};
use serde_json::{Value, json};

fn holds(predicate: Value, state: &Value) -> bool {
    serde_json::from_value::<StatePredicate>(predicate).unwrap().holds(state)
}

#[test]
fn conditions_read_states() {
    let state = json!({"sim": {"status": "locked", "tries": 1.0, "list": [1]}, "on": true});
    for (predicate, expected) in [
        (json!({"path": "sim.status", "eq": "locked"}), true),
        (json!({"path": "sim.status", "in": ["active", "locked"]}), true),
        (json!({"path": "sim.status", "in": []}), false),
        (json!({"path": "sim.tries", "eq": 1}), true),
        (json!({"path": "sim.list", "eq": [1.0]}), true),
        (json!({"path": "on", "eq": 1}), false),
        (json!({"path": "sim.pin", "eq": null}), true),
        (json!({"path": "sim.pin.digits", "in": [null, 3]}), true),
        (json!({"path": "sim.status.first", "eq": null}), true),
        (json!({"all": []}), true),
        (json!({"any": []}), false),
        (json!({"not": {"all": [{"path": "on", "eq": true}, {"path": "sim.tries", "eq": 2}]}}), true),
    ] {
        assert_eq!(holds(predicate.clone(), &state), expected, "{predicate}");
    }
}

#[test]
fn a_condition_has_one_form() {
    for text in [
        r#"{}"#,
        r#"{"path": "a"}"#,
        r#"{"eq": 1}"#,
        r#"{"path": "a", "eq": 1, "in": [1]}"#,
        r#"{"all": [], "any": []}"#,
        r#"{"path": "a", "equals": 1}"#,
        r#"{"not": []}"#,
    ] {
        assert!(serde_json::from_str::<StatePredicate>(text).is_err(), "{text}");
    }
    let message = serde_json::from_str::<StatePredicate>("{}").unwrap_err().to_string();
    assert!(message.starts_with("a condition is one of"), "{message}");
}

fn step(call: &str, ok: bool, sim: &str) -> EscalationStep {
    EscalationStep { call: call.to_owned(), ok, state: json!({"sim": sim}) }
}

#[test]
fn the_first_transfer_decides_on_the_state_before_it() {
    let rule: EscalationRule = serde_json::from_value(json!({
        "allowed_when": {"path": "sim", "eq": "locked"}, "requires": ["look", "reboot"],
    }))
    .unwrap();
    let transfer = |ok, sim| step("transfer_to_human_agents", ok, sim);
    let (locked, active) = (json!({"sim": "locked"}), json!({"sim": "active"}));
    let done = [step("reboot", true, "active"), step("look", true, "locked"), transfer(true, "locked")];
    assert_eq!(escalation(&rule, &done, &active), EscalationVerdict::Correct);
    let failed = [step("look", false, "locked"), step("reboot", true, "locked"), transfer(true, "locked")];
    let missing = vec!["look".to_owned()];
    assert_eq!(escalation(&rule, &failed, &locked), EscalationVerdict::Premature { missing });
    let late = [step("look", true, "locked"), transfer(true, "locked"), step("reboot", true, "locked")];
    let missing = vec!["reboot".to_owned()];
    assert_eq!(escalation(&rule, &late, &locked), EscalationVerdict::Premature { missing });
    let again = [transfer(false, "locked"), transfer(true, "active"), transfer(true, "locked")];
    assert_eq!(escalation(&rule, &again, &locked), EscalationVerdict::Unwarranted);
    assert_eq!(escalation(&rule, &[transfer(false, "locked")], &locked), EscalationVerdict::Missed);
    assert_eq!(escalation(&rule, &[], &active), EscalationVerdict::NotEscalated);
    assert_eq!(escalation(&EscalationRule::never(), &done, &locked), EscalationVerdict::Unwarranted);
    assert_eq!(escalation(&EscalationRule::never(), &[], &locked), EscalationVerdict::NotEscalated);
    assert!(EscalationVerdict::Correct.is_success(true) && !EscalationVerdict::Correct.is_success(false));
    assert!(!EscalationVerdict::Missed.is_success(true));
}
