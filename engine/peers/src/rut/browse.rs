//! The four discovery helpers that every environment of the reference offers (spec C.5).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::host;

pub const HELPERS: [&str; 4] =
    ["list_state_containers", "list_state_entities", "search_state_entities", "get_state_entity"];

/// Fields by which a record is known, the more telling first; besides them all that end in `_id`.
const ID_FIELDS: [&str; 8] = ["id", "name", "title", "username", "ticker", "symbol", "email", "phone"];
const SAMPLE_KEYS: usize = 5;

/// The result of a helper; `None` when the tool is none of them.
pub fn call(state: &Value, tool: &str, arguments: &Value) -> Option<Value> {
    let none = Map::new();
    let state: Map<String, Value> =
        state.as_object().unwrap_or(&none).iter().filter(|(name, _)| !name.starts_with('_')).map(owned).collect();
    let result = match tool {
        "list_state_containers" => Ok(Value::Array(state.iter().map(|(name, value)| container(name, value)).collect())),
        "list_state_entities" => list(&state, arguments),
        "search_state_entities" => search(&state, arguments),
        "get_state_entity" => get(&state, arguments),
        _ => return None,
    };
    Some(match result {
        Ok(data) => json!({"success": true, "data": data}),
        Err(error) => json!({"success": false, "error": error}),
    })
}

fn owned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

fn container(name: &str, value: &Value) -> Value {
    let (kind, count, keys): (&str, usize, Vec<String>) = match value {
        Value::Object(fields) => {
            let count = if is_one_record(fields) { 1 } else { fields.len() };
            ("dict", count, fields.keys().take(SAMPLE_KEYS).cloned().collect())
        }
        Value::Array(items) => {
            ("list", items.len(), (0..items.len().min(SAMPLE_KEYS)).map(|index| index.to_string()).collect())
        }
        scalar => {
            let kind = scalar_kind(scalar);
            return json!({"container_name": name, "container_type": kind, "is_structured": false, "item_count": null,
                "sample_value": scalar});
        }
    };
    json!({"container_name": name, "container_type": kind, "is_structured": true, "item_count": count,
        "sample_keys": keys})
}

fn scalar_kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Null | Value::Array(_) | Value::Object(_) => "NoneType",
    }
}

