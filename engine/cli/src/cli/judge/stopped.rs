//! Why a command goes no further.

use crate::cli::exit::Exit;
use crate::cli::output;
use crate::failure::Failure;

/// Why a command goes no further.
pub(in crate::cli) enum Stopped {
    /// This is to be told.
    Refused(Failure),
    /// It has been told.
    Told(Exit),
}

impl Stopped {
    /// Tells what is to be told, and gives the exit code.
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
