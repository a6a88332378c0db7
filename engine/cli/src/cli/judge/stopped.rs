//! Why a command goes no further, as where a file of labels is not what it should be.

use std::path::Path;

use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use crate::failure::Failure;
use probity_bench::RunError;
use probity_engine::{Diagnostic, MAX_FILE_BYTES, read::read_named};

/// Most errors of a file of labels that people are told.
const MAX_ERRORS: usize = 50;

pub(in crate::cli) enum Stopped {
    Refused(Failure),
    Told(Exit),
}

impl Stopped {
    pub(in crate::cli) fn tell(self) -> Exit {
        match self {
            Stopped::Refused(failure) => output::fail(&failure),
            Stopped::Told(exit) => exit,
        }
    }
}

impl From<Failure> for Stopped {
    fn from(refusal: Failure) -> Self {
        Stopped::Refused(refusal)
    }
}

impl From<RunError> for Stopped {
    fn from(error: RunError) -> Self {
        Stopped::Refused(error.into())
    }
}

/// What a file of labels holds that was named, by who reads such a file from its name and text.
pub(super) fn read_labels<T>(
    global: &Global,
    (path, help): (&Path, &str),
    read: impl FnOnce(&str, &str) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Stopped> {
    let name = path.display().to_string();
    let text = read_named(path, MAX_FILE_BYTES).map_err(|what| Failure::new(format!("`{name}`: {what}"), help))?;
    read(&name, &text).map_err(|found| Stopped::Told(output::refuse_lines(global.json, &found, MAX_ERRORS)))
}
