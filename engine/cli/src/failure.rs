//! Why a command fails.

use probity_bench::RunError;

/// What keeps a command from being done, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub message: String,
    pub help: String,
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Failure::new(error.to_string(), error.help())
    }
}

impl Failure {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { message: message.into(), help: help.into() }
    }
}
