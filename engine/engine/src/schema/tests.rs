use super::*;
use crate::case::{Reader, hold, pair, row, yes};
use crate::model::diagnostic::Place;
use serde_json::json;

/// `path code: message (help)` for each problem.
fn refusals(schema: &Value) -> Vec<String> {
    Schema::compile(schema).err().into_iter().flatten().map(text).collect()
}

fn text(problem: Problem) -> String {
    let path = match &problem.place {
        Place::Pointer(path) => path.clone(),
        Place::Key(path) => format!("key {path}"),
        Place::Script { .. } => unreachable!("schemas are no scripts"),
    };
    let help = problem.help.map_or_else(String::new, |help| format!(" ({help})"));
    format!("{path} {}: {}{help}", problem.code, problem.message)
}

fn read(text: &str) -> Value {
    serde_json::from_str(&text.replace("SLIP", r#"{"requird": ["a"]}"#)).unwrap()
}

fn refused(schema: &str) -> String {
    row(refusals(&read(schema)), " + ")
}

fn places(schema: &str) -> String {
    let mut places: Vec<String> =
        refusals(&read(schema)).iter().filter_map(|text| text.split(' ').nth(1).map(str::to_owned)).collect();
    places.sort_unstable();
    row(places, " ")
}

fn is_short(field: &str) -> String {
    let found = refusals(&json!({"type": "object", "properties": {"methodId": read(field)}}));
    yes(found.iter().any(|line| line.contains("there are no short forms") && line.contains("\"fields\": {..}")))
}

fn violations(text: &str) -> String {
    let (schema, value) = pair(text);
    let (schema, value) = (Schema::compile(&read(schema)).unwrap(), read(value));
    let violations = schema.violations(&value);
    assert_eq!(schema.is_valid(&value), violations.is_empty());
    row(violations.into_iter().map(Violation::into_problem).map(self::text), " + ")
}

fn filled(text: &str) -> String {
    let (schema, arguments) = pair(text);
    let (schema, mut arguments) = (read(schema), read(arguments));
    assert_eq!(has_defaults(&schema), text.contains("default"));
    fill_defaults(&schema, arguments.as_object_mut().unwrap());
    arguments.to_string()
}

#[test]
fn schemas_and_values_are_judged_as_the_cases_say() {
    let readers: [(&str, Reader); 5] =
        [("schema", refused), ("places", places), ("short", is_short), ("value", violations), ("filled", filled)];
    hold(include_str!("cases.txt"), &readers);
}

#[test]
fn a_schema_is_shared_between_threads() {
    fn shared<T: Clone + Send + Sync>(_: &T) {}
    let schema = Schema::compile(&json!({"type": "string"})).unwrap();
    shared(&schema);
    assert!(schema.clone().is_valid(&json!("a")));
    assert_eq!(format!("{schema:?}"), r#"Schema(Object {"type": String("string")})"#);
}

#[test]
fn references_that_multiply_are_refused() {
    let doubling = |levels: usize| {
        let next = |i: usize| json!({"properties": {"x": {"$ref": format!("#/$defs/d{}", i + 1)}}});
        let level = |i: usize| if i + 1 == levels { json!({}) } else { json!({"anyOf": [next(i), next(i)]}) };
        let defs: Map<String, Value> = (0..levels).map(|i| (format!("d{i}"), level(i))).collect();
        json!({"$ref": "#/$defs/d0", "$defs": defs})
    };
    assert!(Schema::compile(&doubling(8)).is_ok());
    let found = refusals(&doubling(30));
    assert!(found.iter().any(|line| line.starts_with(" schema_too_large")), "{found:?}");
    let chain: Map<String, Value> =
        (0..9000).map(|i| (format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", (i + 1).min(8999))}))).collect();
    let found = refusals(&json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": chain}));
    assert!(found.iter().any(|line| line.contains("more than 128 schemas")));
}

#[test]
fn what_a_value_is_held_against_has_an_end() {
    let too_large = |schema: &Value| refusals(schema).iter().any(|line| line.starts_with(" schema_too_large"));
    for (keyword, around) in
        [("unevaluatedProperties", "anyOf"), ("unevaluatedItems", "oneOf"), ("unevaluatedProperties", "allOf")]
    {
        let nested = |deep: usize| {
            (0..deep).fold(json!({"type": "object"}), |below, _| json!({around: [below], keyword: false}))
        };
        assert!(Schema::compile(&nested(3)).is_ok());
        assert!(too_large(&nested(28)), "{keyword}");
    }
    assert!(too_large(&json!({"enum": (0..20_000).collect::<Vec<i64>>()})));
    let names: Vec<String> = (0..9000).map(|i| format!("n{i}")).collect();
    assert!(too_large(&json!({"required": names, "dependentRequired": {"a": names, "b": names}})));
    let patterns: Map<String, Value> = (0..2000).map(|i| (format!("^a{i}"), json!(true))).collect();
    assert!(too_large(&json!({"patternProperties": patterns})));
    for pattern in [r"^\w{1,200}@\w+$", "^[A-Z]{3}-[0-9]{4}$", "^.{1,500}$", "^[a-z ]{1,1000}$"] {
        assert!(Schema::compile(&json!({"pattern": pattern})).is_ok(), "{pattern}");
    }
    for pattern in ["^(([a-z]{1,100}){1,100}){1,100}$", "^.{100000}$"] {
        let found = refusals(&json!({"pattern": pattern}));
        assert!(found.iter().any(|line| line.contains("is not a pattern")), "{found:?}");
    }
}
