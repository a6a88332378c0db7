//! A schema of others in our dialect: local references written out, objects closed, what cannot be kept dropped and told.

use std::collections::BTreeSet;

use probity_engine::Schema;
use serde_json::{Map, Value, json};

use crate::source::Note;

/// How deep schemas are read, and how often the same reference within itself.
const MAX_DEPTH: usize = 16;
const MAX_SAME: usize = 2;
/// Most schemas of one tool.
const MAX_SCHEMAS: usize = 4_000;
/// Most notes of one tool.
const MAX_NOTES: usize = 50;
/// The largest integer that stays as it is written in every reader.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

#[rustfmt::skip]
const KEPT: &[&str] = &[
    "const", "default", "deprecated", "description", "enum", "exclusiveMaximum", "exclusiveMinimum", "format",
    "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum",
    "multipleOf", "pattern", "type", "uniqueItems", "unit",
];
/// What is taken apart, or only tells.
#[rustfmt::skip]
const READ: &[&str] = &[
    "$anchor", "$comment", "$defs", "$id", "$ref", "$schema", "additionalProperties", "allOf", "anyOf", "definitions",
    "discriminator", "example", "examples", "externalDocs", "items", "nullable", "oneOf", "prefixItems", "properties",
    "readOnly", "required", "title", "writeOnly", "xml",
];
#[rustfmt::skip]
const FORMATS: &[&str] = &["date", "date-time", "email", "time", "uri", "uuid"];

pub(crate) struct Normaliser<'a> {
    tool: &'a str,
    /// What references point into.
    document: &'a Value,
    schema: &'a Value,
    notes: &'a mut Vec<Note>,
    open: Vec<String>,
    schemas: usize,
}

impl<'a> Normaliser<'a> {
    /// A schema that is a document of its own.
    pub fn new(tool: &'a str, schema: &'a Value, notes: &'a mut Vec<Note>) -> Normaliser<'a> {
        Normaliser { tool, document: schema, schema, notes, open: Vec::new(), schemas: 0 }
    }

    /// A schema within a document.
    pub fn within(tool: &'a str, document: &'a Value, schema: &'a Value, notes: &'a mut Vec<Note>) -> Normaliser<'a> {
        Normaliser { tool, document, schema, notes, open: Vec::new(), schemas: 0 }
    }

    /// The schema of arguments: a closed object, whatever it was.
    pub fn arguments(mut self) -> Map<String, Value> {
        let schema = self.schema(self.schema, "", 0);
        let mut flat = Map::new();
        self.flatten(&schema, &mut flat);
        let properties = flat.remove("properties").unwrap_or_else(|| json!({}));
        let names: BTreeSet<&String> = properties.as_object().map(|all| all.keys().collect()).unwrap_or_default();
        let required: Vec<Value> =
            strings(flat.get("required")).filter(|name| names.contains(name)).map(Value::from).collect();
        let mut arguments = Map::new();
        arguments.insert("type".to_owned(), "object".into());
        arguments.insert("properties".to_owned(), properties.clone());
        if !required.is_empty() {
            arguments.insert("required".to_owned(), required.into());
        }
        arguments.insert("additionalProperties".to_owned(), false.into());
        arguments
    }

    /// The schema of what is returned.
    pub fn result(mut self) -> Value {
        self.schema(self.schema, "", 0)
    }

    /// Alternatives of whole arguments become one object that takes the properties of all.
    fn flatten(&mut self, schema: &Value, flat: &mut Map<String, Value>) {
        let Value::Object(map) = schema else { return };
        if let Some(Value::Array(parts)) = map.get("anyOf") {
            self.note("", "alternatives of the arguments are one object with the properties of all");
            parts.iter().for_each(|part| self.flatten(part, flat));
            flat.remove("required");
        }
        let own = map.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let properties = flat.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(properties) = properties {
            for (name, schema) in own {
                properties.entry(name).or_insert(schema);
            }
        }
        if let Some(required) = map.get("required") {
            flat.insert("required".to_owned(), required.clone());
        }
    }

    fn note(&mut self, at: &str, text: impl Into<String>) {
        let note = Note { tool: self.tool.to_owned(), at: at.to_owned(), text: text.into() };
        // Those of one tool stand together.
        let known: Vec<&Note> = self.notes.iter().rev().take_while(|other| other.tool == note.tool).collect();
        if known.len() < MAX_NOTES && !known.contains(&&note) {
            self.notes.push(note);
        }
    }

