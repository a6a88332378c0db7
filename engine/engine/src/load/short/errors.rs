//! What a short form gets wrong.

use crate::load::tree::Spot;
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
