//! Files that a command would write over what it reads.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Refuses to write to one of the files that are read.
/// An error: which file it is.
pub fn refuse_overwrite(out: Option<&Path>, read: &[PathBuf]) -> Result<(), Failure> {
    let real = |path: &Path| path.canonicalize().ok();
    let is_read = |out: &Path| real(out).is_some_and(|out| read.iter().any(|file| real(file).as_ref() == Some(&out)));
    match out.filter(|out| is_read(out)) {
        Some(out) => {
            let message = format!("{} is one of the files to read and would be overwritten", out.display());
            Err(Failure::new(message, "name another file to write to"))
        }
        None => Ok(()),
    }
}
