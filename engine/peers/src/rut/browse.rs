//! The four discovery helpers that every environment of the reference offers (spec C.5).

use serde_json::{Map, Value, json};

use super::host;
use super::search;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> Value {
        json!({"_hidden": {}, "beds": {"B1": {"plant": "fern", "tags": ["wet", 7.0]}, "B2": {"plant": "Ferns"}},
            "gardener": {"title": "", "gardener_id": "G1"}, "empty": {}, "open": true})
    }

    fn data(tool: &str, arguments: Value) -> Value {
        call(&state(), tool, &arguments).unwrap()["data"].clone()
    }

    fn error(tool: &str, arguments: Value) -> String {
        call(&state(), tool, &arguments).unwrap()["error"].as_str().unwrap().to_owned()
    }

    #[test]
    fn containers_are_listed_without_private_ones() {
        let listed = data("list_state_containers", json!({}));
        let counts: Vec<_> =
            listed.as_array().unwrap().iter().map(|c| (&c["container_name"], &c["item_count"])).collect();
        let expected = [("beds", json!(2)), ("empty", json!(0)), ("gardener", json!(1)), ("open", json!(null))];
        assert_eq!(format!("{counts:?}"), format!("{:?}", expected.each_ref().map(|(n, c)| (json!(n), c))));
    }

    #[test]
    fn entities_are_paged_and_a_lone_record_has_a_key() {
        let listed = data("list_state_entities", json!({"container_name": "beds", "limit": 0, "offset": "1"}));
        assert_eq!((&listed["limit"], &listed["items"][0]["entity_key"]), (&json!(50), &json!("B2")));
        assert_eq!(
            data("get_state_entity", json!({"container_name": "gardener", "entity_key": " G1 "}))["entity_key"],
            "G1"
        );
        assert_eq!(
            error("list_state_entities", json!({"container_name": "open"})),
            "Container 'open' is not a browsable entity container"
        );
    }

    #[test]
    fn the_best_match_comes_first() {
        let found = data("search_state_entities", json!({"query": " FERN ", "limit": true}));
        assert_eq!(found[0]["matched_fields"], json!([{"field_name": "plant", "field_value": "fern"}]));
        let nested = data("search_state_entities", json!({"query": "7.0", "field_names": ["tags[1]"], "exact": 1}));
        assert_eq!(nested[0]["matched_fields"], json!([{"field_name": "tags[1]", "field_value": "7.0"}]));
        assert_eq!(error("search_state_entities", json!({"query": 7})), "query must be a non-empty string");
    }
}
