//! Values as tau2-bench writes them (1.2, 1.3): what an agent reads, and what a hash is taken of. Maps with free keys
//! are shown in the order of the peer's file; ours are sorted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::domain::Domain;
use super::layout::{Layout, Layouts};

pub(super) struct Writer<'w> {
    pub(super) domain: Domain,
    pub(super) layouts: &'w Layouts,
    pub(super) orders: &'w KeyOrders,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The content of a tool's message: fields in their order, blanks, other letters than ASCII escaped.
    Message,
    /// The same for what a tool put together by itself, where scalars may be texts.
    Loose,
    /// What a hash is taken of: keys sorted, no blanks.
    Canonical,
}

const PLAIN: Layout = Layout::Plain;

impl Writer<'_> {
    pub(super) fn message(&self, tool: &str, observation: &Value) -> String {
        if let Some(text) = observation.as_str() {
            return text.to_owned();
        }
        let form = if self.domain.writes_plain_numbers_as_text() { Form::Loose } else { Form::Message };
        let mut out = String::new();
        self.write(observation, self.layouts.results.get(tool).unwrap_or(&PLAIN), form, &mut out);
        out
    }

    /// An entity, as a hash is taken of it.
    pub(super) fn entity(&self, part: &str, fields: &Map<String, Value>, out: &mut String) {
        self.write_entity(part, fields, Form::Canonical, out);
    }

    fn write(&self, value: &Value, layout: &Layout, form: Form, out: &mut String) {
        match (value, layout) {
            (Value::Object(fields), Layout::Entity(part)) => {
                let form = if form == Form::Loose { Form::Message } else { form };
                self.write_entity(part, fields, form, out);
            }
            (Value::Object(fields), Layout::OneOf(layouts)) => {
                let layout = layouts.iter().find(|layout| self.holds(layout, fields)).unwrap_or(&PLAIN);
                self.write(value, layout, form, out);
            }
            (Value::Array(_), Layout::OneOf(layouts)) => {
                let list = layouts.iter().find(|layout| matches!(layout, Layout::List(_))).unwrap_or(&PLAIN);
                self.write(value, list, form, out);
            }
            (Value::Object(fields), Layout::Fields(known)) => {
                let of = |name: &String| fields.get(name);
                let written = known.iter().filter_map(|(name, layout)| Some((name, of(name)?, layout)));
                self.write_fields(written.collect(), form, out);
            }
            (Value::Object(fields), layout) => {
                let values = if let Layout::Map(values) = layout { values } else { &PLAIN };
                let fields = self.orders.sorted(fields).into_iter();
                self.write_fields(fields.map(|(name, value)| (name, value, values)).collect(), form, out);
            }
            (Value::Array(items), layout) => {
                let of_items = if let Layout::List(items) = layout { items } else { &PLAIN };
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(comma(form));
                    }
                    self.write(item, of_items, form, out);
                }
                out.push(']');
            }
            (Value::Number(_) | Value::Bool(_), layout) if form == Form::Loose => {
                let scalar = scalar(value, layout);
                write_text(&scalar, form, out);
            }
            (Value::Number(_) | Value::Bool(_) | Value::Null, layout) => match value {
                Value::Number(_) => out.push_str(&scalar(value, layout)),
                other => out.push_str(&other.to_string()),
            },
            (Value::String(text), _) => write_text(text, form, out),
        }
    }

    /// An entity with all its fields, those that are not there as null.
    fn write_entity(&self, part: &str, fields: &Map<String, Value>, form: Form, out: &mut String) {
        let known = match self.layouts.parts.get(part) {
            Some(Layout::Fields(known)) => known.as_slice(),
            Some(_) | None => &[],
        };
        let written = known.iter().map(|(name, layout)| (name, fields.get(name).unwrap_or(&Value::Null), layout));
        self.write_fields(written.collect(), form, out);
    }

    fn write_fields(&self, mut fields: Vec<(&String, &Value, &Layout)>, form: Form, out: &mut String) {
        if form == Form::Canonical {
            fields.sort_by_key(|(name, ..)| *name);
        }
        out.push('{');
        for (index, (name, value, layout)) in fields.into_iter().enumerate() {
            if index > 0 {
                out.push_str(comma(form));
            }
            write_text(name, form, out);
            out.push_str(if form == Form::Canonical { ":" } else { ": " });
            match value.as_str().filter(|text| form == Form::Message && self.is_moment(text)) {
                Some(moment) => write_text(&moment.replacen('T', " ", 1), form, out),
                None => self.write(value, layout, form, out),
            }
        }
        out.push('}');
    }

    /// Whether a text is a moment, which entities of the telecom world have with a space in messages.
    fn is_moment(&self, text: &str) -> bool {
        const SHAPE: &[u8] = b"0000-00-00T00:00:00";
        let fits = |(c, shape): (u8, &u8)| if *shape == b'0' { c.is_ascii_digit() } else { c == *shape };
        self.domain == Domain::Telecom && text.len() == SHAPE.len() && text.bytes().zip(SHAPE).all(fits)
    }

    fn holds(&self, layout: &Layout, fields: &Map<String, Value>) -> bool {
        let known = match layout {
            Layout::Fields(known) => known,
            Layout::Entity(part) => match self.layouts.parts.get(part) {
                Some(Layout::Fields(known)) => known,
                Some(_) | None => return false,
            },
            Layout::Float | Layout::Plain | Layout::List(_) | Layout::Map(_) | Layout::OneOf(_) => return false,
        };
        fields.keys().all(|name| known.iter().any(|(field, _)| field == name))
    }
}

/// The canonical text of parts of a state: each a map or a list of entities, or one object.
pub(super) fn object(parts: BTreeMap<&str, String>) -> String {
    let parts: Vec<String> = parts.into_iter().map(|(name, text)| format!("\"{name}\":{text}")).collect();
    format!("{{{}}}", parts.join(","))
}

fn comma(form: Form) -> &'static str {
    if form == Form::Canonical { "," } else { ", " }
}

/// A number or a truth value as Python writes it where it is text.
fn scalar(value: &Value, layout: &Layout) -> String {
    match (value, layout) {
        (Value::Bool(flag), _) => (if *flag { "True" } else { "False" }).to_owned(),
        (Value::Number(number), Layout::Float) if !number.is_f64() => format!("{number}.0"),
        _ => value.to_string(),
    }
}

/// A JSON text; in messages with all letters but ASCII escaped.
fn write_text(text: &str, form: Form, out: &mut String) {
    if text.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\') {
        out.extend(["\"", text, "\""]);
        return;
    }
    let quoted = Value::from(text).to_string();
    if form == Form::Canonical || quoted.is_ascii() {
        return out.push_str(&quoted);
    }
    for c in quoted.chars() {
        match c {
            c if c.is_ascii() => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a text cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
}

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
