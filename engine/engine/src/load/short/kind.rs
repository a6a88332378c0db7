//! Types in a word or two: `date`, `integer 1..60`, `sea | garden`, `ref bookings`, `list of rooms`; and closed objects
//! of `fields`, of which those with a `?` may be left out.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::ShortFormErrors;
use super::reference::collection;
use crate::load::tree::{Data, Tree};
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
        self.typed(tree, refused);
    }

    /// [`Kinds::schema`] of a parameter, which may be a `ref`.
    fn typed(&self, tree: &mut Tree, refused: &mut ShortFormErrors) {
        if let Some(text) = tree.text().map(str::to_owned) {
            let unknown = collection(text.trim()).filter(|(name, _)| !self.collections.iter().any(|of| of == name));
            match (unknown, self.parse(text.trim())) {
                (Some((name, _)), _) => {
                    let help = suggest::help(name, self.collections.iter().map(String::as_str));
                    refused.error(tree.at, "unknown_collection", format!("there is no collection `{name}`"), help);
                    *tree = tree.instead(json!({"type": "string"}));
                }
                (None, Some(schema)) => *tree = tree.instead(schema),
                (None, None) => {
                    let names = TYPES.iter().chain(&FORMATS).copied().chain(self.parts.iter().map(String::as_str));
                    let near = suggest::nearest(text.trim(), names).filter(|_| !text.contains(' '));
                    let help = near.map_or(HELP.to_owned(), |near| format!("did you mean `{near}`?"));
                    refused.error(tree.at, "unknown_type", format!("`{text}` is no type"), help);
                    *tree = tree.instead(json!({"type": "string"}));
                }
            }
            return;
        }
        if tree.has("is") {
            self.typed_with_more(tree, refused);
        } else if let Some(fields) = tree.remove("fields") {
            let object = self.closed(fields, refused);
            for (key, field) in object {
                tree.push(&key, field);
            }
        } else if let Some(items) = tree.get_mut("items") {
            self.schema(items, refused);
        }
    }

    /// `{"is": TYPE, "description": ..}`: a type and what is said of it beside.
    fn typed_with_more(&self, tree: &mut Tree, refused: &mut ShortFormErrors) {
        let Some(mut kind) = tree.remove("is") else { return };
        self.typed(&mut kind, refused);
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

    /// [`Kinds::closed`] of the parameters of a tool, which may be a `ref` each.
    pub(super) fn parameters(&self, fields: Tree, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
        self.referring(fields, |text| collection(text).is_some(), refused)
    }

    /// [`Kinds::closed`] of the fields of an entity, which may be a `ref` or a list of them each.
    pub(super) fn entity(&self, fields: Tree, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
        let may = |text: &str| collection(text.strip_prefix("list of ").unwrap_or(text).trim()).is_some();
        self.referring(fields, may, refused)
    }

    fn referring(&self, mut fields: Tree, may: fn(&str) -> bool, refused: &mut ShortFormErrors) -> Vec<(String, Tree)> {
        for (_, field) in fields.fields_mut().into_iter().flatten() {
            let kind = field.get("is").unwrap_or(field);
            match kind.text().is_some_and(|text| may(text.trim())) {
                true => self.typed(field, refused),
                false => self.schema(field, refused),
            }
        }
        keywords(fields, refused)
    }

    fn parse(&self, text: &str) -> Option<Value> {
        if let Some(of) = text.strip_prefix("list of ") {
            return Some(json!({"type": "array", "items": self.parse(of.trim())?}));
        }
        if let Some(value) = text.strip_prefix("= ") {
            return Some(json!({"const": value.trim()}));
        }
        if collection(text).is_some() {
            return Some(json!({"type": "string"}));
        }
        if text.contains(" | ") {
            return Some(json!({"enum": text.split(" | ").map(str::trim).collect::<Vec<_>>()}));
        }
        if self.parts.iter().any(|part| part == text) {
            return Some(json!({"$ref": format!("#/state/{text}/item")}));
        }
        if FORMATS.contains(&text) {
            return Some(json!({"type": "string", "format": text}));
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let word = TYPES.iter().find(|name| **name == word)?;
        let mut schema = Map::from_iter([("type".to_owned(), Value::from(*word))]);
        bound(word, rest.trim(), &mut schema)?;
        Some(Value::Object(schema))
    }
}

/// Whether a type is a `ref`, or a list of them, however deep.
fn is_reference(text: &str) -> bool {
    let text = text.trim();
    text.strip_prefix("list of ").map_or_else(|| collection(text).is_some(), is_reference)
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

/// What narrows a type: `1..60`, `1..`, `..200`, or the `/pattern/` of a text.
fn bound(word: &str, rest: &str, schema: &mut Map<String, Value>) -> Option<()> {
    if rest.is_empty() {
        return Some(());
    }
    if let Some(pattern) = rest.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        schema.insert("pattern".to_owned(), pattern.into());
        return (word == "string").then_some(());
    }
    let (least, most) = match word {
        "string" => ("minLength", "maxLength"),
        "integer" | "number" => ("minimum", "maximum"),
        _ => return None,
    };
    let (from, to) = rest.split_once("..")?;
    let mut bounds = Vec::new();
    for (keyword, number) in [(least, from), (most, to)] {
        if !number.is_empty() {
            let number = number.parse::<i64>().ok()?;
            schema.insert(keyword.to_owned(), number.into());
            bounds.push(number);
        }
    }
    // What nothing can be is no type.
    bounds.is_sorted().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_schemas() {
        let parts = ["rooms".to_owned()];
        let kinds = Kinds { parts: &parts, collections: &parts };
        for (text, schema) in [
            ("string", json!({"type": "string"})),
            ("date-time", json!({"type": "string", "format": "date-time"})),
            ("integer 1..60", json!({"type": "integer", "minimum": 1, "maximum": 60})),
            ("integer -5..", json!({"type": "integer", "minimum": -5})),
            ("string ..200", json!({"type": "string", "maxLength": 200})),
            ("string /^[A-Z] [0-9]$/", json!({"type": "string", "pattern": "^[A-Z] [0-9]$"})),
            ("sea | garden", json!({"enum": ["sea", "garden"]})),
            ("= cancelled", json!({"const": "cancelled"})),
            ("ref rooms", json!({"type": "string"})),
            ("ref rooms unseen", json!({"type": "string"})),
            ("rooms", json!({"$ref": "#/state/rooms/item"})),
            ("list of rooms", json!({"type": "array", "items": {"$ref": "#/state/rooms/item"}})),
            (
                "list of list of date",
                json!({"type": "array", "items": {"type": "array", "items": {"type": "string", "format": "date"}}}),
            ),
        ] {
            assert_eq!(kinds.parse(text), Some(schema), "{text}");
        }
        for text in ["", "strin", "integer 1", "integer a..b", "boolean 1..2", "integer 9..1", "integer /a/", "list of"]
        {
            assert_eq!(kinds.parse(text), None, "{text}");
        }
    }
}
