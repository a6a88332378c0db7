//! The environment file, with the ground of each guess beside it.

use std::collections::BTreeMap;
use std::fmt::Write;

use probity_engine::format::format;
use probity_prose::deed::participle;
use probity_prose::put_off::{is_put_off, says_nothing};
use serde_json::{Map, Value, json};

use crate::role::{Role, is_required};
use crate::script;
use crate::source::Source;
use crate::tool::{Reference, Tool};
use crate::undecided::Guess;
use crate::world::{ACTIONS, Collection, Shape, loose, name, parameters};

pub fn environment(
    id: &str,
    source: &Source,
    tools: &[Tool],
    world: &BTreeMap<String, Collection>,
    guesses: &[Guess],
) -> String {
    let mut out = String::from(
        "// Made of tools of others. What was guessed stands beside each tool, with its ground: change what is wrong.\n{\n",
    );
    let pair = |key: &str, value: &Value| format!("\"{key}\": {value},\n");
    out.push_str(&pair("title", &title(&source.title, id).into()));
    out.push_str(&pair("summary", &title(&source.summary, id).into()));
    out.push_str(&pair("clock", &"2026-03-02T09:00:00Z".into()));
    out.push_str("// Rules in words, each with what checks it: docs/FORMATS.md, section \"Policy\".\n\"policy\": [],\n\"state\": {\n");
    let parts: Vec<String> = world.iter().map(|(name, collection)| part(name, collection, guesses)).collect();
    let _ = write!(out, "{}\n}},\n\"tools\": [\n", parts.join(",\n"));
    let listed: Vec<String> = tools.iter().map(|tool| self::tool(tool, world)).collect();
    let sizes = |count: u64| -> Value {
        let counts = world.keys().filter(|name| *name != ACTIONS).map(|name| (name.clone(), count.into()));
        let mut counts: Map<String, Value> = counts.collect();
        if counts.is_empty() {
            counts.insert("each".to_owned(), count.into());
        }
        counts.into()
    };
    let sizes = json!({"easy": sizes(5), "medium": sizes(10), "hard": sizes(20)});
    let _ = write!(out, "{}\n],\n\"populate\": {{\"sizes\": {sizes}}}\n}}\n", listed.join(",\n"));
    let path = format!("environments/{id}.json");
    format(&path, &out).unwrap_or(out)
}

fn is_unwritten(text: &str) -> bool {
    says_nothing(text) || is_put_off(text)
}

fn title(text: &str, id: &str) -> String {
    let text = text.trim();
    if is_unwritten(text) { format!("The tools of {id}") } else { text.chars().take(2_000).collect() }
}

fn part(name: &str, collection: &Collection, guesses: &[Guess]) -> String {
    let mut fields = Map::new();
    fields.insert(collection.key.clone(), json!({"is": "string"}));
    for (field, schema) in &collection.fields {
        fields.insert(format!("{field}?"), schema.clone());
    }
    let mut ground = String::new();
    if collection.counts {
        ground.push_str("// Keys are whole numbers outside, and texts here.\n");
    }
    for guess in guesses.iter().filter(|guess| guess.tool == name) {
        let _ = writeln!(ground, "// {}", guess.comment());
    }
    format!(
        "{ground}\"{name}\": {{\"key\": {}, \"fields\": {}}}",
        Value::from(collection.key.as_str()),
        Value::Object(fields)
    )
}

fn tool(tool: &Tool, world: &BTreeMap<String, Collection>) -> String {
    let outer = &tool.outer;
    let mut fields = vec![("name", Value::from(outer.name.as_str()))];
    if tool.is_named_apart {
        fields.push(("function", tool.function.as_str().into()));
    }
    let described = outer.description.trim();
    let described = if is_unwritten(described) { format!("{}.", outer.name) } else { described.to_owned() };
    fields.push(("description", described.into()));
    if let Some(changes) = changes(tool, world) {
        fields.push(("changes", changes));
    }
    let (arguments, preconditions) = arguments(tool, world);
    fields.push(("parameters", arguments));
    fields.push(("returns", returns(tool, world)));
    if !preconditions.is_empty() {
        fields.push(("preconditions", preconditions.into()));
    }
    if tool.can_exist {
        fields.push(("errors", json!([format!("{}_exists", tool.part.one)])));
    }
    if tool.is_irreversible {
        fields.push(("irreversible", true.into()));
    }
    if !tool.part.reads() {
        let claim = participle(&tool.part.verb);
        fields.push(("claims", json!([claim])));
    }
    let mut out = String::new();
    for line in &tool.grounds {
        let _ = writeln!(out, "// {line}");
    }
    let fields: Vec<String> = fields.into_iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    let _ = write!(out, "{{{}}}", fields.join(", "));
    out
}

