//! Fields that follow from others, and lists written as objects.

use serde_json::{Value, json};

use super::errors::ShortFormErrors;
use crate::load::tree::{Data, Tree};
use crate::model::suggest;

/// The id that a file's path stands for.
pub fn id_of_path<'a>(file: &'a str, folder: &str) -> Option<&'a str> {
    file.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".json")
}

/// Adds a field that follows from others, where it is not written.
pub fn derive(tree: &mut Tree, key: &str, value: impl Into<Value>) {
    if tree.fields().is_some() && !tree.has(key) {
        let at = tree.at;
        tree.push(key, Tree::at(at, value.into()));
    }
}

/// Adds the version and the id, where they are not written.
pub fn derive_head(tree: &mut Tree, id: Option<&str>) {
    derive(tree, "format", json!(1));
    if let Some(id) = id {
        derive(tree, "id", id);
    }
}

/// An object by names as a list of objects that have their names as a field.
pub fn listed(tree: &mut Tree, name: &str, refused: &mut ShortFormErrors) {
    let Data::Object(fields) = &mut tree.data else { return };
    let fields = std::mem::take(fields);
    let items = fields.into_iter().map(|(key, mut item)| {
        let at = item.key.unwrap_or(item.at);
        if let Some(said) = item.remove(name) {
            let message = format!("`{name}` is said by the key `{key}`");
            refused.error(said.key.unwrap_or(said.at), "unknown_key", message, "remove it");
        }
        if let Some(fields) = item.fields_mut() {
            fields.insert(0, (name.to_owned(), Tree::at(at, Value::from(key))));
        }
        item
    });
    tree.data = Data::Array(items.collect());
}

/// A key that is nearly one of the short form's: told, and taken for it.
pub fn respell(tree: &mut Tree, keys: &[&'static str], refused: &mut ShortFormErrors) {
    for (key, field) in tree.fields_mut().into_iter().flatten() {
        if keys.contains(&key.as_str()) {
            continue;
        }
        let Some(near) = suggest::nearest(key, keys.iter().copied()) else { continue };
        let at = field.key.unwrap_or(field.at);
        refused.error(at, "unknown_key", format!("unknown key `{key}`"), suggest::help(key, [near]));
        near.clone_into(key);
    }
}
