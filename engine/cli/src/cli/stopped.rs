//! Why a command goes no further, and what is told of it.

use super::exit::Exit;
use super::output;
use probity_behaviour::suite::Suite;
use probity_bench::RunError;
use probity_local::Failure;

/// What ends a command before its end.
pub enum Stopped {
    /// It cannot be done; nobody has been told yet.
    Refused(Failure),
    /// What is wrong has been told.
    Told(Exit),
}

impl Stopped {
    pub fn tell(self) -> Exit {
        match self {
            Stopped::Refused(failure) => output::fail(&failure),
            Stopped::Told(exit) => exit,
        }
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Stopped::Refused(failure)
    }
}

impl From<RunError> for Stopped {
    fn from(error: RunError) -> Self {
        Stopped::Refused(error.into())
    }
}

impl From<Exit> for Stopped {
    fn from(exit: Exit) -> Self {
        Stopped::Told(exit)
    }
}

/// A suite, for those who need all of it without errors.
pub(crate) fn sound(suite: Suite) -> Result<Suite, Stopped> {
    if suite.has_errors() {
        output::note(&output::diagnostics(&suite.diagnostics));
        let help = "mend what stands above; `probity check` shows all";
        return Err(Failure::new("the environments or tasks have errors", help).into());
    }
    Ok(suite)
}
