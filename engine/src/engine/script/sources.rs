//! The scripts of an environment as text: its own file and the libraries it can call.

use std::collections::BTreeMap;

use crate::model::canonical::Hash;

/// One script: its path below the root (for messages) and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path below the root, with `/`.
    pub file: String,
    /// The Rhai text.
    pub text: String,
}

impl Source {
    /// The hash of the text.
    pub fn hash(&self) -> Hash {
        Hash::of_bytes(self.text.as_bytes())
    }
}

/// The scripts of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Tool bodies, `populate`, helpers.
    pub main: Source,
    /// Libraries by name: `names` is called as `names::first()`.
    pub libraries: BTreeMap<String, Source>,
}
