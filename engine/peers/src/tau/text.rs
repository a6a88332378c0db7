//! Values as tau2-bench writes them (1.2, 1.3): what an agent reads, and what a hash is taken of.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::domain::Domain;
use super::layout::{Layout, Layouts};
use super::shown::KeyOrders;

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
