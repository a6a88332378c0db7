//! Scripts that mean harm, or mean well and go wrong: each becomes a typed rejection, and the state stays.

use std::collections::BTreeMap;

use probity_engine::{
    Actor, Applied, Difficulty, Environment, Rejection, RejectionKind, Source, Sources, State, Stepped, ToolCall,
};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::support::{cases, contents};

#[path = "../../prose/src/case.rs"]
#[expect(dead_code, reason = "its cases have one text each")]
mod case;

const HELPERS: &str = r#"
fn forever(n) { forever(n + 1) }
fn deep(n) { if n == 0 { 1 } else { #{ below: deep(n - 1) } } }
fn nest(n) { let value = 1; for i in 0..n { value = [value]; } value }
fn populate(db, rng, size) {
    for i in 0..size.cups {
        let id = "C" + pad(i, 3);
        db.cups[id] = #{ cup_id: id, sips: 3, tags: [] };
    }
}
"#;

/// An environment with one tool, `harm`, that may change one cup; `body` is what it does first.
fn environment(effect: &str, body: &str) -> Result<Environment, Vec<String>> {
    let closed = |properties: Value, required: Value| json!({"type": "object", "additionalProperties": false, "properties": properties, "required": required});
    let cup = json!({
        "any": true, "cup_id": {"type": "string"}, "sips": {"type": "integer", "minimum": 0}, "weight": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}}
    });
    let mut tool = json!({
        "name": "harm", "description": "Does harm.", "effect": effect, "returns": true, "errors": ["empty"],
        "parameters": closed(json!({"cup_id": {"type": "string"}}), json!(["cup_id"]))
    });
    if effect == "write" {
        tool["effects"] = json!([{"collection": "cups", "kinds": ["update"], "max_rows": 1}]);
        tool["claims"] = json!(["harmed"]);
    }
    let file = json!({
        "format": 1, "id": "test/hostile", "title": "Hostile", "summary": "A cup.", "clock": "2026-01-01T00:00:00Z",
        "policy": [], "state": {"cups": {"kind": "collection", "key": "cup_id",
            "item": closed(cup, json!(["cup_id", "sips", "tags"]))}},
        "tools": [tool],
        "populate": {"function": "populate", "sizes": {"easy": {"cups": 2}, "medium": {"cups": 20}, "hard": {"cups": 200}}}
    });
    let text = format!("fn harm(db, args) {{\nlet cup = db.cups[args.cup_id];\n{body}\n}}\n{HELPERS}");
    let main = Source { file: "scripts/test/hostile.rhai".to_owned(), text };
    let file = serde_json::from_value(file).unwrap();
    let built = Environment::build(file, Sources { main, libraries: BTreeMap::new() });
    built
        .map(|(environment, _)| environment)
        .map_err(|problems| problems.into_iter().map(|p| p.code.to_owned()).collect())
}

/// The state before the one call, and what comes of it.
fn stepped(environment: &Environment) -> (State, Stepped) {
    let before = environment.populate(Difficulty::Easy, 1).unwrap();
    let call = ToolCall { tool: "harm".to_owned(), arguments: json!({"cup_id": "C001"}) };
    let stepped = environment.step(&before, &call, Actor::Agent);
    (before, stepped)
}

fn applied(environment: &Environment) -> Applied {
    stepped(environment).1.result.unwrap()
}

fn rejected(environment: &Environment) -> Rejection {
    let (before, stepped) = stepped(environment);
    assert_eq!(stepped.after.hash(), before.hash(), "a refused call leaves the state as it was");
    assert_eq!(stepped.after.sum(), before.sum());
    stepped.result.expect_err("the call is refused")
}

/// What keeps an environment with this body from being built.
fn codes(built: Result<Environment, Vec<String>>) -> String {
    case::row(built.err().unwrap_or_default(), ", ")
}

/// Asserts how a body is refused, and that the agent is told nothing of the host.
fn refused(body: &str, kind: RejectionKind, detail: &str) {
    let built = environment("write", body).unwrap_or_else(|codes| panic!("{body}: {codes:?}"));
    let rejection = rejected(&built);
    let found = rejection.detail.clone().unwrap_or_default();
    assert_eq!(rejection.kind, kind, "{body}\n{found}");
    assert!(found.contains(detail), "{body}\nexpected: {detail}\nfound: {found}");
    let told = serde_json::to_string(&rejection.observation()).unwrap();
    assert!(!told.contains(".rhai") && !told.contains("Rhai") && !told.contains("position"), "{told}");
}

/// A body that is to be refused, and how.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    #[serde(rename = "of")]
    _of: String,
    kind: RejectionKind,
    says: String,
    body: String,
}

#[test]
fn hostile_bodies_are_refused_as_the_table_says() {
    let table: Vec<Body> =
        contents(cases("hostile.jsonl")).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(table.len() > 100, "{}", table.len());
    table.par_iter().for_each(|row| refused(&row.body, row.kind, &row.says));
}

