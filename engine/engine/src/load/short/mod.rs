//! The short form of authored files, written out: what stands for more becomes what the formats hold, each part at the
//! place of what it was written as. What is long already stays; what is neither is left for the strict reading.

mod binding;
mod environment;
mod kind;
mod reference;
mod tool;

pub use environment::environment;

use serde_json::{Value, json};

use super::position::Spot;
use super::tree::{Data, Tree};
use crate::model::diagnostic::Diagnostic;

/// What was found on the way that is neither long nor short.
pub struct ShortFormErrors<'a> {
    file: &'a str,
    found: Vec<Diagnostic>,
}

impl<'a> ShortFormErrors<'a> {
    /// Nothing yet, of this file.
    pub fn of(file: &'a str) -> Self {
        ShortFormErrors { file, found: Vec::new() }
    }

    /// All that was found.
    pub fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }

    /// Something wrong at a place.
    pub fn error(&mut self, (line, column): Spot, code: &str, message: String, help: impl Into<String>) {
        let refused = Diagnostic::file(self.file, code, message).help(help);
        self.found.push(Diagnostic { line, column, ..refused });
    }
}

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
