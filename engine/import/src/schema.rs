//! A schema of others in our dialect: local references written out, objects closed, what cannot be kept dropped and told.

mod both;

use std::collections::BTreeSet;

use self::both::either;
use serde_json::{Map, Number, Value, json};

use crate::role::VOCABULARY;
use crate::source::Reading;
use probity_engine::Schema;
use probity_engine::position::MAX_TEXT_BYTES;
use probity_engine::within::{texts, within};
use probity_prose::put_off::{is_put_off, says_nothing};

/// How deep schemas are read, and how often the same reference within itself.
const MAX_DEPTH: usize = 16;
const MAX_SAME: usize = 2;
/// Most schemas of one tool.
const MAX_SCHEMAS: usize = 4_000;
/// Most values that a schema lists.
const MAX_LISTED: usize = 4_000;
/// What a schema counts for beside its words.
const SCHEMA: usize = 20;
/// The largest integer that stays as it is written in every reader.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// What is taken apart, or only tells.
#[rustfmt::skip]
const READ: &[&str] = &[
    "$anchor", "$comment", "$defs", "$id", "$ref", "$schema", "additionalProperties", "allOf", "anyOf",
    "contentEncoding", "contentMediaType", "definitions", "discriminator", "example", "examples", "externalDocs",
    "items", "nullable", "oneOf", "prefixItems", "properties", "readOnly", "required", "title", "writeOnly", "xml",
];
/// Those of them that say something which does not stand in the environment.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "$comment", "contentEncoding", "contentMediaType", "discriminator", "example", "examples", "externalDocs",
    "readOnly", "title", "writeOnly", "xml",
];
/// Plain keywords that belong to what is not kept, or that fields are taken apart under.
const NOT_KEPT: &[&str] = &["dependentRequired", "maxContains", "minContains"];

pub(crate) struct Normaliser<'a> {
    tool: &'a str,
    /// What references point into.
    document: &'a Value,
    schema: &'a Value,
    reading: &'a mut Reading,
    open: Vec<String>,
    schemas: usize,
}

impl<'a> Normaliser<'a> {
    /// A schema that is a document of its own.
    pub fn new(tool: &'a str, schema: &'a Value, reading: &'a mut Reading) -> Normaliser<'a> {
        Normaliser::within(tool, schema, schema, reading)
    }

    /// A schema within a document.
    pub fn within(tool: &'a str, document: &'a Value, schema: &'a Value, reading: &'a mut Reading) -> Normaliser<'a> {
        Normaliser { tool, document, schema, reading, open: Vec::new(), schemas: 0 }
    }

    /// The schema of arguments: a closed object, whatever it was.
    pub fn arguments(mut self) -> Map<String, Value> {
        let read = self.result();
        let flat = self.flat(&read);
        let is_kept = |key: &str| flat.contains_key(key) || ["anyOf", "required"].contains(&key);
        for key in read.as_object().into_iter().flatten().map(|(key, _)| key).filter(|key| !is_kept(key)) {
            self.note("", format!("`{key}` of all that is taken is not kept"));
        }
        let is_empty = flat.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
        let takes_more = |schema: &Value| schema.get("additionalProperties").is_some_and(|more| more != false);
        let is_object = read.get("type").is_none_or(|kind| kind == "object");
        if is_empty && (!is_object || read == json!({}) || takes_more(self.schema)) {
            self.note("", "what it takes is not said field by field: here it takes nothing; write its `parameters`");
        }
        flat
    }

    /// The schema of what is returned.
    pub fn result(&mut self) -> Value {
        self.schema(self.schema, "", 0)
    }

