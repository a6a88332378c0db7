//! Two schemas of one value as one: of what fits both, and of what fits either.

use serde_json::{Map, Value, json};

use super::Normaliser;

impl Normaliser<'_> {
    /// Puts a second schema of the same value into the first, so that what fits both fits it: both properties, both
    /// required, the narrower of two bounds. What cannot be said so is noted, and the first stays.
    pub(super) fn merge(&mut self, own: &mut Map<String, Value>, other: Value, at: &str) {
        let Value::Object(other) = other else { return };
        for (key, value) in other {
            let Some(known) = own.get_mut(&key) else {
                own.insert(key, value);
                continue;
            };
            if *known == value {
                continue;
            }
            let number = |value: &Value| value.as_f64().unwrap_or_default();
            match (key.as_str(), known, value) {
                ("properties", Value::Object(known), Value::Object(more)) => {
                    for (name, schema) in more {
                        match known.get_mut(&name) {
                            Some(Value::Object(known)) => self.merge(known, schema, &format!("{at}/properties/{name}")),
                            _ => drop(known.insert(name, schema)),
                        }
                    }
                }
                ("items" | "additionalProperties", Value::Object(known), more @ Value::Object(_)) => {
                    self.merge(known, more, at);
                }
                ("required", Value::Array(known), Value::Array(more)) => {
                    let more: Vec<Value> = more.into_iter().filter(|name| !known.contains(name)).collect();
                    known.extend(more);
                }
                ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", known, value) => {
                    if number(&value) > number(known) {
                        *known = value;
                    }
                }
                ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", known, value) => {
                    if number(&value) < number(known) {
                        *known = value;
                    }
                }
                ("uniqueItems" | "deprecated", known, _) => *known = true.into(),
                ("enum" | "type", known, value) => match common(&key, known, &value) {
                    Some(both) => *known = both,
                    None => self.note(at, format!("no value is of both `{key}`: the first is kept")),
                },
                ("description" | "default" | "additionalProperties", ..) => {}
                (key, ..) => self.note(at, format!("of two `{key}` that hold at once the first is kept")),
            }
        }
    }
}

/// What two lists of values or types have in common; nothing where they have nothing.
fn common(key: &str, one: &Value, other: &Value) -> Option<Value> {
    let all = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let other = all(other);
    // A whole number is a number.
    let holds = |values: &[Value], value: &Value| {
        values.contains(value) || (key == "type" && value == "integer" && values.iter().any(|kind| kind == "number"))
    };
    let one = all(one);
    let mut both: Vec<Value> = one.iter().filter(|value| holds(&other, value)).cloned().collect();
    both.extend(other.iter().filter(|value| !one.contains(value) && holds(&one, value)).cloned());
    match both.as_slice() {
        [] => None,
        [only] if key == "type" => Some(only.clone()),
        _ => Some(both.into()),
    }
}

/// A schema for what fits one of two: of two lists of values one list, else both as alternatives.
pub(super) fn either(one: &Value, other: &Value) -> Value {
    let (Value::Object(a), Value::Object(b)) = (one, other) else { return json!({}) };
    if a == b || a.is_empty() {
        return one.clone();
    }
    if b.is_empty() {
        return other.clone();
    }
    let values = |map: &Map<String, Value>| -> Option<Vec<Value>> {
        let is_only_listed = map.keys().all(|key| ["enum", "const", "type", "description"].contains(&key.as_str()));
        let listed = map.get("enum").and_then(Value::as_array).cloned();
        listed.or_else(|| Some(vec![map.get("const")?.clone()])).filter(|_| is_only_listed)
    };
    if let (Some(mut all), Some(more), true) = (values(a), values(b), a.get("type") == b.get("type")) {
        all.extend(more);
        let mut merged = a.clone();
        merged.remove("const");
        let all = all.iter().enumerate().filter(|(at, value)| !all.iter().take(*at).any(|known| known == *value));
        merged.insert("enum".to_owned(), all.map(|(_, value)| value.clone()).collect());
        return merged.into();
    }
    let parts = |value: &Value| match value.get("anyOf").and_then(Value::as_array) {
        Some(all) if value.as_object().is_some_and(|map| map.len() == 1) => all.clone(),
        _ => vec![value.clone()],
    };
    let mut all = parts(one);
    for part in parts(other) {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    json!({"anyOf": all})
}