#[test]
fn failures_carry_their_code_and_undo_everything() {
    let body = "cup.sips = 0; if cup.sips == 0 { fail(\"empty\", \"the cup is empty\"); } cup";
    let rejection = rejected(&environment("write", body).unwrap());
    assert_eq!((rejection.kind, rejection.code.as_str()), (RejectionKind::ToolFailed, "empty"));
    let swallowed = "try { fail(\"empty\", \"no\"); } catch (error) { throw error; } cup";
    let rejection = rejected(&environment("write", swallowed).unwrap());
    assert_eq!(rejection.kind, RejectionKind::ToolFailed);
}

#[test]
fn a_read_that_hides_its_write_from_the_lint_is_refused_when_it_writes() {
    let hidden = "let cups = #{ all: db.cups.values() };\n\
        try { for c in cups.all { c.sips = 7; } } catch { }\n1";
    let built = environment("read", hidden).unwrap();
    let rejection = rejected(&built);
    assert_eq!(rejection.kind, RejectionKind::EffectViolation);
}

#[test]
fn a_handle_in_the_place_of_another_is_a_copy_or_an_error() {
    let build = |body: &str| environment("write", body).unwrap();
    let environment = build("db.cups[\"C000\"] = cup; 1");
    let rejection = rejected(&environment);
    assert!(rejection.detail.unwrap().contains("must repeat the key `C000`"));
    // A handle that is put where it stands is no write.
    let environment = build("db.cups[\"C001\"] = cup; db.cups = db.cups; db.cups[\"C001\"].sips = 3; 1");
    assert!(applied(&environment).delta.is_empty());
}

/// A tool that writes, with this precondition; its body hands its arguments out.
fn guarded(precondition: &str) -> Result<Environment, Vec<String>> {
    let base = environment("write", "cup.sips = 1; return args;").unwrap();
    let mut file = base.file().clone();
    let precondition = json!([{"code": "guarded", "message": "No.", "expr": precondition}]);
    file.tools[0].preconditions = serde_json::from_value(precondition).unwrap();
    Environment::build(file, base.sources().clone())
        .map(|(environment, _)| environment)
        .map_err(|problems| problems.into_iter().map(|p| p.code.to_owned()).collect())
}

#[test]
fn a_precondition_reads_arguments_of_its_own() {
    let environment = guarded("args.remove(\"cup_id\") == \"C001\"").unwrap();
    assert_eq!(applied(&environment).observation, json!({"cup_id": "C001"}));
}

#[test]
fn mathematics_that_is_alike_on_all_machines_is_there() {
    let exact = "[floor(1.5), 1.5.ceiling(), (2.5).round, sqrt(2.25), to_int(-1.9), to_float(3), parse_int(\"7\"),
        parse_int(\"ff\", 16), 1.75.fraction(), abs(-2), min(1, 2), max(1.5, 2.5), parse_float(\"0.5\"), 1.5.int()]";
    let environment = environment("read", exact).unwrap();
    assert_eq!(applied(&environment).observation, json!([1, 2, 3, 1.5, -1, 3, 7, 255, 0.75, 2, 1, 2.5, 0.5, 1]));
}

/// A script with what is too long for a line: lists, names, texts.
fn grown(body: &str) -> String {
    let each = |count: usize, one: fn(usize) -> String| (0..count).map(one).collect::<String>();
    let items = |count: usize| vec!["#{a: 1}"; count].join(", ");
    let parts = [
        ("<ARMS>", each(20_000, |i| format!("{i} => {i},\n"))),
        ("<STATEMENTS>", "let n = 1; n += 1;\n".repeat(100_000)),
        ("<NAMES>", each(300, |i| format!("a{i}, "))),
        ("<TEXT>", "x".repeat(5_000)),
        ("<KEY>", "k".repeat(65)),
        ("<KEYS>", each(300, |i| format!("k{i}: cup, "))),
        ("<LIST>", items(900)),
        ("<FEW>", items(90)),
    ];
    parts.iter().fold(body.to_owned(), |body, (name, text)| body.replace(name, text))
}

#[test]
fn scripts_are_refused_before_they_run_as_the_cases_say() {
    let readers: [(&str, case::Reader); 3] = [
        ("read", |body| codes(environment("read", &grown(body)))),
        ("write", |body| codes(environment("write", &grown(body)))),
        ("guard", |precondition| codes(guarded(&grown(precondition)))),
    ];
    case::hold(include_str!("cases/unbuilt.txt"), &readers);
}

#[test]
fn populate_writes_no_more_than_it_may() {
    let base = environment("write", "cup").unwrap();
    let mut file = base.file().clone();
    let easy = BTreeMap::from([("cups".to_owned(), 1_000_000)]);
    file.populate.sizes.insert(Difficulty::Easy, easy);
    let refused = Environment::build(file, base.sources().clone()).err().unwrap();
    assert!(refused.iter().any(|problem| problem.code == "count_too_large"), "{refused:?}");
    let mut endless = base.sources().clone();
    endless.main.text =
        endless.main.text.replace("for i in 0..size.cups {", "loop { pad(1, 3); } for i in 0..size.cups {");
    let (environment, _) = Environment::build(base.file().clone(), endless).unwrap();
    assert_eq!(environment.populate(Difficulty::Easy, 1).err().unwrap(), "too many operations (2000000 is the most)");
}
