//! What stands within a JSON value, however deep.

use serde_json::Value;

/// The value and all that stands in it, each before its parts, in order.
pub fn within(value: &Value) -> impl Iterator<Item = &Value> {
    let mut left = vec![value];
    std::iter::from_fn(move || {
        let next = left.pop()?;
        match next {
            Value::Array(items) => left.extend(items.iter().rev()),
            Value::Object(map) => left.extend(map.values().rev()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        Some(next)
    })
}

/// All texts within a value, in order.
pub fn texts(value: &Value) -> impl Iterator<Item = &str> {
    within(value).filter_map(Value::as_str)
}

/// The value with what `made` makes of each text in it.
pub fn with_texts(value: &Value, made: &mut dyn FnMut(&str) -> Value) -> Value {
    match value {
        Value::String(text) => made(text),
        Value::Array(items) => items.iter().map(|item| with_texts(item, made)).collect(),
        Value::Object(map) => map.iter().map(|(name, item)| (name.clone(), with_texts(item, made))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_come_in_order_and_texts_are_replaced_where_they_stand() {
        let value = json!({"b": ["x", {"d": "y"}, 3], "a": "w"});
        assert_eq!(texts(&value).collect::<String>(), "wxy");
        let all = [
            &value,
            &json!("w"),
            &json!(["x", {"d": "y"}, 3]),
            &json!("x"),
            &json!({"d": "y"}),
            &json!("y"),
            &json!(3),
        ];
        assert_eq!(within(&value).collect::<Vec<_>>(), all);
        let upper = with_texts(&value, &mut |text| json!(text.to_uppercase()));
        assert_eq!(upper, json!({"b": ["X", {"d": "Y"}, 3], "a": "W"}));
    }
}
