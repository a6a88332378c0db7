//! The keywords of the dialect, and the schemas within a schema: data such as `enum` holds none.

use serde_json::Value;

use crate::model::pointer;

#[derive(Clone, Copy)]
pub(super) enum Holds {
    Plain,
    /// One schema, for the same instance.
    Same,
    /// A list of schemas, for the same instance.
    SameList,
    /// One schema, for parts of the instance.
    Part,
    /// A list of schemas, for parts of the instance.
    PartList,
    Named,
}

#[rustfmt::skip]
pub(super) const KEYWORDS: &[(&str, Holds)] = &[
    ("$comment", Holds::Plain), ("$defs", Holds::Named), ("$ref", Holds::Plain), ("$schema", Holds::Plain),
    ("additionalProperties", Holds::Part), ("allOf", Holds::SameList), ("anyOf", Holds::SameList),
    ("const", Holds::Plain), ("contains", Holds::Part), ("contentEncoding", Holds::Plain),
    ("contentMediaType", Holds::Plain), ("contentSchema", Holds::Part), ("default", Holds::Plain),
    ("dependentRequired", Holds::Plain), ("dependentSchemas", Holds::Named), ("deprecated", Holds::Plain),
    ("description", Holds::Plain), ("else", Holds::Same), ("enum", Holds::Plain), ("examples", Holds::Plain),
    ("exclusiveMaximum", Holds::Plain), ("exclusiveMinimum", Holds::Plain), ("format", Holds::Plain),
    ("if", Holds::Same), ("items", Holds::Part), ("maxContains", Holds::Plain), ("maxItems", Holds::Plain),
    ("maxLength", Holds::Plain), ("maxProperties", Holds::Plain), ("maximum", Holds::Plain),
    ("minContains", Holds::Plain), ("minItems", Holds::Plain), ("minLength", Holds::Plain),
    ("minProperties", Holds::Plain), ("minimum", Holds::Plain), ("multipleOf", Holds::Plain), ("not", Holds::Same),
    ("oneOf", Holds::SameList), ("pattern", Holds::Plain), ("patternProperties", Holds::Named),
    ("prefixItems", Holds::PartList), ("properties", Holds::Named), ("propertyNames", Holds::Part),
    ("readOnly", Holds::Plain), ("required", Holds::Plain), ("then", Holds::Same), ("title", Holds::Plain),
    ("type", Holds::Plain), ("unit", Holds::Plain), ("unevaluatedItems", Holds::Part), ("unevaluatedProperties", Holds::Part),
    ("uniqueItems", Holds::Plain), ("writeOnly", Holds::Plain),
];

/// Where a schema stands within another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// It judges the same value.
    Same,
    /// It judges the same value, but what it says does not bind: `if` and `not`.
    Aside,
    /// It judges a part of the value.
    Part,
    /// It is a definition under `$defs`.
    Definition,
}

/// The schemas right below a schema, with the pointer from it to each.
pub fn subschemas(schema: &Value) -> Vec<(String, Position, &Value)> {
    let mut found = Vec::new();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        let Some((holds, position)) = place(keyword) else { continue };
        let at = format!("/{}", pointer::escape(keyword));
        match (holds, value) {
            (Holds::Same | Holds::Part, schema) => found.push((at, position, schema)),
            (Holds::SameList | Holds::PartList, Value::Array(schemas)) => {
                found.extend(schemas.iter().enumerate().map(|(i, schema)| (format!("{at}/{i}"), position, schema)));
            }
            (Holds::Named, Value::Object(schemas)) => {
                let named = schemas.iter();
                found.extend(named.map(|(name, schema)| (format!("{at}/{}", pointer::escape(name)), position, schema)));
            }
            // The meta-schema reports what should be a list or an object and is not.
            (Holds::Plain | Holds::SameList | Holds::PartList | Holds::Named, _) => {}
        }
    }
    found
}

/// [`subschemas`], to be changed.
pub fn subschemas_mut(schema: &mut Value) -> Vec<(String, &mut Value)> {
    let mut found = Vec::new();
    for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
        let Some((holds, _)) = place(keyword) else { continue };
        let at = format!("/{}", pointer::escape(keyword));
        match (holds, value) {
            (Holds::Same | Holds::Part, schema) => found.push((at, schema)),
            (Holds::SameList | Holds::PartList, Value::Array(schemas)) => {
                found.extend(schemas.iter_mut().enumerate().map(|(i, schema)| (format!("{at}/{i}"), schema)));
            }
            (Holds::Named, Value::Object(schemas)) => {
                let named = schemas.iter_mut();
                found.extend(named.map(|(name, schema)| (format!("{at}/{}", pointer::escape(name)), schema)));
            }
            (Holds::Plain | Holds::SameList | Holds::PartList | Holds::Named, _) => {}
        }
    }
    found
}

fn place(keyword: &str) -> Option<(Holds, Position)> {
    let (_, holds) = KEYWORDS.iter().find(|(known, _)| *known == keyword)?;
    let position = match (keyword, holds) {
        ("$defs", _) => Position::Definition,
        ("if" | "not", _) => Position::Aside,
        ("dependentSchemas", _) | (_, Holds::Same | Holds::SameList) => Position::Same,
        (_, Holds::Part | Holds::PartList | Holds::Named) => Position::Part,
        (_, Holds::Plain) => return None,
    };
    Some((*holds, position))
}
