//! Search over all records of a state, the third discovery helper (spec C.5).

use serde_json::{Map, Value, json};

use super::browse::{bounded, entities, named};
use super::host;

/// Fields looked at in an object, and items in a list.
const MOST_FIELDS: usize = 20;
const MOST_ITEMS: usize = 10;
/// How deep fields lie that are looked at.
const MOST_DEEP: usize = 2;

/// The records whose key or fields match, best first.
pub(super) fn search(state: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let query = host::label(arguments.get("query")).to_lowercase();
    if query.is_empty() {
        return Err("query must be a non-empty string".to_owned());
    }
    let containers: Vec<(String, &Value)> = match arguments.get("container_name").filter(|name| !name.is_null()) {
        Some(_) => vec![named(state, arguments)?],
        None => state.iter().map(|(name, value)| (name.clone(), value)).collect(),
    };
    let wanted: Vec<String> = match arguments.get("field_names") {
        Some(Value::Array(names)) => names.iter().map(|name| host::label(Some(name)).to_lowercase()).collect(),
        Some(_) | None => Vec::new(),
    };
    let is_exact = host::is_truthy_field(arguments.get("exact"));
    let limit = bounded(arguments.get("limit"), 20, (1, 100));
    let mut found = Vec::new();
    for (container, value) in containers {
        for (key, record) in entities(&container, value) {
            let mut fields = vec![("entity_key".to_owned(), Value::from(key.clone()))];
            flatten("", record, 0, &mut fields);
            let is_wanted = |name: &str| wanted.is_empty() || wanted.contains(&name.to_lowercase());
            let matched = fields.into_iter().filter(|(name, _)| is_wanted(name)).filter(|(_, value)| {
                let text = host::strip(&host::text(value)).to_lowercase();
                if is_exact { text == query } else { text.contains(&query) }
            });
            let matched: Vec<(String, Value)> = matched.collect();
            if !matched.is_empty() {
                let is_equal = |(_, value): &(String, Value)| host::text(value).to_lowercase() == query;
                let score = u8::from(!matched.iter().any(is_equal));
                let shown = matched.iter().map(|(name, value)| json!({"field_name": name, "field_value": value}));
                let shown: Vec<Value> = shown.collect();
                let entry =
                    json!({"container_name": container, "entity_key": key, "matched_fields": shown, "record": record});
                found.push((score, container.clone(), key, entry));
            }
        }
    }
    found.sort_by(|a, b| (a.0, &a.1, &a.2).cmp(&(b.0, &b.1, &b.2)));
    Ok(Value::Array(found.into_iter().take(limit).map(|(_, _, _, entry)| entry).collect()))
}

/// The scalar fields of a record, named by their dotted paths; a record that is a scalar is called `value`.
fn flatten(path: &str, value: &Value, depth: usize, found: &mut Vec<(String, Value)>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(fields) if depth <= MOST_DEEP => {
            fields.iter().take(MOST_FIELDS).for_each(|(key, value)| flatten(&below(key), value, depth + 1, found));
        }
        Value::Array(items) if depth <= MOST_DEEP => {
            let items = items.iter().take(MOST_ITEMS).enumerate();
            items.for_each(|(index, value)| flatten(&below(&index.to_string()), value, depth + 1, found));
        }
        Value::Object(_) | Value::Array(_) | Value::Null => {}
        scalar => found.push((if path.is_empty() { "value".to_owned() } else { path.to_owned() }, scalar.clone())),
    }
}
