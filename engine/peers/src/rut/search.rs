//! Search over all records of a state, the third discovery helper (spec C.5).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::browse::{entities, limit, named};
use super::host;

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
