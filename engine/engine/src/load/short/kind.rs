//! Types in a word or two: `date`, `integer 1..60`, `sea | garden`, `ref bookings`, `list of rooms`; and closed objects
//! of `fields`, of which those with a `?` may be left out.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::ShortFormErrors;
use super::reference::collection;
use crate::load::scan::MAX_DEPTH;
use crate::load::tree::{Data, Tree};
use crate::model::number::MAX_SAFE_INTEGER;
use crate::model::suggest;

/// Formats of a text that have a name of their own.
const FORMATS: [&str; 8] = ["date", "date-time", "time", "duration", "email", "uri", "uuid", "ipv4"];
const TYPES: [&str; 4] = ["string", "integer", "number", "boolean"];
const HELP: &str = "a type is `string`, `integer`, `number` (with bounds as `1..60`), `boolean`, a format such as \
                    `date`, `a | b`, `= a`, `ref COLLECTION`, the name of a part of the state, or `list of` one of \
                    them; anything else is written as a JSON Schema";

pub(super) struct Kinds<'a> {
    /// The parts of the state; none within the state itself.
    pub(super) parts: &'a [String],
    pub(super) collections: &'a [String],
}

impl Kinds<'_> {
    /// A schema with everything in it that is short written out. What a `ref` asks for is asked of a parameter of a
    /// tool and of a field of an entity alone.
    pub(super) fn schema(&self, tree: &mut Tree, refused: &mut ShortFormErrors) {
        let kind = if tree.has("is") { tree.get_mut("is") } else { Some(&mut *tree) };
        if let Some(kind) = kind
            && let Some(text) = kind.text().filter(|text| is_reference(text))
        {
            let message = format!("`{text}` is for a parameter of a tool or a field of an entity");
            let help = "write `string`, and a precondition where a key must be there";
            refused.error(kind.at, "misplaced_reference", message, help);
            *kind = kind.instead("string".into());
        }
        self.typed(tree, false, refused);
    }

    /// [`Kinds::schema`] of what may be a `ref`; of a parameter, also what lies within it.
    fn typed(&self, tree: &mut Tree, is_parameter: bool, refused: &mut ShortFormErrors) {
        if let Some(text) = tree.text().map(str::to_owned) {
            let unknown =
                collection(unlisted(&text).0).filter(|(name, _)| !self.collections.iter().any(|of| of == name));
            match (unknown, self.parse(text.trim())) {
                (Some((name, _)), _) => {
                    let help = suggest::help(name, self.collections.iter().map(String::as_str));
                    refused.error(tree.at, "unknown_collection", format!("there is no collection `{name}`"), help);
                    *tree = tree.instead(json!({"type": "string"}));
                }
                (None, Ok(schema)) => *tree = tree.instead(schema),
                (None, Err(NoType::TooDeep)) => {
                    let message = format!("a type of more than {MAX_DEPTH} lists, one in the other");
                    refused.error(tree.at, "too_deep", message, "make it flatter");
                    *tree = tree.instead(json!({"type": "string"}));
                }
                (None, Err(NoType::Because(help))) => {
                    refused.error(tree.at, "unknown_type", format!("`{text}` is no type"), help);
                    *tree = tree.instead(json!({"type": "string"}));
                }
            }
            return;
        }
        if tree.has("is") {
            self.typed_with_more(tree, is_parameter, refused);
        } else if let Some(fields) = tree.remove("fields") {
            let object = match is_parameter {
                true => self.parameters(fields, refused),
                false => self.closed(fields, refused),
            };
            for (key, field) in object {
                tree.push(&key, field);
            }
        } else if let Some(items) = tree.get_mut("items") {
            match is_parameter {
                true => self.typed(items, true, refused),
                false => self.schema(items, refused),
            }
        }
    }

    /// `{"is": TYPE, "description": ..}`: a type and what is said of it beside.
    fn typed_with_more(&self, tree: &mut Tree, is_parameter: bool, refused: &mut ShortFormErrors) {
        let Some(mut kind) = tree.remove("is") else { return };
        self.typed(&mut kind, is_parameter, refused);
        let Data::Object(fields) = kind.data else { return };
        for (key, field) in fields {
            match tree.get(&key) {
                Some(said) => {
                    let message = format!("`{key}` is said by the type as well");
                    refused.error(said.key.unwrap_or(said.at), "duplicate_key", message, "say it once");
                }
                None => tree.push(&key, field),
            }
        }
    }

    /// The keywords of an object that has these fields and no others.
    pub(super) fn closed(&self, mut fields: Tree, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
        fields.fields_mut().into_iter().flatten().for_each(|(_, field)| self.schema(field, refused));
        keywords(fields, refused)
    }

    /// [`Kinds::closed`] of the parameters of a tool, in which a `ref` may stand anywhere.
    pub(super) fn parameters(&self, mut fields: Tree, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
        fields.fields_mut().into_iter().flatten().for_each(|(_, field)| self.typed(field, true, refused));
        keywords(fields, refused)
    }

    /// [`Kinds::closed`] of the fields of an entity, which may be a `ref` or a list of them each.
    pub(super) fn entity(&self, mut fields: Tree, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
        let may = |text: &str| collection(text.strip_prefix("list of ").unwrap_or(text).trim()).is_some();
        for (_, field) in fields.fields_mut().into_iter().flatten() {
            let kind = field.get("is").unwrap_or(field);
            match kind.text().is_some_and(|text| may(text.trim())) {
                true => self.typed(field, false, refused),
                false => self.schema(field, refused),
            }
        }
        keywords(fields, refused)
    }

    pub(super) fn parse(&self, text: &str) -> Result<Value, NoType> {
        let (of, lists) = unlisted(text);
        if lists > MAX_DEPTH {
            return Err(NoType::TooDeep);
        }
        let of = self.item(of)?;
        Ok((0..lists).fold(of, |items, _| json!({"type": "array", "items": items})))
    }

    /// A type that is no `list of` another.
    fn item(&self, text: &str) -> Result<Value, NoType> {
        if let Some(value) = text.strip_prefix("= ") {
            return Ok(json!({"const": value.trim()}));
        }
        if collection(text).is_some() {
            return Ok(json!({"type": "string"}));
        }
        if text.contains(" | ") {
            return Ok(json!({"enum": text.split(" | ").map(str::trim).collect::<Vec<_>>()}));
        }
        if self.parts.iter().any(|part| part == text) {
            return Ok(json!({"$ref": format!("#/state/{text}/item")}));
        }
        if FORMATS.contains(&text) {
            return Ok(json!({"type": "string", "format": text}));
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let Some(word) = TYPES.iter().find(|name| **name == word) else {
            return Err(NoType::Because(self.near(text, word)));
        };
        let mut schema = Map::from_iter([("type".to_owned(), Value::from(*word))]);
        bound(word, rest.trim(), &mut schema).map_err(|why| NoType::Because(why.unwrap_or_else(|| HELP.to_owned())))?;
        Ok(Value::Object(schema))
    }

    /// What to do about a text that begins with no type.
    fn near(&self, text: &str, word: &str) -> String {
        let names = || TYPES.iter().chain(&FORMATS).copied().chain(self.parts.iter().map(String::as_str));
        let near = |text: &str| suggest::nearest(text, names()).map(|near| suggest::help(text, [near]));
        near(text).or_else(|| near(word).filter(|_| text.contains(".."))).unwrap_or_else(|| HELP.to_owned())
    }
}

