//! YAML as JSON: aliases written out, but not without bound, and merge keys (`<<`) merged.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Most values of a document: ten aliases of ten aliases of ten are a thousand.
const MAX_VALUES: usize = 2_000_000;

/// # Errors
/// It is no YAML, or holds too many values.
pub fn read(text: &str) -> Result<Value, serde_yaml_ng::Error> {
    Counted(&Cell::new(MAX_VALUES)).deserialize(serde_yaml_ng::Deserializer::from_str(text))
}

/// A value that takes its share of what is left.
#[derive(Clone, Copy)]
struct Counted<'a>(&'a Cell<usize>);

impl<'de> DeserializeSeed<'de> for Counted<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.0.get().checked_sub(1);
        self.0.set(left.ok_or_else(|| D::Error::custom("with its aliases written out it is too large"))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can hold")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let (mut own, mut merged) = (Map::new(), Vec::new());
        while let Some(key) = entries.next_key::<String>()? {
            match (key.as_str(), entries.next_value_seed(self)?) {
                ("<<", Value::Array(others)) => merged.extend(others),
                ("<<", other) => merged.push(other),
                (_, value) => drop(own.insert(key, value)),
            }
        }
        for other in
            merged.into_iter().filter_map(|other| if let Value::Object(map) = other { Some(map) } else { None })
        {
            for (key, value) in other {
                own.entry(key).or_insert(value);
            }
        }
        Ok(Value::Object(own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn merge_keys_are_merged_and_numbers_are_keys() {
        let text = "base: &base {a: 1, b: two}\none: {<<: *base, b: 2}\ntwo: {<<: [*base, {c: 3}]}\n200: yes\n";
        let read = read(text).unwrap();
        let expected = json!({"base": {"a": 1, "b": "two"}, "one": {"a": 1, "b": 2}, "two": {"a": 1, "b": "two", "c": 3}, "200": "yes"});
        assert_eq!(read, expected);
    }

    #[test]
    fn aliases_of_aliases_have_a_bound() {
        let mut text = "l0: &l0 [a, a, a, a, a, a, a, a, a, a]\n".to_owned();
        for level in 1..9 {
            let aliases = vec![format!("*l{}", level - 1); 10].join(", ");
            text.push_str(&format!("l{level}: &l{level} [{aliases}]\n"));
        }
        assert!(read(&text).is_err());
    }
}
