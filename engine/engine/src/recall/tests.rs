use serde_json::{Value, json};

use super::{afresh, has_run, within};
use crate::environment::Environment;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::model::ids::Difficulty;
use crate::model::rejection::RejectionKind;
use crate::state::State;
use crate::stepped::Stepped;
use crate::world::built;

/// Jars with a label and a weight, and a shelf.
fn jars() -> Environment {
    let file = r#"{"title": "Jars", "summary": "Jars.", "clock": "2026-01-01T00:00:00Z", "policy": [],
        "state": {
            "jars": {"key": "jar", "fields": {"jar": "string", "label?": "string", "grams?": "integer", "lid?": "string",
                "owner?": "string"}},
            "shelf": {"fields": {"boards?": "integer"}}},
        "tools": [
            {"name": "put", "description": "Does.", CHANGES, "parameters": {"jar?": "string", "label?": "string"}},
            {"name": "fill", "description": "Does.", CHANGES, "parameters": {"jar?": "string", "grams?": "integer"}},
            {"name": "many", "description": "Does.", CHANGES, "parameters": {"count?": "integer"}},
            {"name": "labelled", "description": "Does.", "returns": {}, "parameters": {"label?": "string"}},
            {"name": "grams", "description": "Does.", "returns": {}, "parameters": {"jar?": "string"}},
            {"name": "all_of", "description": "Does.", "returns": {}, "parameters": {"jar?": "string"}},
            {"name": "often", "description": "Does.", "returns": {}, "parameters": {"times?": "integer"}}],
        "events": [{"id": "dust", "armed_by": "often where args.times >= 0", "after_calls": 9000}],
        "populate": {"sizes": {"easy": {}, "medium": {}, "hard": {}}}}"#;
    let changes = r#""claims": ["did"], "returns": {}, "effect": "write",
        "effects": [{"collection": "jars", "kinds": ["create", "update", "delete"], "max_rows": 9000}]"#;
    let script = r#"
        fn put(db, args) { db.jars.insert(args.jar, #{ jar: args.jar, label: args.label, grams: 0, lid: "on", owner: "me" }); }
        fn fill(db, args) { db.jars[args.jar].grams = args.grams; }
        fn many(db, args) { for i in 0..args.count { let key = "m" + i; db.jars.insert(key, #{ jar: key, label: "m", grams: 0, lid: "on", owner: "me" }); } }
        fn labelled(db, args) { db.jars.where("label", args.label).map(|jar| jar.jar) }
        fn grams(db, args) { db.jars[args.jar].grams }
        fn all_of(db, args) { let jar = db.jars[args.jar]; [jar.label, jar.grams, jar.lid, jar.owner] }
        fn often(db, args) { let found = 0; for i in 0..args.times { found += db.jars.count("label", "none"); } found }
        fn populate(db, rng, size) { db.shelf = #{ boards: 2 }; }"#;
    built(&file.replace("CHANGES", changes), script, "").unwrap().0
}

fn step(world: &Environment, state: &State, tool: &str, arguments: Value) -> Stepped {
    world.step(state, &ToolCall::new(tool, arguments), Actor::Agent)
}

fn after(world: &Environment, state: &State, tool: &str, arguments: Value) -> State {
    let stepped = step(world, state, tool, arguments);
    assert!(stepped.result.is_ok(), "{:?}", stepped.result);
    stepped.after
}

/// What a call shows, and whether its script ran; it shows the same when it is run again.
fn shown(world: &Environment, state: &State, tool: &str, arguments: Value) -> (Value, bool) {
    let stepped = step(world, state, tool, arguments.clone());
    let has_run = has_run();
    let fresh = afresh(|| step(world, state, tool, arguments));
    assert_eq!(stepped.result, fresh.result);
    (stepped.result.unwrap().observation, has_run)
}

#[test]
fn a_call_runs_again_only_for_what_it_looked_at() {
    let world = jars();
    within(|| {
        let start = world.populate(Difficulty::Easy, 1).unwrap();
        let one = after(&world, &start, "put", json!({"jar": "a", "label": "plum"}));
        let two = after(&world, &one, "put", json!({"jar": "b", "label": "pear"}));
        let full = after(&world, &two, "fill", json!({"jar": "a", "grams": 500}));
        assert_eq!(shown(&world, &one, "grams", json!({"jar": "a"})), (json!(0), true));
        assert_eq!(
            shown(&world, &two, "grams", json!({"jar": "a"})),
            (json!(0), false),
            "another jar is not looked at"
        );
        assert_eq!(shown(&world, &full, "grams", json!({"jar": "a"})), (json!(500), true));
        assert_eq!(shown(&world, &two, "labelled", json!({"label": "plum"})), (json!(["a"]), true));
        assert_eq!(shown(&world, &full, "labelled", json!({"label": "plum"})), (json!(["a"]), false), "nor its weight");
        assert_eq!(shown(&world, &one, "all_of", json!({"jar": "a"})), (json!(["plum", 0, "on", "me"]), true));
        assert_eq!(shown(&world, &full, "all_of", json!({"jar": "a"})), (json!(["plum", 500, "on", "me"]), true));
        assert_eq!(shown(&world, &two, "all_of", json!({"jar": "a"})), (json!(["plum", 0, "on", "me"]), false));
    });
    let start = world.populate(Difficulty::Easy, 1).unwrap();
    step(&world, &start, "labelled", json!({"label": "plum"}));
    step(&world, &start, "labelled", json!({"label": "plum"}));
    assert!(has_run(), "nothing is kept outside");
}

#[test]
fn writes_are_done_again_to_other_states() {
    let world = jars();
    within(|| {
        let start = world.populate(Difficulty::Easy, 1).unwrap();
        let one = after(&world, &start, "put", json!({"jar": "a", "label": "plum"}));
        let other = after(&world, &start, "put", json!({"jar": "b", "label": "pear"}));
        let both = after(&world, &other, "put", json!({"jar": "a", "label": "plum"}));
        assert!(!has_run());
        assert_eq!(
            both.to_json(),
            afresh(|| after(&world, &one, "put", json!({"jar": "b", "label": "pear"}))).to_json()
        );
        let again = step(&world, &both, "put", json!({"jar": "a", "label": "plum"}));
        assert!(has_run() && again.result.is_err(), "there is an `a` already");
    });
}

/// A key may be any text: two keys are not one that reads like both.
#[test]
fn keys_are_told_apart_whatever_they_hold() {
    let world = jars();
    within(|| {
        let start = world.populate(Difficulty::Easy, 1).unwrap();
        let put =
            |state: &State, jar: &str, label: &str| after(&world, state, "put", json!({"jar": jar, "label": label}));
        for join in ["\n", " ", "\n1 ", " 1 "] {
            let two = put(&put(&start, "a", "x"), "b", "x");
            let one = put(&put(&start, &format!("a{join}b"), "x"), "c", "y");
            assert_eq!(shown(&world, &two, "labelled", json!({"label": "x"})).0, json!(["a", "b"]));
            assert_eq!(shown(&world, &one, "labelled", json!({"label": "x"})).0, json!([format!("a{join}b")]));
        }
    });
}

/// What nearly spent its fuel is not recalled in a larger state, which would have stopped it; nor is it when the cheap
/// pattern of an event is asked afterwards.
#[test]
fn what_spends_much_is_run_again() {
    let world = jars();
    within(|| {
        let start = world.populate(Difficulty::Easy, 1).unwrap();
        let small = after(&world, &start, "many", json!({"count": 300}));
        let large = after(&world, &start, "many", json!({"count": 500}));
        for times in [10, 200, 800, 1200, 1500] {
            for state in [&small, &large] {
                let made = step(&world, state, "often", json!({"times": times}));
                let fresh = afresh(|| step(&world, state, "often", json!({"times": times})));
                assert_eq!(made.result, fresh.result, "{times}");
            }
        }
        let stopped = step(&world, &large, "often", json!({"times": 1200})).result.unwrap_err();
        assert_eq!(stopped.kind, RejectionKind::LimitExceeded);
        assert!(step(&world, &small, "often", json!({"times": 1200})).result.is_ok(), "the test is about the limit");
    });
}
