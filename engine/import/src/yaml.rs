//! YAML as JSON: aliases written out, but not without bound, and merge keys (`<<`) merged.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Most bytes of a document, and what a value counts for beside its text: ten aliases of ten aliases of ten are a
/// thousand.
const MAX_BYTES: usize = 128 << 20;
const VALUE: usize = 64;
/// Most keys that are told.
const MAX_TOLD: usize = 20;

/// A document, and the keys that stood twice in one place.
#[derive(Debug, PartialEq)]
pub struct Document {
    pub value: Value,
    pub twice: BTreeSet<String>,
}

/// # Errors
/// It is no YAML, or holds too much.
pub fn read(text: &str) -> Result<Document, serde_yaml_ng::Error> {
    let (left, twice) = (Cell::new(MAX_BYTES), RefCell::default());
    let value = Counted { left: &left, twice: &twice }.deserialize(serde_yaml_ng::Deserializer::from_str(text))?;
    Ok(Document { value, twice: twice.into_inner() })
}

/// A value that takes its share of what is left.
#[derive(Clone, Copy)]
struct Counted<'a> {
    left: &'a Cell<usize>,
    twice: &'a RefCell<BTreeSet<String>>,
}

impl Counted<'_> {
    fn take<E: Error>(self, bytes: usize) -> Result<(), E> {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.ok_or_else(|| E::custom("with its aliases written out it is too large"))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Counted<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.take(VALUE)?;
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

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.take(value.len())?;
        Ok(value.into())
    }

    /// A value with a tag is read as the value.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (_, value) = tagged.variant::<String>()?;
        value.newtype_variant_seed(self)
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
            self.take(key.len())?;
            match (key.as_str(), entries.next_value_seed(self)?) {
                ("<<", Value::Array(others)) => merged.extend(others),
                ("<<", other) => merged.push(other),
                (_, value) => {
                    let mut twice = self.twice.borrow_mut();
                    if own.insert(key.clone(), value).is_some() && twice.len() < MAX_TOLD {
                        twice.insert(key);
                    }
                }
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
        let read = read(text).unwrap().value;
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

    #[test]
    fn aliases_of_a_long_text_have_a_bound() {
        let text = format!("long: &long {}\nall: [{}]\n", "x".repeat(1 << 20), vec!["*long"; 2_000].join(", "));
        assert!(read(&text).unwrap_err().to_string().contains("too large"));
    }

    #[test]
    fn keys_that_stand_twice_are_told_and_tags_are_read_through() {
        let read = read("a: !one {b: !two 3}\na: !three [x]\nc: !four {d: 1, d: 2}\n").unwrap();
        assert_eq!(read.value, json!({"a": ["x"], "c": {"d": 2}}));
        assert_eq!(read.twice.into_iter().collect::<Vec<_>>(), ["a", "d"]);
    }
}
