//! What keeps a run from being played, read or written.

use std::path::Path;

use super::episodes::Tampered;

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something is there already; runs are never overwritten.
    #[error("`{0}` exists already")]
    Exists(String),
    /// It was stopped before it was a run.
    #[error("`{0}` holds no run yet: it was stopped while its inputs were written")]
    Unbegun(String),
    /// Another process plays, judges or merges it.
    #[error("another `probity run`, `probity judge` or `probity merge` is writing to `{0}`")]
    Busy(String),
    /// An agent cannot be made.
    #[error("{0}")]
    Agent(String),
    /// There is nobody who could be the user.
    #[error("there is no user `{user}` in {unit}")]
    NoUser {
        /// The user.
        user: String,
        /// The unit that was to be played.
        unit: String,
    },
    /// The benchmark has no such option, or not with this value.
    #[error("{0}")]
    Option(String),
    /// It has more units than a run may have.
    #[error("{0}")]
    TooLarge(String),
    /// It is a part of a planned run, and no run of its own.
    #[error("`{0}` is a part of a planned run")]
    Part(String),
    /// A plan cannot be played by this build, or a directory is no part of it.
    #[error("`{path}`: {what}")]
    Plan {
        /// The plan, or the directory.
        path: String,
        /// What differs.
        what: String,
    },
    /// What was found cannot be written.
    #[error("a record has no JSON form: {0}")]
    Json(#[from] serde_json::Error),
    /// What was written to a file is no longer there.
    #[error("`{path}`: {what}")]
    Changed {
        /// The file.
        path: String,
        /// The episode whose line it is, or what became of it.
        what: String,
    },
    /// A file cannot be read or written for now: a full disk, or one that does not answer.
    #[error("`{path}`: {what}")]
    Storage {
        /// The file.
        path: String,
        /// What went wrong.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("`{path}`: {what}")]
    File {
        /// The file.
        path: String,
        /// What went wrong.
        what: String,
    },
}

impl RunError {
    /// Whether the same may be done later, and nothing else need be another.
    pub fn is_passing(&self) -> bool {
        matches!(self, RunError::Busy(_) | RunError::Storage { .. })
    }

    /// What to do next.
    pub fn help(&self) -> &'static str {
        match self {
            RunError::Exists(_) => "choose another directory with `--out`, or go on with it by `--resume`",
            RunError::Unbegun(_) => "start it again with the same `--out`; nothing is lost",
            RunError::Busy(_) => "wait until it has ended, or stop it",
            RunError::Agent(_) => "name an agent that `probity run --list-agents` shows, and what it replays",
            RunError::NoUser { .. } => "name one of the suite's users with `--user`",
            RunError::Option(_) => "`probity run --help` says what `--set` takes",
            RunError::TooLarge(_) => "play fewer trials, tasks or agents in one run, or parts of it by `probity plan`",
            RunError::Part(_) => {
                "`probity merge` makes a run of all parts; `probity run --plan` with the same `--out` goes on with this one"
            }
            RunError::Plan { .. } => {
                "give the plan that it is of, or another `--out`; `probity plan` makes a plan again for this version"
            }
            RunError::Json(_) => "report this",
            RunError::Changed { .. } => {
                "nothing of this run can be trusted: find out who wrote there (an agent without `--isolate always`?) and play it again"
            }
            RunError::File { .. } | RunError::Storage { .. } => {
                "look at the path, its permissions and the free space; finished episodes are kept"
            }
        }
    }
}

pub(super) fn failed(path: &Path, error: &std::io::Error) -> RunError {
    let (path, what) = (path.display().to_string(), error.to_string());
    match error.get_ref().is_some_and(|inner| inner.is::<Tampered>()) {
        true => RunError::Changed { path, what },
        false if is_passing(error) => RunError::Storage { path, what },
        false => RunError::File { path, what },
    }
}

/// What the system says, unless it is of the path or of its permissions: that is so the next time too.
fn is_passing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Kind;
    error.raw_os_error().is_some()
        && !matches!(
            error.kind(),
            Kind::NotFound
                | Kind::PermissionDenied
                | Kind::AlreadyExists
                | Kind::NotADirectory
                | Kind::IsADirectory
                | Kind::DirectoryNotEmpty
                | Kind::ReadOnlyFilesystem
                | Kind::InvalidFilename
                | Kind::InvalidInput
                | Kind::Unsupported
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_full_disk_passes_and_a_wrong_path_does_not() {
        // No space, an input or output error, a stale handle; no such file, no permission, a folder.
        for (number, wanted) in [(28, true), (5, true), (116, true), (2, false), (13, false), (21, false)] {
            let error = failed(Path::new("part"), &std::io::Error::from_raw_os_error(number));
            assert_eq!(error.is_passing(), wanted, "{number}: {error}");
        }
        assert!(!failed(Path::new("part"), &std::io::Error::other("no regular file")).is_passing());
    }
}
