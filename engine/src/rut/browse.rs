//! The four discovery helpers that every environment of the reference offers (spec C.5).

use serde_json::{Map, Value, json};

use super::host;
use super::search;

/// The names of the helpers.
pub const HELPERS: [&str; 4] =
    ["list_state_containers", "list_state_entities", "search_state_entities", "get_state_entity"];

/// Sample keys shown for a container.
const SAMPLE_KEYS: usize = 5;

/// The result of a helper; `None` when the tool is none of them.
pub fn call(state: &Value, tool: &str, arguments: &Value) -> Option<Value> {
    let none = Map::new();
    let state: Map<String, Value> =
        state.as_object().unwrap_or(&none).iter().filter(|(name, _)| !name.starts_with('_')).map(owned).collect();
    let result = match tool {
        "list_state_containers" => Ok(Value::Array(state.iter().map(|(name, value)| container(name, value)).collect())),
        "list_state_entities" => list(&state, arguments),
        "search_state_entities" => search::search(&state, arguments),
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
    let (kind, keys): (&str, Vec<String>) = match value {
        Value::Object(fields) => ("dict", fields.keys().cloned().collect()),
        Value::Array(items) => ("list", (0..items.len()).map(|index| index.to_string()).collect()),
        Value::Null => ("NoneType", Vec::new()),
        Value::Bool(_) => ("bool", Vec::new()),
        Value::Number(number) if number.is_f64() => ("float", Vec::new()),
        Value::Number(_) => ("int", Vec::new()),
        Value::String(_) => ("str", Vec::new()),
    };
    let is_structured = matches!(value, Value::Object(_) | Value::Array(_));
    json!({
        "container_name": name,
        "container_type": kind,
        "is_structured": is_structured,
        "item_count": if is_structured { keys.len() } else { 1 },
        "sample_keys": keys.into_iter().take(SAMPLE_KEYS).collect::<Vec<_>>(),
    })
}

/// The records of a container with their keys.
pub(super) fn entities<'a>(name: &str, value: &'a Value) -> Vec<(String, &'a Value)> {
    match value {
        Value::Object(fields) if fields.keys().any(|key| is_id(key)) => vec![(name.to_owned(), value)],
        Value::Object(fields) => fields.iter().map(|(key, record)| (key.clone(), record)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        _ => vec![(name.to_owned(), value)],
    }
}

/// Whether a key makes an object one record rather than a container of records.
fn is_id(key: &str) -> bool {
    let key = key.to_lowercase();
    ["id", "name", "title", "username", "ticker", "symbol", "email", "phone"].contains(&key.as_str())
        || key.ends_with("_id")
}

/// The container an argument names.
pub(super) fn named<'a>(state: &'a Map<String, Value>, arguments: &Value) -> Result<(String, &'a Value), String> {
    let name = host::label(arguments.get("container_name"));
    if name.is_empty() {
        return Err("container_name must be a non-empty string".to_owned());
    }
    match state.get(&name) {
        Some(value) => Ok((name, value)),
        None => {
            let known: Vec<Value> = state.keys().map(|known| Value::from(known.clone())).collect();
            let known = host::text(&Value::Array(known));
            Err(format!("Unknown container '{name}'. Available containers: {known}"))
        }
    }
}

/// A limit or offset: what is given when it is a whole number, else the default.
pub(super) fn bounded(value: Option<&Value>, default: i64, (least, most): (i64, i64)) -> usize {
    let given = value.filter(|value| !value.is_null()).map_or(default, |value| host::integer(Some(value)));
    usize::try_from(given.clamp(least, most)).unwrap_or_default()
}

fn list(state: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let (name, value) = named(state, arguments)?;
    let limit = bounded(arguments.get("limit"), 50, (1, 200));
    let offset = bounded(arguments.get("offset"), 0, (0, i64::MAX));
    let all = entities(&name, value);
    let total = all.len();
    let items = all.into_iter().skip(offset).take(limit);
    let items: Vec<Value> =
        items.map(|(key, record)| json!({"container_name": name, "entity_key": key, "record": record})).collect();
    Ok(json!({"container_name": name, "items": items, "limit": limit, "offset": offset, "total_count": total}))
}

fn get(state: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let (name, value) = named(state, arguments)?;
    let key = host::label(arguments.get("entity_key"));
    if key.is_empty() {
        return Err("entity_key must be a non-empty string".to_owned());
    }
    let found = entities(&name, value).into_iter().find(|(known, _)| *known == key);
    match found {
        Some((key, record)) => Ok(json!({"container_name": name, "entity_key": key, "record": record})),
        None => Err(format!("Unknown entity '{key}' in container '{name}'")),
    }
}
