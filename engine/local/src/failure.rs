//! Why a command fails.

use probity_bench::RunError;
use probity_doors::Refusal;
use probity_engine::Unwritten;

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

impl From<Refusal> for Failure {
    fn from(Refusal { message, help, .. }: Refusal) -> Self {
        Failure::new(message, help)
    }
}

impl Failure {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { message: message.into(), help: help.into(), is_passing: false }
    }

    /// New files are not written; what helps where another text stands in the way of one is the caller's to say.
    pub fn unwritten(unwritten: &Unwritten, help: &str) -> Self {
        let Unwritten { path, error } = unwritten;
        match unwritten.is_taken() {
            true => Failure::new(format!("`{path}` exists already, with another text"), help),
            false => Failure::new(format!("cannot write `{path}`: {error}"), UNWRITTEN),
        }
    }
}

const UNWRITTEN: &str = "nothing of it is left behind; look at the permissions and the free space, then call it again";
