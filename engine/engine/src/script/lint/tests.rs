use crate::case::{Reader, hold, row};
use crate::environment::Environment;
use crate::model::diagnostic::{Place, Problem};
use crate::model::pattern::CallPattern;
use crate::world::built;

const POPULATE: &str = "fn populate(db, rng, size) { db.desk = #{ limit: rng.below(size.cups) }; }";

/// What is wrong when a tool `look(cup_id, note?)` that reads has this body (from line 2 on).
fn lint(body: &str) -> Vec<String> {
    looking(body).map_or_else(texts, |(_, warnings)| texts(warnings))
}

fn looking(body: &str) -> Result<(Environment, Vec<Problem>), Vec<Problem>> {
    let file = r#"{"title": "Lint", "summary": "Cups.", "clock": "2026-01-01T00:00:00Z", "policy": [],
        "state": {
            "cups": {"key": "cup_id", "fields": {"cup_id": "string", "sips?": "integer", "lid?": LID,
                "state?": "full | empty", "tags?": "list of string", "parts?": {"type": "array", "items": LID},
                "free?": {"type": "object", "additionalProperties": {"type": "string"}}}},
            "desk": {"fields": {"limit?": "integer"}}},
        "tools": [{"name": "look", "description": "Looks.", "returns": true,
            "parameters": {"cup_id?": "string", "note?": "string"}}],
        "populate": {"sizes": {"easy": {"cups": 1}, "medium": {"cups": 2}, "hard": {"cups": 3}}}}"#;
    let lid = r#"{"type": "object", "additionalProperties": false, "properties": {"colour": {"type": "string"}}}"#;
    let script = format!("fn look(db, args) {{\n{body}\n}}\n{POPULATE}");
    built(&file.replace("LID", lid), &script, "fn first() { [\"mint\"] }")
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
    let (environment, _) = looking("db.cups[args.cup_id]").unwrap();
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