fn changes(tool: &Tool, world: &BTreeMap<String, Collection>) -> Option<Value> {
    let part = name(&tool.part.one);
    let rows = if tool.part.batch.is_some() { format!(" {MAX_BATCH}") } else { String::new() };
    let of = |kind: &str| world.contains_key(&part).then(|| json!({&part: format!("{kind}{rows}")}));
    match tool.part.role {
        Role::List | Role::Get | Role::Look => None,
        Role::Create => of("create"),
        Role::Update => of("update"),
        Role::Delete => of("delete"),
        Role::Act => Some(json!({ACTIONS: "create"})),
    }
}

/// Most entities that one call makes or removes.
const MAX_BATCH: usize = 100;

/// Names that would make a list of parameters look like a JSON Schema.
#[rustfmt::skip]
const KEYWORDS: [&str; 14] = [
    "type", "properties", "required", "items", "enum", "const", "anyOf", "allOf", "oneOf", "not", "$ref", "is", "fields",
    "additionalProperties",
];

/// The parameters, those that name an entity as references, and what is refused where that does not go.
pub fn arguments(tool: &Tool, world: &BTreeMap<String, Collection>) -> (Value, Vec<Value>) {
    let parameters = parameters(&tool.outer);
    let references = tool.references(world);
    let named = |parameter: &String| references.iter().find(|reference| reference.parameter == *parameter);
    let is_whole = parameters.iter().any(|(name, _)| name.ends_with('?') || KEYWORDS.contains(&name.as_str()));
    let mut preconditions = Vec::new();
    let mut short = Map::new();
    for (parameter, schema) in parameters {
        let is_required = is_required(&tool.outer, parameter);
        let key = if is_required { parameter.clone() } else { format!("{parameter}?") };
        let is_text = schema.get("type") == Some(&Value::from("string"));
        match named(parameter) {
            Some(own) if is_text && !is_whole && !own.is_further && script::is_after_dot(parameter) => {
                let mut reference = Map::new();
                reference.insert("is".to_owned(), format!("ref {} unseen", own.part).into());
                reference.extend(schema.get("description").map(|text| ("description".to_owned(), text.clone())));
                short.insert(key, reference.into());
            }
            Some(Reference { part, collection, code, .. }) => {
                short.insert(key, of_key(schema));
                let name = Value::from(parameter.as_str());
                let given = if is_required { String::new() } else { format!("!({name} in args) || ") };
                let text = if is_text { "" } else { ".to_string()" };
                preconditions.push(json!({
                    "code": code,
                    "expr": format!("{given}db.{part}.has(args[{name}]{text})"),
                    "message": format!("there is no {} with this id", collection.one.replace('_', " ")),
                }));
            }
            None => {
                let is_open = schema.as_object().is_none_or(Map::is_empty);
                short.insert(key, if is_open { json!({"description": "anything"}) } else { schema.clone() });
            }
        }
    }
    if is_whole {
        let mut whole = tool.outer.input.clone();
        for (parameter, schema) in whole.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            if named(parameter).is_some() {
                *schema = of_key(schema);
            }
        }
        (Value::Object(whole), preconditions)
    } else {
        (Value::Object(short), preconditions)
    }
}

/// The schema of a parameter that names an entity: keys are ours here, and have no form of the source's.
pub fn of_key(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(own) = &mut schema {
        ["format", "pattern", "minLength", "maxLength"].iter().for_each(|key| drop(own.remove(*key)));
    }
    schema
}

fn returns(tool: &Tool, world: &BTreeMap<String, Collection>) -> Value {
    let part = name(&tool.part.one);
    let is_there = world.contains_key(&part);
    match &tool.shape {
        Shape::Entity if is_there => part.into(),
        Shape::Entities if is_there => format!("list of {part}").into(),
        Shape::Within(field) if is_there => json!({"fields": {field: part}}),
        Shape::ListWithin(field) if is_there => json!({"fields": {field: format!("list of {part}")}}),
        _ => match (&tool.outer.output, tool.part.role, &tool.part.id) {
            (Some(output), ..) => match loose(output) {
                Value::Object(map) if !map.is_empty() => Value::Object(map),
                _ => json!({"type": "object", "additionalProperties": {}}),
            },
            (None, Role::Delete, Some(id)) => {
                let schema =
                    crate::world::parameter(&tool.outer, id).map(loose).unwrap_or_else(|| json!({"type": "string"}));
                json!({"fields": {id: schema, "deleted": "boolean"}})
            }
            (None, Role::Act, _) => json!({"fields": {"done": "boolean"}}),
            _ => json!({"type": "object", "properties": {}, "additionalProperties": false}),
        },
    }
}