    fn schema(&mut self, schema: &Value, at: &str, depth: usize) -> Value {
        self.schemas += 1;
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => {
                self.note(at, "a schema that nothing fits takes anything");
                return json!({});
            }
            _ => return json!({}),
        };
        if depth > MAX_DEPTH || self.schemas > MAX_SCHEMAS {
            self.note(at, "cut: it is nested too deep or too large; anything passes here");
            return json!({});
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return self.reference(reference, map, at, depth);
        }
        let mut own = self.own(map, at);
        self.merge_all(map, &mut own, at, depth);
        self.parts(map, &mut own, at, depth);
        self.alternatives(map, &mut own, at, depth);
        if map.get("nullable") == Some(&Value::Bool(true)) {
            nullable(&mut own);
        }
        close(&mut own);
        Value::Object(own)
    }

    /// What a reference points at, with what stands beside it.
    fn reference(&mut self, reference: &str, map: &Map<String, Value>, at: &str, depth: usize) -> Value {
        let target = reference.strip_prefix('#').and_then(|pointer| self.document.pointer(&decoded(pointer)));
        let Some(target) = target else {
            let text = match reference.starts_with('#') {
                true => format!("`{reference}` leads nowhere: anything passes here"),
                false => format!("`{reference}` leads elsewhere and is not fetched: anything passes here"),
            };
            self.note(at, text);
            return json!({});
        };
        if self.open.iter().filter(|open| *open == reference).count() >= MAX_SAME {
            self.note(at, format!("cut: `{reference}` holds itself; anything passes here"));
            return json!({});
        }
        self.open.push(reference.to_owned());
        let mut found = self.schema(target, at, depth + 1);
        self.open.pop();
        let is_beside = |key: &str| !matches!(key, "$ref" | "nullable");
        let beside = map.iter().filter(|(key, _)| is_beside(key)).map(|(key, value)| (key.clone(), value.clone()));
        let beside: Map<String, Value> = beside.collect();
        if let (Some(Value::Bool(true)), Value::Object(found)) = (map.get("nullable"), &mut found) {
            nullable(found);
        }
        if let (false, Value::Object(found)) = (beside.is_empty(), &mut found) {
            let beside = self.schema(&Value::Object(beside), at, depth + 1);
            merge(found, beside);
            close(found);
        }
        found
    }

    /// The keywords that stand for themselves.
    fn own(&mut self, map: &Map<String, Value>, at: &str) -> Map<String, Value> {
        let mut own = Map::new();
        for (key, value) in map {
            match key.as_str() {
                "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => {
                    let bound = if key == "exclusiveMinimum" { "minimum" } else { "maximum" };
                    if let (Some(limit), true) = (map.get(bound), value == &Value::Bool(true)) {
                        own.insert(key.clone(), limit.clone());
                    }
                }
                "minimum" if map.get("exclusiveMinimum") == Some(&Value::Bool(true)) => {}
                "maximum" if map.get("exclusiveMaximum") == Some(&Value::Bool(true)) => {}
                "description" if value.as_str().is_none_or(says_nothing) => {}
                "format" if !value.as_str().is_some_and(|format| FORMATS.contains(&format)) => {}
                "pattern" if !is_pattern(value) => self.note(at, "a pattern that is not regular is left out"),
                key if KEPT.contains(&key) && is_unsafe(value) => {
                    self.note(at, format!("`{key}` is beyond what all readers of JSON keep, and is left out"));
                }
                key if KEPT.contains(&key) => drop(own.insert(key.to_owned(), value.clone())),
                key if READ.contains(&key) || key.starts_with("x-") => {}
                key => self.note(at, format!("`{key}` is not kept")),
            }
        }
        let is_list =
            |key: &str| own.get(key).is_none_or(|value| value.as_array().is_some_and(|list| !list.is_empty()));
        if !is_list("enum") {
            own.remove("enum");
        }
        let is_type = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
        let fits = match own.get("type") {
            Some(Value::Array(types)) => !types.is_empty() && types.iter().all(is_type),
            Some(value) => is_type(value),
            None => true,
        };
        if !fits {
            own.remove("type");
            self.note(at, "its type is none of JSON Schema: anything passes here");
        }
        let is_of_type = own
            .get("default")
            .is_none_or(|default| has_type(default, own.get("type")) && is_listed(default, own.get("enum")));
        if !is_of_type {
            own.remove("default");
            self.note(at, "a default that does not fit its schema is left out");
        }
        own
    }

    fn merge_all(&mut self, map: &Map<String, Value>, own: &mut Map<String, Value>, at: &str, depth: usize) {
        for (index, part) in list(map.get("allOf")).enumerate() {
            let part = self.schema(part, &format!("{at}/allOf/{index}"), depth + 1);
            merge(own, part);
        }
    }

    fn parts(&mut self, map: &Map<String, Value>, own: &mut Map<String, Value>, at: &str, depth: usize) {
        if let Some(Value::Object(properties)) = map.get("properties") {
            let mut read = match own.remove("properties") {
                Some(Value::Object(read)) => read,
                _ => Map::new(),
            };
            for (name, schema) in properties {
                let at = format!("{at}/properties/{}", name.replace('~', "~0").replace('/', "~1"));
                let schema = self.schema(schema, &at, depth + 1);
                match read.get_mut(name) {
                    Some(Value::Object(known)) => merge(known, schema),
                    _ => drop(read.insert(name.clone(), schema)),
                }
            }
            own.insert("properties".to_owned(), Value::Object(read));
        }
        let required: BTreeSet<String> = strings(map.get("required")).chain(strings(own.get("required"))).collect();
        if !required.is_empty() {
            own.insert("required".to_owned(), required.into_iter().collect());
        }
        match map.get("items") {
            Some(Value::Array(items)) => {
                let items =
                    items.iter().enumerate().map(|(i, item)| self.schema(item, &format!("{at}/items/{i}"), depth + 1));
                own.insert("prefixItems".to_owned(), items.collect());
            }
            Some(items) => {
                let items = self.schema(items, &format!("{at}/items"), depth + 1);
                own.insert("items".to_owned(), items);
            }
            None => {}
        }
        if let Some(Value::Array(items)) = map.get("prefixItems") {
            let items = items
                .iter()
                .enumerate()
                .map(|(i, item)| self.schema(item, &format!("{at}/prefixItems/{i}"), depth + 1));
            own.insert("prefixItems".to_owned(), items.collect());
        }
        if let Some(more @ Value::Object(_)) = map.get("additionalProperties") {
            let more = self.schema(more, &format!("{at}/additionalProperties"), depth + 1);
            own.insert("additionalProperties".to_owned(), more);
        } else if map.get("additionalProperties") == Some(&Value::Bool(true)) && map.contains_key("properties") {
            self.note(at, "fields that are not named here are not taken");
        }
    }

    /// `oneOf` and `anyOf`: any of them, each with what stands around it.
    fn alternatives(&mut self, map: &Map<String, Value>, own: &mut Map<String, Value>, at: &str, depth: usize) {
        // Those that a part of `allOf` had come first.
        let mut all = match own.remove("anyOf") {
            Some(Value::Array(all)) => all,
            _ => Vec::new(),
        };
        for key in ["oneOf", "anyOf"] {
            for (index, part) in list(map.get(key)).enumerate() {
                all.push(self.schema(part, &format!("{at}/{key}/{index}"), depth + 1));
            }
        }
        let Some(first) = all.first() else { return };
        // One alternative alone is none.
        if all.len() == 1 {
            let first = first.clone();
            merge(own, first);
            return;
        }
        if own.contains_key("properties") || own.contains_key("required") {
            let around: Map<String, Value> = ["properties", "required", "additionalProperties"]
                .iter()
                .filter_map(|key| Some(((*key).to_owned(), own.remove(*key)?)))
                .collect();
            let may_be_object = |part: &Map<String, Value>| match part.get("type") {
                Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
                kind => kind.is_none_or(|kind| kind == "object"),
            };
            for part in all.iter_mut().filter_map(Value::as_object_mut).filter(|part| may_be_object(part)) {
                merge(part, Value::Object(around.clone()));
                close(part);
            }
        }
        let anything = all.iter().any(|part| part.as_object().is_some_and(Map::is_empty));
        if !anything {
            own.insert("anyOf".to_owned(), all.into());
        }
    }
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Puts a second schema of the same value into the first: both properties, both required, what the first does not say.
fn merge(own: &mut Map<String, Value>, other: Value) {
    let Value::Object(other) = other else { return };
    for (key, value) in other {
        match (key.as_str(), own.get_mut(&key), value) {
            ("properties", Some(Value::Object(own)), Value::Object(more)) => {
                for (name, schema) in more {
                    own.entry(name).or_insert(schema);
                }
            }
            ("required", Some(Value::Array(own)), Value::Array(more)) => {
                more.into_iter().for_each(|name| {
                    if !own.contains(&name) {
                        own.push(name)
                    }
                });
            }
            (_, Some(_), _) => {}
            (_, None, value) => drop(own.insert(key, value)),
        }
    }
}

