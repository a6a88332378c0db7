//! What a value of a protocol is, and what is wrong with one that is something else, in the protocol's words. serde alone
//! would take a list for a struct, and would name the program's types.

use serde_json::{Map, Value};

/// What a value is.
#[derive(Debug)]
pub enum Shape {
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A whole number, up to this one.
    Whole(u64),
    /// An object of texts.
    Texts,
    /// A list of such values.
    List(&'static Shape),
    /// An object with these fields and no other.
    Object(&'static [Field]),
    /// Anything.
    Any,
}

/// A field of an object.
#[derive(Debug)]
pub struct Field(pub &'static str, pub Shape, pub Need);

/// Whether a field must stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must.
    Must,
    /// It may be left out.
    May,
    /// It may also be null.
    MayBeNull,
}

/// What is wrong with a value: `at` is where below it (`.calls[0]`, or nothing), `what` says how it ought to be, as what
/// follows the name of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Where.
    pub at: String,
    /// What: `is a text`, `lacks \`tool\``.
    pub what: String,
}

impl Misfit {
    fn below(mut self, step: &str) -> Misfit {
        self.at.insert_str(0, step);
        self
    }
}

impl Shape {
    /// The first thing that is wrong with a value.
    #[must_use]
    pub fn misfit(&self, value: &Value) -> Option<Misfit> {
        let is = |what: String| Some(Misfit { at: String::new(), what: format!("is {what}") });
        match (self, value) {
            (Shape::Any, _) | (Shape::Text, Value::String(_)) | (Shape::Flag, Value::Bool(_)) => None,
            (Shape::Whole(most), Value::Number(number)) if number.as_u64().is_some_and(|number| number <= *most) => {
                None
            }
            (Shape::Texts, Value::Object(map)) if map.values().all(Value::is_string) => None,
            (Shape::List(shape), Value::Array(list)) => list
                .iter()
                .enumerate()
                .find_map(|(number, value)| Some(shape.misfit(value)?.below(&format!("[{number}]")))),
            (Shape::Object(fields), Value::Object(map)) => misfit_of_fields(fields, map),
            (Shape::Text, _) => is("a text".to_owned()),
            (Shape::Flag, _) => is("true or false".to_owned()),
            (Shape::Whole(most), _) => is(format!("a whole number from 0 to {most}")),
            (Shape::Texts, _) => is("an object whose values are texts".to_owned()),
            (Shape::List(_), _) => is("a list".to_owned()),
            (Shape::Object(fields), _) => is(format!("an object with {}", names(fields))),
        }
    }
}

fn names(fields: &[Field]) -> String {
    format!("`{}`", fields.iter().map(|Field(name, ..)| *name).collect::<Vec<_>>().join("`, `"))
}

fn misfit_of_fields(fields: &[Field], map: &Map<String, Value>) -> Option<Misfit> {
    let here = |what: String| Some(Misfit { at: String::new(), what });
    if let Some(key) = map.keys().find(|key| fields.iter().all(|Field(name, ..)| name != key)) {
        let key: String = key.chars().take(80).collect();
        return here(format!("has no field `{key}`: it has {}", names(fields)));
    }
    fields.iter().find_map(|Field(name, shape, need)| match map.get(*name) {
        None if *need == Need::Must => here(format!("lacks `{name}`")),
        None => None,
        Some(Value::Null) if *need == Need::MayBeNull => None,
        Some(value) => Some(shape.misfit(value)?.below(&format!(".{name}"))),
    })
}
