//! Why a command goes no further.

use crate::cli::exit::Exit;
use crate::cli::output;
use crate::failure::Failure;
use probity_bench::RunError;

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
