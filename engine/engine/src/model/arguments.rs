//! Arguments as a model writes them: a text that should be one JSON object.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads an argument text. No text at all stands for no arguments, as servers send it for tools that take none.
///
/// # Errors
/// Why it is not one JSON object: cut off, trailing text, the same key twice.
pub fn read(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text).map_err(|error| error.to_string())? {
        Strict(Value::Object(map)) => Ok(map),
        Strict(Value::Null) => Ok(Map::new()),
        Strict(_) => Err("it is no object".to_owned()),
    }
}

/// A value in which no object has the same key twice; serde_json keeps the last in silence.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number that is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((key, Strict(value))) = entries.next_entry::<String, Strict>()? {
            let short: String = key.chars().take(64).collect();
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom(format!("the key `{short}` stands there twice")));
            }
        }
        Ok(Value::Object(map.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_read_as_it_is() {
        let read = read(r#"{"a": [1, -2, 2.5, "x", true, null], "b": {"c": 18446744073709551615}}"#).unwrap();
        assert_eq!(
            Value::Object(read),
            json!({"a": [1, -2, 2.5, "x", true, null], "b": {"c": 18_446_744_073_709_551_615_u64}})
        );
    }

    #[test]
    fn no_text_is_no_arguments() {
        for text in ["", "  \n", "null", "{}"] {
            assert_eq!(read(text), Ok(Map::new()), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_one_object_says_why() {
        let why = |text: &str| read(text).unwrap_err();
        assert!(
            why(r#"{"booking_id":"B42","booking_id":"B43"}"#).starts_with("the key `booking_id` stands there twice")
        );
        assert!(why(r#"{"a": {"b": 1, "b": 1}}"#).starts_with("the key `b` stands there twice"));
        assert!(why(r#"{"booking_id":"B4"#).starts_with("EOF while parsing a string"));
        assert!(why(r#"{"a":1} and more"#).starts_with("trailing characters"));
        assert_eq!(why("[1]"), "it is no object");
        assert!(why(&"[".repeat(5000)).starts_with("recursion limit exceeded"));
    }
}
