//! The order in which maps with free keys are shown: as the peer's file has them. Our maps are sorted.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

#[derive(Clone, Debug, Default)]
pub(super) struct KeyOrders {
    of_maps: BTreeMap<u64, Vec<String>>,
    /// Where each key stood first in the file, for maps that are not there.
    firsts: BTreeMap<String, usize>,
}

impl KeyOrders {
    pub(super) fn of(text: &str) -> Result<KeyOrders, serde_json::Error> {
        let mut orders = KeyOrders::default();
        orders.add(&serde_json::from_str(text)?);
        Ok(orders)
    }

    fn add(&mut self, value: &Ordered) {
        match value {
            Ordered::Leaf(_) => {}
            Ordered::List(items) => items.iter().for_each(|item| self.add(item)),
            Ordered::Object(fields) => {
                let map: BTreeMap<&str, &Ordered> = fields.iter().map(|(key, field)| (key.as_str(), field)).collect();
                let name = name_of(map.into_iter().map(|(key, field)| (key, field.text())));
                let keys = || fields.iter().map(|(key, _)| key.clone());
                self.of_maps.entry(name).or_insert_with(|| keys().collect());
                for key in keys() {
                    let next = self.firsts.len();
                    self.firsts.entry(key).or_insert(next);
                }
                fields.iter().for_each(|(_, field)| self.add(field));
            }
        }
    }

    /// The fields of a map in the order in which they are shown; what the file does not have comes last.
    pub(super) fn sorted<'m>(&self, map: &'m Map<String, Value>) -> Vec<(&'m String, &'m Value)> {
        let order = self.of_maps.get(&name_of(map.iter().map(|(key, value)| (key.as_str(), value.as_str()))));
        let place = |key: &String| match order {
            Some(order) => order.iter().position(|known| known == key).unwrap_or(usize::MAX),
            None => self.firsts.get(key).copied().unwrap_or(usize::MAX),
        };
        let mut fields: Vec<_> = map.iter().collect();
        fields.sort_by_key(|(key, _)| place(key));
        fields
    }
}

/// What tells a map from others: its keys, and those of its values that are texts.
fn name_of<'m>(fields: impl Iterator<Item = (&'m str, Option<&'m str>)>) -> u64 {
    let mut hasher = DefaultHasher::new();
    fields.for_each(|field| field.hash(&mut hasher));
    hasher.finish()
}

/// A JSON value that keeps the order of its fields.
enum Ordered {
    Leaf(Value),
    List(Vec<Ordered>),
    Object(Vec<(String, Ordered)>),
}

impl Ordered {
    fn text(&self) -> Option<&str> {
        match self {
            Ordered::Leaf(Value::String(text)) => Some(text),
            Ordered::Leaf(_) | Ordered::List(_) | Ordered::Object(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OrderedVisitor)
    }
}

struct OrderedVisitor;

impl<'de> Visitor<'de> for OrderedVisitor {
    type Value = Ordered;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Ordered, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Ordered::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Ordered, A::Error> {
        let mut object = Vec::new();
        while let Some(field) = fields.next_entry()? {
            object.push(field);
        }
        Ok(Ordered::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn maps_are_shown_as_the_file_has_them() {
        let orders = KeyOrders::of(r#"[{"size": "M", "color": "red"}, {"p2": {"n": 1}, "p1": {"n": 2}}]"#).unwrap();
        let keys = |value: Value| {
            let map = value.as_object().unwrap().clone();
            orders.sorted(&map).into_iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()
        };
        assert_eq!(keys(json!({"size": "M", "color": "red"})), ["size", "color"]);
        assert_eq!(
            keys(json!({"colour": "x", "p1": {"n": 0}, "p2": {"n": 1}})),
            ["p2", "p1", "colour"],
            "one that grew"
        );
        assert_eq!(keys(json!({"p1": {"n": 9}, "p2": {"n": 1}})), ["p2", "p1"], "what a map holds may change");
    }
}
