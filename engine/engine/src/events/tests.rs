use serde_json::{Value, json};

use crate::environment::Environment;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::model::ids::Difficulty;
use crate::model::rejection::RejectionKind;
use crate::state::State;
use crate::stepped::Stepped;
use crate::sum::Sum;
use crate::world::built;

/// One cup with three sips and a tool that takes one; these events.
fn environment(events: &Value) -> Environment {
    let file = r#"{"title": "Events", "summary": "A cup.", "clock": "2026-01-01T00:00:00Z", "policy": [],
        "state": {"cup": {"fields": {"sips": "integer"}}},
        "tools": [{"name": "sip", "description": "Sips.", "changes": {"cup": "update"}, "parameters": {},
            "returns": "integer", "claims": ["sipped"]}],
        "events": EVENTS, "populate": {"sizes": {"easy": {}, "medium": {}, "hard": {}}}}"#;
    let script = "fn sip(db, args) { db.cup.sips -= 1; db.cup.sips }
        fn populate(db, rng, size) { db.cup = #{ sips: 3 }; }
        fn refill(db) { db.cup.sips = 9; }
        fn endless(db) { loop { } }
        fn holds_long(db) { loop { } true }";
    built(&file.replace("EVENTS", &events.to_string()), script, "").unwrap().0
}

fn sip(environment: &Environment, state: &State) -> Stepped {
    environment.step(state, &ToolCall::new("sip", json!({})), Actor::Agent)
}

fn start(environment: &Environment) -> State {
    environment.populate(Difficulty::Easy, 1).unwrap()
}

fn refusal(stepped: Stepped) -> (RejectionKind, String) {
    let rejection = stepped.result.unwrap_err();
    (rejection.kind, rejection.detail.unwrap_or_default())
}

#[test]
fn an_event_is_armed_by_the_state_before_the_call() {
    let arming = |sips: u32| json!([{"id": "more", "armed_by": format!("sip where db.cup.sips == {sips}"), "function": "refill"}]);
    let armed = environment(&arming(3));
    let first = sip(&armed, &start(&armed));
    let second = sip(&armed, &first.after);
    assert_eq!(second.fired.len(), 1);
    let unarmed = environment(&arming(2));
    let first = sip(&unarmed, &start(&unarmed));
    assert_eq!(sip(&unarmed, &first.after).fired.len(), 0);
}

#[test]
fn a_pattern_that_faults_refuses_the_call_it_would_judge() {
    let armed_by = environment(&json!([{"id": "more", "armed_by": "sip where db.cup.sips", "function": "refill"}]));
    let before = start(&armed_by);
    let stepped = sip(&armed_by, &before);
    assert_eq!(stepped.after.sum(), before.sum());
    let (kind, detail) = refusal(stepped);
    assert_eq!(
        (kind, detail.as_str()),
        (RejectionKind::ScriptFault, "a predicate must be true or false, and this comes to a whole number")
    );

    let event =
        |after_calls: u32| json!([{"id": "more", "fires_before": "sip where db.cup.sips", "after_calls": after_calls}]);
    let due = environment(&event(0));
    assert_eq!(refusal(sip(&due, &start(&due))).0, RejectionKind::ScriptFault);
    // While it is not due it judges nothing.
    let waiting = environment(&event(1));
    assert!(sip(&waiting, &start(&waiting)).result.is_ok());
}

#[test]
fn patterns_and_events_without_end_exceed_the_limit() {
    for event in [
        json!({"id": "more", "function": "endless"}),
        json!({"id": "more", "fires_before": "sip where holds_long(db)"}),
        json!({"id": "more", "armed_by": "sip where holds_long(db)"}),
    ] {
        let environment = environment(&json!([event]));
        let (kind, detail) = refusal(sip(&environment, &start(&environment)));
        assert_eq!((kind, detail.as_str()), (RejectionKind::LimitExceeded, "too many operations (500000 is the most)"));
    }
}

/// The form of docs/FORMATS.md, "The hash of a state"; the two texts are written by hand.
#[test]
fn the_hash_of_a_state_can_be_recomputed() {
    let events =
        json!([{"id": "more", "armed_by": "sip", "after_calls": 2}, {"id": "less", "armed_by": "sip where false"}]);
    let environment = environment(&events);
    let sum = |moving: &str, cup: &str| {
        let mut sum = Sum::of(moving);
        sum += Sum::of(cup);
        sum
    };
    let before = start(&environment);
    assert_eq!(before.sum(), sum("clock 1767225600 events unarmed,unarmed", "cup\0\0{\"sips\":3}"));
    let first = sip(&environment, &before).after;
    assert_eq!(first.sum(), sum("clock 1767225600 events 0,unarmed", "cup\0\0{\"sips\":2}"));
    let later = (0..3).fold(first, |state, _| sip(&environment, &state).after);
    assert_eq!(later.sum(), sum("clock 1767225600 events fired,unarmed", "cup\0\0{\"sips\":-1}"));
}
