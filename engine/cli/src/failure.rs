//! Why a command fails.

use probity_bench::RunError;

/// What keeps a command from being done, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub message: String,
    pub help: String,
    /// Whether the same command may do it later.
    pub is_passing: bool,
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Failure { is_passing: error.is_passing(), ..Failure::new(error.to_string(), error.help()) }
    }
}

impl Failure {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { message: message.into(), help: help.into(), is_passing: false }
    }
}
