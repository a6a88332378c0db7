//! The script boundary: scripts nobody has read, run within their limits. The first line of an input says what
//! the text below it is: `body` of a tool, `expression` of a precondition, anything else a whole script. Lines that
//! start with `@` are no script but the calls that are made, as JSON: `@{"cup_id": "C001"}`.

use std::collections::BTreeMap;

use probity_engine::{Actor, Difficulty, Environment, Place, Problem, Source, Sources, State, ToolCall};
use serde_json::{Value, json};

use super::first_line;

const FILE: &str = "scripts/test/cups.rhai";
/// What a script has that does not bring its own.
const POPULATE: &str = "
fn populate(db, rng, size) {
    db.shelf = #{ height: 3 };
    for i in 0..size.cups {
        let id = \"C\" + pad(i, 3);
        db.cups[id] = #{ cup_id: id, sips: 3, tags: [\"a\"] };
    }
}
";
/// Calls at most, and the longest script, in bytes.
const MOST_CALLS: usize = 4;
const LONGEST: usize = 16 << 10;

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (first, rest) = first_line(text);
    let calls: Vec<&str> = rest.lines().filter_map(|line| line.strip_prefix('@')).take(MOST_CALLS).collect();
    let script: String = rest.split_inclusive('\n').filter(|line| !line.starts_with('@')).collect();
    if script.len() > LONGEST {
        return;
    }
    let (script, expression) = match first {
        "body" => (format!("fn drink(db, args) {{\n{script}\n}}\nfn look(db, args) {{\n{script}\n}}\n"), "true"),
        "expression" => (bodies("db.cups[args.cup_id]"), script.trim()),
        _ if script.contains("fn drink") => (script.clone(), "true"),
        _ => (format!("{script}\n{}", bodies("db.cups[args.cup_id]")), "true"),
    };
    let script = if script.contains("fn populate") { script } else { script + POPULATE };
    match environment(&script, expression) {
        Ok((environment, warnings)) => {
            warnings.iter().for_each(|problem| assert_placed(&script, problem));
            play(&environment, &calls);
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            problems.iter().for_each(|problem| assert_placed(&script, problem));
        }
    }
}

fn bodies(body: &str) -> String {
    format!("fn drink(db, args) {{ {body} }}\nfn look(db, args) {{ {body} }}\n")
}

/// Cups on a shelf, and two tools: one that may change a cup, and one that may only look.
fn environment(script: &str, expression: &str) -> Result<(Environment, Vec<Problem>), Vec<Problem>> {
    let closed = |properties: Value, required: Value| json!({"type": "object", "additionalProperties": false, "properties": properties, "required": required});
    let cup = closed(
        json!({
            "any": true, "cup_id": {"type": "string"}, "sips": {"type": "integer", "minimum": 0},
            "weight": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}
        }),
        json!(["cup_id", "sips", "tags"]),
    );
    let tool = |name: &str, effect: &str, effects: Value, claims: Value| {
        json!({
            "name": name, "description": "Does something.", "effect": effect, "effects": effects, "claims": claims,
            "returns": true, "errors": ["empty"],
            "preconditions": [{"code": "no_such_cup", "expr": expression, "message": "there is no such cup"}],
            "parameters": closed(json!({"cup_id": {"type": "string"}, "any": true}), json!(["cup_id"]))
        })
    };
    let effects = json!([{"collection": "cups", "kinds": ["create", "update", "delete"], "max_rows": 2}]);
    let file = json!({
        "format": 1, "id": "test/cups", "title": "Cups", "summary": "Cups on a shelf.",
        "clock": "2026-01-01T00:00:00Z", "policy": [],
        "state": {
            "cups": {"kind": "collection", "key": "cup_id", "item": cup},
            "shelf": {"kind": "record", "item": closed(json!({"height": {"type": "integer"}}), json!(["height"]))}
        },
        "tools": [tool("drink", "write", effects, json!(["drank"])), tool("look", "read", json!([]), json!([]))],
        "populate": {"function": "populate",
            "sizes": {"easy": {"cups": 3}, "medium": {"cups": 20}, "hard": {"cups": 200}}}
    });
    let main = Source { file: FILE.to_owned(), text: script.to_owned() };
    Environment::build(serde_json::from_value(file).unwrap(), Sources { main, libraries: BTreeMap::new() })
}

/// A problem of the script stands within the script.
fn assert_placed(script: &str, problem: &Problem) {
    let Place::Script { file, line, column } = &problem.place else { return };
    assert_eq!(file, FILE);
    let Some(before) = line.checked_sub(1) else { return };
    let found = script.split('\n').nth(before).unwrap_or_else(|| panic!("there is no line {line}: {problem:?}"));
    assert!(*column <= found.chars().count() + 1, "there is no column {column}: {problem:?}");
}

/// Makes the calls one after the other; without any, one of each tool.
fn play(environment: &Environment, calls: &[&str]) {
    let Ok(mut state) = environment.populate(Difficulty::Easy, 1) else { return };
    assert_eq!(environment.populate(Difficulty::Easy, 1).map(|again| again.hash()), Ok(state.hash()));
    let calls = if calls.is_empty() { &["{\"cup_id\": \"C001\"}"] } else { calls };
    for call in calls {
        let arguments: Value = serde_json::from_str(call).unwrap_or_else(|_| Value::from(*call));
        for tool in ["look", "drink"] {
            state = step(environment, &state, &ToolCall::new(tool, arguments.clone()));
        }
    }
}

/// One call: done twice it does the same, refused or read only it changes nothing, and what it leaves can be kept.
fn step(environment: &Environment, before: &State, call: &ToolCall) -> State {
    let hash = before.hash();
    let (one, two) = (environment.step(before, call, Actor::Agent), environment.step(before, call, Actor::Agent));
    assert_eq!((&one.result, &one.prints, &one.fired), (&two.result, &two.prints, &two.fired));
    assert_eq!((one.after.hash(), one.after.sum()), (two.after.hash(), two.after.sum()));
    assert_eq!(before.hash(), hash, "a state is never written in place");
    match &one.result {
        Ok(applied) => {
            let written = serde_json::to_string(applied.observation.as_object().unwrap_or(&serde_json::Map::new()));
            assert!(written.is_ok());
            assert_eq!(applied.delta.is_empty(), one.after.sum() == before.sum(), "a delta tells all that changed");
            assert!(call.tool == "drink" || applied.delta.is_empty());
        }
        Err(rejection) => {
            assert_eq!((one.after.hash(), one.after.sum()), (hash, before.sum()));
            let told = rejection.observation().to_string();
            assert!(!told.contains(FILE), "{told}");
        }
    }
    assert_holds(environment, &one.after);
    one.after
}

/// A state is what its schemas say, whatever was written: an empty patch of each entity is taken.
fn assert_holds(environment: &Environment, state: &State) {
    let json = state.to_json();
    let patch = json.as_object().unwrap().iter().map(|(name, part)| {
        let below = part.as_object().filter(|_| name == "cups").into_iter().flatten();
        (name.clone(), below.map(|(key, _)| (key.clone(), json!({}))).collect())
    });
    let patched = environment.patch(state, &patch.collect()).unwrap_or_else(|found| panic!("{found:?}"));
    assert_eq!((patched.to_json(), patched.sum()), (json, state.sum()));
}