    /// A schema that was read, as a closed object.
    pub fn flat(&mut self, read: &Value) -> Map<String, Value> {
        let mut flat = Map::new();
        self.flatten(read, &mut flat);
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
                match properties.get_mut(&name) {
                    Some(known) => *known = either(known, &schema),
                    None => drop(properties.insert(name, schema)),
                }
            }
        }
        if let Some(required) = map.get("required") {
            flat.insert("required".to_owned(), required.clone());
        }
    }

    fn note(&mut self, at: &str, text: impl Into<String>) {
        self.reading.note(self.tool, at, text);
    }

    fn schema(&mut self, schema: &Value, at: &str, depth: usize) -> Value {
        self.schemas += 1;
        self.reading.take(SCHEMA);
        if self.reading.is_full() {
            return json!({});
        }
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
        self.settle_default(&mut own, at);
        Value::Object(own)
    }

    /// Leaves out a default that does not fit.
    fn settle_default(&mut self, own: &mut Map<String, Value>, at: &str) {
        let Some(default) = own.remove("default") else { return };
        match Schema::compile(&Value::Object(own.clone())).is_ok_and(|schema| schema.is_valid(&default)) {
            true => drop(own.insert("default".to_owned(), default)),
            false => self.note(at, "a default that does not fit its schema is left out"),
        }
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
            self.merge(found, beside, at);
            close(found);
            self.settle_default(found, at);
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
                "description" if value.as_str().is_none_or(|text| says_nothing(text) || is_put_off(text)) => {}
                "format" if !value.as_str().is_some_and(|format| VOCABULARY.formats.contains_key(format)) => {
                    self.note("", format!("`format` {value} is not kept"));
                }
                "pattern" if !is_pattern(value) => self.note(at, "a pattern that is not regular is left out"),
                "description" => {
                    let text = self.reading.cut(self.tool, at, value.as_str().unwrap_or_default());
                    self.reading.take(key.len() + text.len());
                    own.insert(key.clone(), text.into());
                }
                "enum" if list(Some(value)).count() > MAX_LISTED => {
                    let count = list(Some(value)).count();
                    self.note(at, format!("{count} listed values are more than are read: any of its type passes"));
                }
                key if TOLD.contains(&key) || key.starts_with("x-") => {
                    self.note("", format!("`{key}` of a schema is not kept"));
                }
                key if READ.contains(&key) => {}
                key if has_long_text(value) => {
                    self.note(
                        at,
                        format!("`{key}` holds a text of more than {} KiB, and is left out", MAX_TEXT_BYTES >> 10),
                    );
                }
                key if !Schema::is_plain(key) || NOT_KEPT.contains(&key) => {
                    self.note(at, format!("`{key}` is not kept"))
                }
                key if is_unsafe(value) => {
                    self.note(at, format!("`{key}` is beyond what all readers of JSON keep, and is left out"));
                }
                key if key != "type" && !Schema::is_well_formed(&json!({key: value})) => {
                    self.note(at, format!("`{key}` is not written as JSON Schema has it, and is left out"));
                }
                key => {
                    self.reading.take(key.len() + size(value));
                    own.insert(key.to_owned(), value.clone());
                }
            }
        }
        if own.get("enum").is_some_and(|value| value.as_array().is_none_or(Vec::is_empty)) {
            own.remove("enum");
        }
        self.settle_type(&mut own, at);
        own
    }

    /// Leaves out a type that is none.
    fn settle_type(&mut self, own: &mut Map<String, Value>, at: &str) {
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
    }

    fn merge_all(&mut self, map: &Map<String, Value>, own: &mut Map<String, Value>, at: &str, depth: usize) {
        for (index, part) in list(map.get("allOf")).enumerate() {
            let part = self.schema(part, &format!("{at}/allOf/{index}"), depth + 1);
            self.merge(own, part, at);
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
                    Some(Value::Object(known)) => self.merge(known, schema, &at),
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
        let has_fields = map.get("properties").and_then(Value::as_object).is_some_and(|fields| !fields.is_empty());
        let more = map.get("additionalProperties").filter(|more| **more != false);
        if has_fields && more.is_some_and(|more| *more == true || more.as_object().is_some_and(|more| !more.is_empty()))
        {
            self.note(at, "fields that are not named here are not taken");
        } else if let Some(more @ Value::Object(_)) = more {
            let more = self.schema(more, &format!("{at}/additionalProperties"), depth + 1);
            own.insert("additionalProperties".to_owned(), more);
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
            self.merge(own, first, at);
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
                self.merge(part, Value::Object(around.clone()), at);
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

fn is_pattern(pattern: &Value) -> bool {
    Schema::compile(&json!({"type": "string", "pattern": pattern})).is_ok()
}

pub(crate) fn is_unsafe(value: &Value) -> bool {
    let is_large = |number: &Number| number.as_f64().is_none_or(|number| number.abs() > MAX_SAFE);
    within(value).filter_map(Value::as_number).any(is_large)
}

/// About how many bytes a value takes as it is written.
pub(crate) fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| size(item) + 1).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + size(value) + 4).sum(),
    }
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = String> + '_ {
    list(value).filter_map(Value::as_str).map(str::to_owned)
}

/// Whether a text in a value is longer than an authored file takes.
fn has_long_text(value: &Value) -> bool {
    let is_long = |text: &str| text.len() > MAX_TEXT_BYTES;
    texts(value).any(is_long) || within(value).filter_map(Value::as_object).flat_map(Map::keys).any(|key| is_long(key))
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
#[path = "schema_tests.rs"]
mod tests;
