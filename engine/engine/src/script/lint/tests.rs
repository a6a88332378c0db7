use std::collections::BTreeMap;

use serde_json::json;

use crate::case::{Reader, hold, row};
use crate::environment::Environment;
use crate::model::diagnostic::{Place, Problem};
use crate::model::pattern::CallPattern;
use crate::script::sources::{Source, Sources};

const POPULATE: &str = "fn populate(db, rng, size) { db.desk = #{ limit: rng.below(size.cups) }; }";

/// What is wrong when a tool `look(cup_id, note?)` that reads has this body (from line 2 on).
fn lint(body: &str) -> Vec<String> {
    built(body).map_or_else(texts, |(_, warnings)| texts(warnings))
}

fn built(body: &str) -> Result<(Environment, Vec<Problem>), Vec<Problem>> {
    let text = format!("fn look(db, args) {{\n{body}\n}}\n{POPULATE}");
    let part = |properties| json!({"type": "object", "additionalProperties": false, "properties": properties});
    let lid = part(json!({"colour": {"type": "string"}}));
    let cup = json!({
        "type": "object", "additionalProperties": false, "required": ["cup_id"],
        "properties": {"cup_id": {"type": "string"}, "sips": {"type": "integer"}, "lid": lid,
            "state": {"type": "string", "enum": ["full", "empty"]},
            "tags": {"type": "array", "items": {"type": "string"}}, "parts": {"type": "array", "items": lid},
            "free": {"type": "object", "additionalProperties": {"type": "string"}}}
    });
    let file = json!({
        "format": 1, "id": "test/lint", "title": "Lint", "summary": "Cups.", "clock": "2026-01-01T00:00:00Z",
        "policy": [], "populate": {"function": "populate", "sizes": {"easy": {"cups": 1}, "medium": {"cups": 2}, "hard": {"cups": 3}}},
        "state": {
            "cups": {"kind": "collection", "key": "cup_id", "item": cup},
            "desk": {"kind": "record", "item": part(json!({"limit": {"type": "integer"}}))}},
        "tools": [{"name": "look", "description": "Looks.", "effect": "read", "returns": true,
            "parameters": part(json!({"cup_id": {"type": "string"}, "note": {"type": "string"}}))}]
    });
    let main = Source { file: "main".to_owned(), text };
    let library = Source { file: "tea".to_owned(), text: "fn first() { [\"mint\"] }".to_owned() };
    Environment::build(
        serde_json::from_value(file).unwrap(),
        Sources { main, libraries: BTreeMap::from([("tea".to_owned(), library)]) },
    )
}

fn texts(problems: Vec<Problem>) -> Vec<String> {
    let text = |problem: Problem| {
        let place = match &problem.place {
            Place::Script { file, line, column } => format!("{file}:{line}:{column}"),
            Place::Pointer(pointer) | Place::Key(pointer) => pointer.clone(),
        };
        format!("{place} {}: {}", problem.code, problem.message)
    };
    problems.into_iter().map(text).collect()
}

/// The same without its places.
fn look(body: &str) -> String {
    row(lint(body).iter().map(|text| text.split_once(' ').unwrap().1), " + ")
}

/// The codes alone.
fn code(body: &str) -> String {
    row(lint(body).iter().map(|text| text.split([' ', ':']).nth(3).unwrap()), " ")
}

fn value(body: &str) -> String {
    row(lint(body).iter().filter(|found| !found.contains("unused_variable")), " + ")
}

fn pattern(text: &str) -> String {
    let (environment, _) = built("db.cups[args.cup_id]").unwrap();
    row(environment.pattern(&text.parse::<CallPattern>().unwrap()).err().map(|problem| problem.message), "")
}

#[test]
fn scripts_are_read_as_the_cases_say() {
    let readers: [(&str, Reader); 4] = [("look", look), ("code", code), ("value", value), ("pattern", pattern)];
    hold(include_str!("cases.txt"), &readers);
}

/// The arguments of a method are read once: twice, and twenty pushes within each other take seconds.
#[test]
fn nested_pushes_are_read_once() {
    let nested = (0..20).fold("1".to_owned(), |inner, _| format!("o.push({inner})"));
    assert_eq!(lint(&format!("let o = []; {nested}; o")), Vec::<String>::new());
}
