//! A file of labels that a command was given.

use std::path::Path;

use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_engine::{Diagnostic, MAX_FILE_BYTES, read::read_named};
use probity_local::Failure;

/// Most errors of a file of labels that people are told.
const MAX_ERRORS: usize = 50;

/// What a file of labels holds that was named, by who reads such a file from its name and text.
pub(super) fn read_labels<T>(
    global: &Global,
    (path, help): (&Path, &str),
    read: impl FnOnce(&str, &str) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Stopped> {
    let name = path.display().to_string();
    let text = read_named(path, MAX_FILE_BYTES).map_err(|what| Failure::new(format!("`{name}`: {what}"), help))?;
    read(&name, &text).map_err(|found| output::refuse_lines(global.json, &found, MAX_ERRORS).into())
}