/// Closes an object; one without properties is a map of anything. Every required field is a property.
fn close(own: &mut Map<String, Value>) {
    let names: Vec<String> = strings(own.get("required")).collect();
    if let Some(Value::Object(properties)) = own.get_mut("properties") {
        for name in names {
            properties.entry(name).or_insert_with(|| json!({}));
        }
    }
    let is_object = match own.get("type") {
        Some(Value::Array(types)) => types.iter().any(|kind| kind == "object"),
        Some(kind) => kind == "object",
        None => own.contains_key("properties"),
    };
    if !is_object {
        own.remove("additionalProperties");
        if own.contains_key("type") {
            own.remove("required");
        }
        return;
    }
    if own.get("properties").and_then(Value::as_object).is_some_and(|properties| !properties.is_empty()) {
        own.insert("additionalProperties".to_owned(), false.into());
    } else {
        own.remove("properties");
        own.remove("required");
        own.entry("additionalProperties").or_insert_with(|| json!({}));
    }
}

fn nullable(own: &mut Map<String, Value>) {
    let with_null = match own.get("type") {
        Some(Value::String(kind)) if kind != "null" => Some(json!([kind, "null"])),
        _ => None,
    };
    if let Some(types) = with_null {
        own.insert("type".to_owned(), types);
    } else if let Some(Value::Array(all)) = own.get_mut("anyOf") {
        all.push(json!({"type": "null"}));
    }
    if let Some(Value::Array(values)) = own.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
}