/// Why a text is no type.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoType {
    /// It is a list of lists of lists ..
    TooDeep,
    /// What to do about it.
    Because(String),
}

/// What a text is a list of, and how many lists stand around it.
fn unlisted(text: &str) -> (&str, usize) {
    let (mut of, mut lists) = (text.trim(), 0);
    while let Some(inner) = of.strip_prefix("list of ") {
        (of, lists) = (inner.trim(), lists + 1);
    }
    (of, lists)
}

/// Whether a type is a `ref`, or a list of them, however deep.
fn is_reference(text: &str) -> bool {
    collection(unlisted(text).0).is_some()
}

/// The keywords of a closed object; those of its fields that end in a `?` may be left out.
fn keywords(mut fields: Tree, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
    let at = fields.at;
    let (mut required, mut names) = (Vec::new(), BTreeSet::new());
    for (name, field) in fields.fields_mut().into_iter().flatten() {
        match name.strip_suffix('?') {
            Some(optional) => *name = optional.to_owned(),
            None => required.push(Value::from(name.as_str())),
        }
        if !names.insert(name.clone()) {
            let message = format!("the field `{name}` is given twice, once with a `?`");
            refused.error(field.key.unwrap_or(field.at), "duplicate_key", message, "remove one");
        }
    }
    vec![
        ("type".to_owned(), Tree::at(at, "object".into())),
        ("additionalProperties".to_owned(), Tree::at(at, false.into())),
        ("required".to_owned(), Tree::at(at, required.into())),
        ("properties".to_owned(), fields),
    ]
}

