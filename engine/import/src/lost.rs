//! What of the keywords of a tool's schemas does not stand in the environment: returned entities have one schema for all
//! tools, and keys have no form of the source's.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::environment::{arguments, of_key};
use crate::tool::Tool;
use crate::world::{Collection, Shape, entity, loose, name, parameter};

/// What is lost, in words that are the same for all tools of which the same is.
pub fn lost(tool: &Tool, world: &BTreeMap<String, Collection>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    returned(tool, world, &mut found);
    let (written, _) = arguments(tool, world);
    for reference in tool.references(world) {
        let Some(schema) = parameter(&tool.outer, &reference.parameter) else { continue };
        let short = [reference.parameter.clone(), format!("{}?", reference.parameter)];
        let is_short = short.iter().any(|key| written.get(key).is_some_and(|own| own.get("is").is_some()));
        let stands = match (is_short, schema.get("description")) {
            (false, _) => of_key(schema),
            (true, Some(description)) => json!({"type": "string", "description": description}),
            (true, None) => json!({"type": "string"}),
        };
        compare(schema, &stands, "a key that is taken", &mut found);
    }
    found
}

fn returned(tool: &Tool, world: &BTreeMap<String, Collection>, found: &mut BTreeSet<String>) {
    let Some(output) = &tool.outer.output else { return };
    let mut own = || {
        let collection = world.get(&name(&tool.part.one))?;
        let mut fields = collection.fields.clone();
        let key = entity(Some(output), &tool.shape).and_then(|shown| shown.get(&collection.key));
        let kind = key.and_then(|key| key.get("type")).cloned().unwrap_or_else(|| "string".into());
        if kind != "string" {
            found.insert(format!("the key `{}`, which is of another type, is a text", collection.key));
        }
        fields.insert(collection.key.clone(), json!({"type": kind}));
        Some(object(fields, &collection.key))
    };
    let within = |field: &String, schema: Value| object(Map::from_iter([(field.clone(), schema)]), field);
    let list = |entity: Value| json!({"type": "array", "items": entity});
    let stands = match &tool.shape {
        Shape::Other => None,
        Shape::Entity => own(),
        Shape::Entities => own().map(list),
        Shape::Within(field) => own().map(|entity| within(field, entity)),
        Shape::ListWithin(field) => own().map(|entity| within(field, list(entity))),
    };
    compare(output, &stands.unwrap_or_else(|| loose(output)), "what is returned", found);
}

fn object(fields: Map<String, Value>, required: &str) -> Value {
    json!({"type": "object", "properties": fields, "required": [required], "additionalProperties": false})
}

fn compare(source: &Value, stands: &Value, of: &str, found: &mut BTreeSet<String>) {
    let Value::Object(source) = source else { return };
    for (key, value) in source {
        let kept = stands.get(key);
        match (key.as_str(), value) {
            _ if kept == Some(value) => {}
            ("properties", Value::Object(fields)) => {
                for (name, field) in fields {
                    match kept.and_then(|kept| kept.get(name)) {
                        Some(own) => compare(field, own, of, found),
                        None => drop(found.insert(format!("the field `{name}` of {of} is not kept"))),
                    }
                }
            }
            ("required", Value::Array(names)) => {
                let kept = kept.and_then(Value::as_array);
                if names.iter().any(|name| kept.is_none_or(|kept| !kept.contains(name))) {
                    found.insert(format!("`required` of {of} is not kept"));
                }
            }
            ("items", Value::Object(_)) if kept.is_some() => compare(value, kept.unwrap_or(&Value::Null), of, found),
            ("anyOf", Value::Array(all))
                if kept.and_then(Value::as_array).is_some_and(|own| own.len() == all.len()) =>
            {
                let own = kept.and_then(Value::as_array).into_iter().flatten();
                all.iter().zip(own).for_each(|(part, own)| compare(part, own, of, found));
            }
            ("description", _) if kept.is_some() => {}
            ("additionalProperties", Value::Object(more)) if !more.is_empty() && kept.is_some() => {
                compare(value, kept.unwrap_or(&Value::Null), of, found);
            }
            ("additionalProperties", _) => {}
            _ => drop(found.insert(format!("`{key}` of {of} is not kept"))),
        }
    }
}
