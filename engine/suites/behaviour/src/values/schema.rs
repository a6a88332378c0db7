//! What a parameter's schema says of the values that it takes.

use serde_json::Value;

pub fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The names of the parts that may not be left out.
pub fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether a value is of a type.
pub fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// What an element is called of what is in a list of this name: a list of `item_ids` holds what an `item_id` is.
pub fn element_name(list: &str) -> &str {
    list.strip_suffix('s').unwrap_or(list)
}

/// The texts and whole numbers that stand in an expression, in their order.
pub fn literals(expression: &str) -> Vec<Value> {
    let mut found = Vec::new();
    // Every second part stands between quotes.
    for (at, part) in expression.split('"').enumerate() {
        if at % 2 == 1 {
            found.push(Value::from(part));
            continue;
        }
        let words = part.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        found.extend(words.filter_map(|word| word.replace('_', "").parse::<i64>().ok()).map(Value::from));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_and_whole_numbers_are_found() {
        let found = literals("args.kind == \"late 7\" && args.cents1 > 20 && x12(1_000) < 1.5");
        assert_eq!(found, [json!("late 7"), json!(20), json!(1000)]);
    }
}
