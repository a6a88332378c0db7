//! Static checks of the state's parts.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::model::diagnostic::{Place, Problem};
use crate::model::environment_file::{EnvironmentFile, SlotFile, SlotKind, properties};
use crate::model::ids::is_identifier;
use crate::model::{pointer, suggest};
use crate::schema::Schema;
use crate::schema::keywords::{Position, subschemas};
use crate::script::words;
use crate::state::{Shape, SlotShape};

/// Names that scripts already use on `db.<collection>` or `db`.
const RESERVED: [&str; 3] = ["db", "args", "rng"];

/// The shape and the compiled schemas; parts that cannot be used are left out and reported.
pub(super) fn check(file: &EnvironmentFile, problems: &mut Vec<Problem>) -> (Shape, Vec<Schema>) {
    let mut slots = Vec::new();
    let mut items = Vec::new();
    if file.state.is_empty() {
        problems
            .push(Problem::error("/state", "empty_state", "there is no state").help("declare at least one collection"));
    }
    for (name, slot) in &file.state {
        let at = pointer::join(["state", name]);
        if !is_identifier(name) || RESERVED.contains(&name.as_str()) || words::is_reserved(name) {
            let message = format!("`{name}` is not a name for a collection or record");
            let help = match is_identifier(name) {
                true => "scripts use this word for something else; choose another",
                false => "lower-case letters, digits and `_`",
            };
            let problem = Problem::error("", "bad_name", message).help(help);
            problems.push(Problem { place: Place::Key(at.clone()), ..problem });
        }
        check_words(&slot.item, &format!("{at}/item"), problems);
        check_key(slot, &at, problems);
        check_closed(&slot.item, &format!("{at}/item"), problems);
        match Schema::compile(&slot.item) {
            Ok(schema) => {
                slots.push(SlotShape { name: name.clone(), kind: slot.kind, key: slot.key.clone() });
                items.push(schema);
            }
            Err(found) => problems.extend(found.into_iter().map(|p| p.below(&format!("{at}/item")))),
        }
    }
    (Shape { slots }, items)
}

fn check_key(slot: &SlotFile, at: &str, problems: &mut Vec<Problem>) {
    let fields = properties(&slot.item);
    match (&slot.key, slot.kind) {
        (None, SlotKind::Collection) => {
            let message = "a collection names the field that repeats the key";
            problems.push(Problem::error(at, "missing_key_field", message).help("add `\"key\": \"<field>\"`"));
        }
        (Some(_), SlotKind::Record) => {
            let message = "a record has no key";
            problems.push(Problem::error(format!("{at}/key"), "unexpected_key_field", message).help("remove `key`"));
        }
        (Some(key), SlotKind::Collection) => {
            let required = slot.item.get("required").and_then(Value::as_array);
            let is_required = required.is_some_and(|all| all.iter().any(|name| name == key));
            let is_text = fields.get(key).and_then(|field| field.get("type")) == Some(&Value::from("string"));
            if !(is_required && is_text) {
                let message = format!("the key field `{key}` must be a required string of `item`");
                let help = suggest::help(key, fields.keys().map(String::as_str));
                problems.push(Problem::error(format!("{at}/key"), "bad_key_field", message).help(help));
            }
        }
        (None, SlotKind::Record) => {}
    }
}

/// An open schema lets a misspelt field through: every object must say `additionalProperties: false`.
pub(super) fn check_closed(schema: &Value, at: &str, problems: &mut Vec<Problem>) {
    let is_object = schema.get("type") == Some(&Value::from("object"));
    if !is_object {
        let message = "the schema must be of `\"type\": \"object\"`";
        problems.push(Problem::error(at, "not_an_object", message).help("add `\"type\": \"object\"`"));
    }
    check_objects(schema, at, false, problems);
    let fields = properties(schema);
    let required = schema.get("required").and_then(Value::as_array);
    for (i, name) in required.into_iter().flatten().enumerate() {
        if let Some(name) = name.as_str().filter(|name| !fields.contains_key(*name)) {
            let message = format!("`{name}` is required but is no property");
            let help = suggest::help(name, fields.keys().map(String::as_str));
            problems.push(Problem::error(format!("{at}/required/{i}"), "unknown_field", message).help(help));
        }
    }
}

/// Names that scripts cannot write after a dot, however deep they stand.
pub(super) fn check_words(schema: &Value, at: &str, problems: &mut Vec<Problem>) {
    for (name, field) in properties(schema) {
        let at = format!("{at}/properties/{}", pointer::escape(&name));
        check_words(&field, &at, problems);
        if words::is_reserved(&name) {
            let message = format!("Rhai keeps the word `{name}` for itself: scripts cannot write `.{name}`");
            let help = format!("rename it, or write `[\"{name}\"]` in scripts");
            let problem = Problem::warning("", "reserved_word", message).help(help);
            problems.push(Problem { place: Place::Key(at), ..problem });
        }
    }
    if let Some(items) = schema.get("items") {
        check_words(items, &format!("{at}/items"), problems);
    }
}

/// Looks for open objects at any depth. `is_closed`: a schema around this one closes the same value.
pub(super) fn check_objects(schema: &Value, at: &str, is_closed: bool, problems: &mut Vec<Problem>) {
    let is = |keyword: &str, value: &Value| schema.get(keyword) == Some(value);
    let kinds = schema.get("type").and_then(Value::as_array).into_iter().flatten();
    let is_object = is("type", &Value::from("object"))
        || kinds.into_iter().any(|kind| kind == "object")
        || schema.get("properties").is_some();
    // A map by free keys says what all its values are.
    let is_map = schema.get("properties").is_none() && schema.get("additionalProperties").is_some_and(Value::is_object);
    let closes = [("additionalProperties"), ("unevaluatedProperties")].iter().any(|k| is(k, &Value::Bool(false)));
    let is_closed = is_closed || closes || is_map;
    if is_object && !is_closed {
        let message = "the schema is open: a misspelt field would pass";
        problems.push(Problem::error(at, "open_schema", message).help("add `\"additionalProperties\": false`"));
    }
    for (below, position, schema) in subschemas(schema) {
        let at = format!("{at}{below}");
        match position {
            // What is open has been said.
            Position::Same => check_objects(schema, &at, is_closed || is_object, problems),
            Position::Part | Position::Definition => check_objects(schema, &at, false, problems),
            Position::Aside => {}
        }
    }
}

/// Every field name of every entity, so that scripts get fast access to them.
pub(super) fn field_names(file: &EnvironmentFile) -> BTreeSet<String> {
    file.state.values().flat_map(|slot| properties(&slot.item).into_iter().map(|(name, _)| name)).collect()
}
