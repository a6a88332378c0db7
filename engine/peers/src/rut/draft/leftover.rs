//! What an author has to add or look at.

use serde::Serialize;

/// Something that the author has to add or look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LeftOver {
    pub file: String,
    pub pointer: String,
    pub what: String,
}

pub(super) struct Left {
    pub(super) file: String,
    pub(super) found: Vec<LeftOver>,
}

impl Left {
    pub(super) fn new(file: String) -> Self {
        Left { file, found: Vec::new() }
    }

    pub(super) fn add(&mut self, pointer: impl Into<String>, what: impl Into<String>) {
        self.found.push(LeftOver { file: self.file.clone(), pointer: pointer.into(), what: what.into() });
    }

    /// Notes a name that is not the samples' own.
    pub(super) fn renamed(&mut self, pointer: impl Into<String>, theirs: &str, ours: &str) {
        if theirs != ours {
            self.add(pointer, format!("`{}` in the samples; look at the name", theirs.escape_debug()));
        }
    }
}
