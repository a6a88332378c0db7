//! JSON Schemas: inferred from values, and the peer's own in our dialect.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// The schema that all these values keep to: objects closed, fields that some lack not required.
pub fn infer(values: &[&Value]) -> Value {
    let names: BTreeSet<&str> = values.iter().map(|value| type_name(value)).collect();
    let is_number = names.contains("number");
    let names: Vec<&str> = names.into_iter().filter(|name| !(is_number && *name == "integer")).collect();
    let mut schema = Map::new();
    match names.as_slice() {
        [] => {}
        [one] => drop(schema.insert("type".to_owned(), json!(one))),
        several => drop(schema.insert("type".to_owned(), json!(several))),
    }
    if names.contains(&"array") {
        let items: Vec<&Value> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
        schema.insert("items".to_owned(), infer(&items));
    }
    if names.contains(&"object") {
        let objects: Vec<&Map<String, Value>> = values.iter().filter_map(|value| value.as_object()).collect();
        schema.extend(infer_object(&objects));
    }
    Value::Object(schema)
}

fn infer_object(objects: &[&Map<String, Value>]) -> Map<String, Value> {
    let keys: BTreeSet<&String> = objects.iter().flat_map(|object| object.keys()).collect();
    let required: Vec<&&String> =
        keys.iter().filter(|key| objects.iter().all(|object| object.contains_key(**key))).collect();
    let property = |key: &&String| {
        let values: Vec<&Value> = objects.iter().filter_map(|object| object.get(*key)).collect();
        ((*key).clone(), infer(&values))
    };
    let properties: Map<String, Value> = keys.iter().map(property).collect();
    let schema = json!({"additionalProperties": false, "required": required, "properties": properties});
    schema.as_object().cloned().unwrap_or_default()
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.as_f64().is_some_and(|float| float.fract() != 0.0) => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

const KEPT: [&str; 10] =
    ["type", "description", "enum", "default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

/// A schema of the peer in our dialect: known keywords, objects closed or maps of scalars.
pub fn parameters(schema: &Value) -> Value {
    let mut closed = close(schema);
    if let Some(fields) = closed.as_object_mut() {
        fields.insert("type".to_owned(), json!("object"));
        fields.entry("properties").or_insert_with(|| json!({}));
        fields.insert("additionalProperties".to_owned(), json!(false));
    }
    closed
}

fn close(schema: &Value) -> Value {
    let Some(fields) = schema.as_object() else { return json!({}) };
    let mut closed: Map<String, Value> =
        fields.iter().filter(|(key, _)| KEPT.contains(&key.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect();
    if let Some(items) = fields.get("items") {
        closed.insert("items".to_owned(), close(items));
    }
    let is_object = fields.get("type").is_some_and(|kind| match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        kind => kind == "object",
    });
    match fields.get("properties").and_then(Value::as_object).filter(|properties| !properties.is_empty()) {
        Some(properties) => {
            let known: Vec<&Value> = fields
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter(|name| name.as_str().is_some_and(|name| properties.contains_key(name)))
                .collect();
            closed.insert("required".to_owned(), json!(known));
            let properties: Map<String, Value> =
                properties.iter().map(|(name, schema)| (name.clone(), close(schema))).collect();
            closed.insert("properties".to_owned(), Value::Object(properties));
            closed.insert("additionalProperties".to_owned(), json!(false));
        }
        None if is_object => {
            let scalar = json!({"type": ["string", "number", "boolean", "null"]});
            closed.insert("additionalProperties".to_owned(), scalar);
        }
        None => {}
    }
    Value::Object(closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_inferred_from_all_values() {
        let values = [json!({"a": 1, "b": [null, "x"]}), json!({"a": 1.5})];
        let expected = json!({
            "type": "object", "additionalProperties": false, "required": ["a"],
            "properties": {"a": {"type": "number"}, "b": {"type": "array", "items": {"type": ["null", "string"]}}}
        });
        assert_eq!(infer(&values.iter().collect::<Vec<_>>()), expected);
    }

    #[test]
    fn schemas_of_the_peer_are_closed() {
        let schema = json!({"type": "object", "required": ["bed", "gone"], "x-note": 1,
            "properties": {"bed": {"type": "string", "nullable": true}, "extra": {"type": "object"}}});
        let closed = parameters(&schema);
        assert_eq!((&closed["required"], &closed["additionalProperties"]), (&json!(["bed"]), &json!(false)));
        assert_eq!(closed["properties"]["bed"], json!({"type": "string"}));
        assert!(closed.get("x-note").is_none());
    }
}
