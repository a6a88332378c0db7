//! `ref COLLECTION` as the type of a parameter: a key that must be there, and that must have been seen before.

use crate::load::tree::{Spot, Tree};
use crate::model::field_path;

pub(super) struct Reference {
    /// The parameter, or the path into one: `lines[].item_id`.
    pub(super) path: String,
    pub(super) collection: String,
    /// Whether a call needs its parameter: else it may be left out.
    pub(super) is_required: bool,
    /// Whether it must have been seen, where the collection says what shows its keys.
    pub(super) is_seen: bool,
    pub(super) at: Spot,
}

/// The collection that a type refers to, and whether its key must have been seen.
pub(super) fn collection(text: &str) -> Option<(&str, bool)> {
    let mut words = text.strip_prefix("ref ")?.split_whitespace();
    let collection = words.next()?;
    match (words.next(), words.next()) {
        (None, _) => Some((collection, true)),
        (Some("unseen"), None) => Some((collection, false)),
        (Some(_), _) => None,
    }
}

impl Reference {
    /// The parameter that it stands in.
    pub(super) fn parameter(&self) -> &str {
        self.path.split(['.', '[']).next().unwrap_or_default()
    }
}

/// The references among the types of parameters, also within lists and objects.
pub(super) fn references(parameters: &Tree) -> Vec<Reference> {
    let mut found = Vec::new();
    for (name, kind) in parameters.fields().unwrap_or_default() {
        let path = name.strip_suffix('?').unwrap_or(name).to_owned();
        gather(kind, path, !name.ends_with('?'), &mut found);
    }
    found
}

fn gather(kind: &Tree, path: String, is_required: bool, found: &mut Vec<Reference>) {
    let kind = kind.get("is").unwrap_or(kind);
    if let Some(text) = kind.text() {
        let (mut of, mut path) = (text.trim(), path);
        while let Some(inner) = of.strip_prefix("list of ") {
            (of, path) = (inner.trim(), path + field_path::EACH);
        }
        if let Some((collection, is_seen)) = collection(of) {
            found.push(Reference { path, collection: collection.to_owned(), is_required, is_seen, at: kind.at });
        }
    } else if let Some(fields) = kind.get("fields").and_then(Tree::fields) {
        for (name, kind) in fields {
            gather(kind, format!("{path}.{}", name.strip_suffix('?').unwrap_or(name)), is_required, found);
        }
    } else if let Some(items) = kind.get("items") {
        gather(items, path + field_path::EACH, is_required, found);
    }
}

/// One entity of a collection, by its name: `bookings` are of a `booking`.
pub(super) fn singular(collection: &str) -> String {
    let endings = [("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")];
    let one = endings.iter().find_map(|(many, one)| Some(format!("{}{one}", collection.strip_suffix(many)?)));
    one.unwrap_or_else(|| collection.to_owned())
}