/// Whether a text stands in for one that nobody wrote.
pub(crate) fn says_nothing(text: &str) -> bool {
    let words = text.trim().to_lowercase();
    words.is_empty() || ["todo", "tbd", "fixme", "xxx"].iter().any(|word| words.starts_with(word))
}

fn is_pattern(pattern: &Value) -> bool {
    Schema::compile(&json!({"type": "string", "pattern": pattern})).is_ok()
}

fn is_unsafe(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| number.abs() > MAX_SAFE),
        Value::Array(items) => items.iter().any(is_unsafe),
        Value::Object(map) => map.values().any(is_unsafe),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

fn has_type(value: &Value, kind: Option<&Value>) -> bool {
    let is = |kind: &str| match (kind, value) {
        ("integer", Value::Number(number)) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
        ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("boolean", Value::Bool(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_))
        | ("null", Value::Null) => true,
        _ => false,
    };
    match kind {
        Some(Value::String(kind)) => is(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

fn is_listed(value: &Value, listed: Option<&Value>) -> bool {
    listed.and_then(Value::as_array).is_none_or(|listed| listed.contains(value))
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = String> + '_ {
    list(value).filter_map(Value::as_str).map(str::to_owned)
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

/// A pointer as it stands in a URI: `%20` is a blank.
fn decoded(pointer: &str) -> String {
    let mut parts = pointer.split('%');
    let mut bytes: Vec<u8> = parts.next().unwrap_or_default().bytes().collect();
    for part in parts {
        match part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                bytes.extend(part.bytes().skip(2));
            }
            None => bytes.extend(std::iter::once(b'%').chain(part.bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn read(schema: &Value) -> (Value, Vec<Note>) {
        let mut notes = Vec::new();
        let read = Normaliser::new("t", schema, &mut notes).result();
        (read, notes)
    }

    #[test]
    fn what_others_write_is_read() {
        let defs = json!({"a": {"type": "object", "properties": {"next": {"$ref": "#/$defs/b"}}},
            "b": {"type": "array", "items": {"$ref": "#/$defs/a"}}, "far~name/1": {"type": "integer"}});
        for (schema, wanted) in [
            (
                json!({"type": "string", "nullable": true, "enum": ["a"]}),
                json!({"type": ["string", "null"], "enum": ["a", null]}),
            ),
            (json!({"$ref": "#/$defs/far~0name~11", "$defs": defs}), json!({"type": "integer"})),
            (
                json!({"$ref": "#/$defs/far~0name~11", "nullable": true, "$defs": defs}),
                json!({"type": ["integer", "null"]}),
            ),
            (json!({"allOf": [{"type": "string"}], "nullable": true}), json!({"type": ["string", "null"]})),
            (json!({"$ref": "https://example.com/x.json"}), json!({})),
            (json!({"$ref": "#/$defs/nowhere"}), json!({})),
            (json!({"minimum": 3, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 3})),
            (json!({"type": "object"}), json!({"type": "object", "additionalProperties": {}})),
            (json!({"type": "string", "pattern": "(?=x)", "format": "int64", "title": "T"}), json!({"type": "string"})),
            (json!({"maximum": 9_223_372_036_854_775_807_i64, "type": "integer"}), json!({"type": "integer"})),
            (json!({"type": "integer", "default": "3"}), json!({"type": "integer"})),
            (
                json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
                json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            ),
            (json!({"oneOf": [{"type": "string"}]}), json!({"type": "string"})),
            (
                json!({"allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"properties": {"b": {}}}]}),
                json!({"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"], "additionalProperties": false}),
            ),
            (
                json!({"properties": {"a": {}}, "oneOf": [{"required": ["a"]}, {"properties": {"b": {}}}]}),
                json!({"anyOf": [
                    {"properties": {"a": {}}, "required": ["a"], "additionalProperties": false},
                    {"properties": {"a": {}, "b": {}}, "additionalProperties": false},
                ]}),
            ),
        ] {
            assert_eq!(read(&schema).0, wanted, "{schema}");
        }
    }

    #[test]
    fn what_holds_itself_is_cut_and_told() {
        for inner in [
            json!({"properties": {"x": {"$ref": "#"}}}),
            json!({"type": "array", "items": {"$ref": "#"}}),
            json!({"allOf": [{"$ref": "#"}]}),
            json!({"oneOf": [{"$ref": "#"}, {"type": "string"}]}),
            json!({"type": "object", "additionalProperties": {"$ref": "#"}}),
        ] {
            let (read, notes) = read(&inner);
            assert!(notes.iter().any(|note| note.text.contains("holds itself")), "{inner}: {read}");
            assert!(!read.to_string().contains("$ref"), "{read}");
        }
    }

    /// Schemas as tools in the wild have them: nested, with references, alternatives and nonsense.
    fn schemas() -> impl Strategy<Value = Value> {
        let names = || prop::sample::select(vec!["a", "b", "type", "orderId", "in", "x-y"]);
        let leaf = prop_oneof![
            Just(json!({})),
            Just(json!(true)),
            Just(json!(false)),
            prop::sample::select(vec!["string", "integer", "number", "boolean", "null", "array", "object", "file"])
                .prop_map(|kind| json!({"type": kind})),
            Just(json!({"type": ["string", "null"], "enum": ["a", null]})),
            Just(json!({"$ref": "#/$defs/one"})),
            Just(json!({"$ref": "#/definitions/gone"})),
            Just(json!({"type": "string", "pattern": "(a+)+$", "minLength": 2, "default": 3})),
            Just(json!({"const": {"a": 1}, "x-order": 3})),
            Just(json!({"type": "number", "minimum": 1e300, "exclusiveMaximum": false})),
            Just(json!({"enum": []})),
            Just(json!("no schema")),
        ];
        leaf.prop_recursive(5, 40, 4, move |inner| {
            prop_oneof![
                prop::collection::vec((names(), inner.clone()), 0..4).prop_map(|all| {
                    let required: Vec<&str> = all.iter().map(|(name, _)| *name).take(1).chain(["gone"]).collect();
                    let properties: Map<String, Value> = all.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
                    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": true})
                }),
                inner.clone().prop_map(|items| json!({"type": "array", "items": items, "uniqueItems": true})),
                prop::collection::vec(inner.clone(), 0..3).prop_map(|all| json!({"oneOf": all, "nullable": true})),
                prop::collection::vec(inner.clone(), 0..3).prop_map(|all| json!({"allOf": all, "if": {}, "not": {}})),
                inner.clone().prop_map(|items| json!({"items": [items, {}], "type": "array"})),
                inner.prop_map(|schema| json!({"type": "object", "additionalProperties": schema})),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(39), ..ProptestConfig::with_cases(1_000) })]

        #[test]
        fn a_thousand_schemas_are_in_our_dialect(one in schemas(), other in schemas()) {
            let schema = json!({"type": "object", "properties": {"one": one, "id": {"type": "string"}}, "$defs": {"one": other}});
            let mut notes = Vec::new();
            let read = Value::Object(Normaliser::new("t", &schema, &mut notes).arguments());
            let found = Schema::compile(&read).err();
            prop_assert!(found.is_none(), "{schema}\n{read}\n{found:?}");
            let mut again = Vec::new();
            let twice = Value::Object(Normaliser::new("t", &read, &mut again).arguments());
            prop_assert_eq!(&twice, &read, "what is in our dialect stays as it is");
        }
    }
}