/// What narrows a type: `1..60`, `1..`, `..200`, or the `/pattern/` of a text; else what to do about it, if that is
/// known.
fn bound(word: &str, rest: &str, schema: &mut Map<String, Value>) -> Result<(), Option<String>> {
    if rest.is_empty() {
        return Ok(());
    }
    if let Some(pattern) = rest.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        schema.insert("pattern".to_owned(), pattern.into());
        let help = || Some("a pattern is asked of a `string` alone".to_owned());
        return if word == "string" { Ok(()) } else { Err(help()) };
    }
    let (least, most) = match word {
        "string" => ("minLength", "maxLength"),
        "integer" | "number" => ("minimum", "maximum"),
        _ => return Err(Some(format!("`{word}` takes no bounds"))),
    };
    let (from, to) = rest.split_once("..").ok_or(None)?;
    let mut bounds = Vec::new();
    for (keyword, number) in [(least, from), (most, to)] {
        if !number.is_empty() {
            let number = limit(word, number)?;
            schema.insert(keyword.to_owned(), number.into());
            bounds.push(number);
        }
    }
    match bounds.is_sorted() {
        true => Ok(()),
        false => Err(Some(format!("nothing lies between these bounds: the lesser one stands first, `{to}..{from}`"))),
    }
}

/// A bound as it is written.
fn limit(word: &str, number: &str) -> Result<i64, Option<String>> {
    let is_whole = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    match number.parse::<i64>() {
        Ok(length @ ..0) if word == "string" => Err(Some(format!("no text has {length} characters; write 0 or more"))),
        Ok(number) if (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(&number) => Ok(number),
        Err(_) if !is_whole(number.strip_prefix('-').unwrap_or(number)) => {
            let is_number = number.parse::<f64>().is_ok_and(f64::is_finite);
            let help = "bounds in short are whole numbers; with a fraction they are written as a JSON Schema: \
                        `{\"type\": \"number\", \"minimum\": 0.5}`";
            Err(is_number.then(|| help.to_owned()))
        }
        Ok(_) | Err(_) => {
            Err(Some(format!("a bound is at most {MAX_SAFE_INTEGER}; leave it out where there is none: `1..`")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_lists_have_a_limit() {
        let kinds = Kinds { parts: &[], collections: &[] };
        assert!(kinds.parse(&format!("{}string", "list of ".repeat(MAX_DEPTH))).is_ok());
        for many in [MAX_DEPTH + 1, 1_000_000] {
            let text = format!("{}string", "list of ".repeat(many));
            assert_eq!(kinds.parse(&text), Err(NoType::TooDeep));
            assert!(!is_reference(&text));
        }
    }
}