/// The records of a container with their keys; a scalar has none.
pub(super) fn entities(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(fields) if is_one_record(fields) => vec![(own_key(fields), value)],
        Value::Object(fields) => fields.iter().map(|(key, record)| (key.clone(), record)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Whether an object is one record rather than a container of records: it has a field like an id.
fn is_one_record(fields: &Map<String, Value>) -> bool {
    fields.keys().any(|key| ID_FIELDS.contains(&key.as_str()) || key.ends_with("_id"))
}

/// What a lone record goes by: the first of its fields like an id that says something.
fn own_key(fields: &Map<String, Value>) -> String {
    let known = ID_FIELDS.iter().filter_map(|name| fields.get(*name));
    let ending = fields.iter().filter(|(key, _)| key.ends_with("_id")).map(|(_, value)| value);
    let mut telling = known.chain(ending).filter(|value| !value.is_null() && *value != "");
    telling.next().map_or_else(|| "singleton".to_owned(), host::text)
}

pub(super) fn named<'a>(state: &'a Map<String, Value>, arguments: &Value) -> Result<(String, &'a Value), String> {
    let name = arguments.get("container_name").and_then(Value::as_str).unwrap_or_default();
    if host::strip(name).is_empty() {
        return Err("container_name must be a non-empty string".to_owned());
    }
    match state.get(name) {
        Some(value) => Ok((name.to_owned(), value)),
        None => {
            let known = Value::Array(state.keys().map(|known| Value::from(known.clone())).collect());
            Err(format!("Unknown container '{name}'. Available containers: {}", host::text(&known)))
        }
    }
}

/// How many results are wanted: a whole number above 0, else the default; never more than the most.
pub(super) fn limit(value: Option<&Value>, default: usize, most: usize) -> usize {
    let given = value.and_then(host::whole_number).filter(|given| *given > 0);
    given.map_or(default, |given| usize::try_from(given).unwrap_or(usize::MAX)).min(most)
}

fn list(state: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let (name, value) = named(state, arguments)?;
    let limit = limit(arguments.get("limit"), 50, 200);
    let offset = arguments.get("offset").and_then(host::whole_number).unwrap_or_default();
    let offset = usize::try_from(offset.max(0)).unwrap_or(usize::MAX);
    let all = entities(value);
    if all.is_empty() {
        return Err(format!("Container '{name}' is not a browsable entity container"));
    }
    let total = all.len();
    let items = all.into_iter().skip(offset).take(limit);
    let items: Vec<Value> =
        items.map(|(key, record)| json!({"container_name": name, "entity_key": key, "record": record})).collect();
    Ok(json!({"container_name": name, "items": items, "limit": limit, "offset": offset, "total_count": total}))
}

fn get(state: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let (name, value) = named(state, arguments)?;
    let key = host::strip(arguments.get("entity_key").and_then(Value::as_str).unwrap_or_default());
    if key.is_empty() {
        return Err("entity_key must be a non-empty string".to_owned());
    }
    let found = entities(value).into_iter().find(|(known, _)| known == key);
    match found {
        Some((key, record)) => Ok(json!({"container_name": name, "entity_key": key, "record": record})),
        None => Err(format!("Entity '{key}' not found in container '{name}'")),
    }
}

/// Fields looked at in an object, and items in a list.
const MOST_FIELDS: usize = 20;
const MOST_ITEMS: usize = 10;
/// How deep the fields lie that are looked at.
const MOST_DEEP: usize = 2;

struct Query {
    text: String,
    is_exact: bool,
    fields: Option<BTreeSet<String>>,
}

/// The records whose key or fields match, best first.
pub(super) fn search(state: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let query = Query::parse(arguments)?;
    let limit = limit(arguments.get("limit"), 20, 100);
    let containers: Vec<(String, &Value)> = match arguments.get("container_name") {
        None | Some(Value::Null) => state.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Some(_) => vec![named(state, arguments)?],
    };
    let mut found = Vec::new();
    for (container, value) in containers {
        for (key, record) in entities(value) {
            if let Some((is_partial, matched)) = query.matched(&key, record) {
                let entry = json!({"container_name": container, "entity_key": key, "matched_fields": matched,
                    "record": record});
                found.push(((is_partial, container.clone(), key), entry));
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Value::Array(found.into_iter().take(limit).map(|(_, entry)| entry).collect()))
}

impl Query {
    fn parse(arguments: &Value) -> Result<Self, String> {
        let text = folded(arguments.get("query").and_then(Value::as_str).unwrap_or_default());
        if text.is_empty() {
            return Err("query must be a non-empty string".to_owned());
        }
        let fields = match arguments.get("field_names") {
            None | Some(Value::Null) => None,
            Some(Value::Array(names)) => {
                let names = names.iter().map(|name| host::strip(&host::text(name)).to_owned());
                Some(names.filter(|name| !name.is_empty()).collect())
            }
            Some(_) => return Err("field_names must be a list of strings when provided".to_owned()),
        };
        Ok(Query { text, is_exact: host::is_truthy_field(arguments.get("exact")), fields })
    }

    /// The fields of a record that match, and whether none of them matches as a whole.
    fn matched(&self, key: &str, record: &Value) -> Option<(bool, Vec<Value>)> {
        let mut fields = vec![("entity_key".to_owned(), key.to_owned())];
        collect("", record, 0, &mut fields);
        let (mut is_partial, mut matched) = (true, Vec::new());
        for (name, value) in fields {
            let is_wanted = self.fields.as_ref().is_none_or(|fields| fields.contains(&name));
            let text = folded(&value);
            let is_whole = text == self.text;
            if is_wanted && (is_whole || (!self.is_exact && text.contains(&self.text))) {
                is_partial &= !is_whole;
                matched.push(json!({"field_name": name, "field_value": value}));
            }
        }
        (!matched.is_empty()).then_some((is_partial, matched))
    }
}

fn folded(text: &str) -> String {
    host::strip(text).to_lowercase()
}

/// The scalar fields of a record as texts, named by their paths; a record that is a scalar is called `value`.
fn collect(path: &str, value: &Value, depth: usize, found: &mut Vec<(String, String)>) {
    match value {
        _ if depth > MOST_DEEP => {}
        Value::Object(fields) => {
            for (key, value) in fields.iter().take(MOST_FIELDS) {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(&below, value, depth + 1, found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().take(MOST_ITEMS).enumerate() {
                collect(&format!("{path}[{index}]"), value, depth + 1, found);
            }
        }
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        scalar => {
            let name = if path.is_empty() { "value" } else { path };
            found.push((name.to_owned(), host::text(scalar)));
        }
    }
}
