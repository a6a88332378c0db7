//! Exit codes: what a script that calls probity can rely on.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Clean = 0,
    /// The thing examined failed: a replay that differs, a gate, a certificate, conformance.
    Failed = 1,
    BadInput = 2,
    /// A provider or a judge could not be reached; of a part of a plan also what else passes.
    Infrastructure = 3,
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit as u8)
    }
}
