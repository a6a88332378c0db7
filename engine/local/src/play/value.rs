//! Values as a player types them: plain text where the parameter takes text, JSON elsewhere.

use serde_json::Value;

/// The value that a text stands for under a parameter's schema.
/// An error: what the parameter takes instead.
pub fn read(schema: &Value, text: &str) -> Result<Value, String> {
    let json: Option<Value> = serde_json::from_str(text).ok();
    let takes_text = permits(schema, "string");
    match json {
        Some(value) if text.starts_with('"') || permits(schema, kind(&value)) => Ok(value),
        None if text.starts_with('"') => Err(format!("{text} is no JSON text")),
        Some(_) | None if takes_text => Ok(Value::from(text)),
        // The tool says itself what is wrong with it.
        Some(value) => Ok(value),
        None => Err(format!("`{text}` is no {}", wanted(schema))),
    }
}

pub fn write(schema: &Value, value: &Value) -> String {
    match value {
        Value::String(text) if read(schema, text).as_ref() == Ok(value) && is_one_word(text) => text.clone(),
        _ => value.to_string(),
    }
}

fn is_one_word(text: &str) -> bool {
    let words = super::command::split(text);
    words.open.is_none() && words.words.len() == 1 && text.trim() == text && !text.chars().any(char::is_control)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a schema says that values of this kind may stand there; one that says nothing permits all.
fn permits(schema: &Value, kind: &str) -> bool {
    let is_it = |name: &Value| name == kind || (kind == "integer" && name == "number");
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().any(|value| is_it(&Value::from(self::kind(value))));
    }
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(is_it),
        Some(name) => is_it(name),
        None => schema.get("const").is_none_or(|value| is_it(&Value::from(self::kind(value)))),
    }
}

fn wanted(schema: &Value) -> String {
    match schema.get("type") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        Some(_) | None => "JSON value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_schema_decides_what_a_text_is() {
        let (text, whole, both) =
            (json!({"type": "string"}), json!({"type": "integer"}), json!({"type": ["string", "null"]}));
        assert_eq!(read(&text, "101"), Ok(json!("101")));
        assert_eq!(read(&text, "\"a b\""), Ok(json!("a b")));
        assert_eq!(read(&text, "true"), Ok(json!("true")));
        assert_eq!(read(&whole, "101"), Ok(json!(101)));
        assert_eq!(read(&both, "null"), Ok(json!(null)));
        assert_eq!(read(&both, "nul"), Ok(json!("nul")));
        assert_eq!(read(&json!({"enum": ["1", "2"]}), "1"), Ok(json!("1")));
        assert_eq!(read(&json!({"enum": [1, 2]}), "1"), Ok(json!(1)));
        assert_eq!(read(&json!({"type": "number"}), "1"), Ok(json!(1)));
        assert_eq!(read(&json!({}), "[1]"), Ok(json!([1])));
        assert_eq!(read(&json!({}), "word"), Ok(json!("word")));
        assert_eq!(read(&json!({"type": "array"}), "[\"a\"]"), Ok(json!(["a"])));
    }

    #[test]
    fn what_is_no_such_value_is_refused_and_what_is_json_goes_to_the_tool() {
        assert_eq!(read(&json!({"type": "integer"}), "two"), Err("`two` is no integer".to_owned()));
        assert_eq!(read(&json!({"type": "string"}), "\"a"), Err("\"a is no JSON text".to_owned()));
        assert_eq!(read(&json!({"type": "integer"}), "1.5"), Ok(json!(1.5)));
        assert_eq!(read(&json!({"type": "integer"}), "\"x\""), Ok(json!("x")));
    }

    #[test]
    fn written_values_are_read_again() {
        let schemas = [json!({"type": "string"}), json!({"type": ["string", "null"]}), json!({})];
        for schema in &schemas {
            for value in [json!("a"), json!("a b"), json!("null"), json!("1"), json!("\"q\""), json!("[x"), json!("")] {
                assert_eq!(read(schema, &write(schema, &value)), Ok(value), "{schema}");
            }
        }
    }
}
