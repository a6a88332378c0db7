//! Why a request is not carried out.

use probity_engine::suggest;
use serde::Serialize;

/// A request that is not carried out: nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}; {help}")]
pub struct Refusal {
    /// A word for programs; docs/SERVE.md has all.
    pub code: &'static str,
    /// One line.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Refusal {
    /// A refusal.
    pub fn new(code: &'static str, message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), help: help.into() }
    }

    /// There is no such thing, but perhaps one that is spelt alike.
    pub(crate) fn unknown<'n>(
        code: &'static str,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Refusal {
        let shown: String = name.chars().take(80).collect();
        Refusal::new(code, format!("there is no {what} `{shown}`"), suggest::help(&shown, known))
    }
}
