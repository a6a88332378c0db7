//! Files that a command would write over what it reads.

use std::path::{Path, PathBuf};

use probity_local::Failure;

/// Refuses to write to a place inside a folder that is read, whether something stands there or not.
/// An error: which place it is.
pub(crate) fn refuse_inside(out: &Path, folder: &Path) -> Result<(), Failure> {
    let near = |path: &Path| if path.as_os_str().is_empty() { Path::new(".") } else { path }.canonicalize().ok();
    let is_inside = |out: PathBuf| folder.canonicalize().is_ok_and(|folder| out.starts_with(folder));
    match out.ancestors().find_map(near).is_some_and(is_inside) {
        true => {
            let message =
                format!("{} is inside `{}`, which is read and stays as it is", out.display(), folder.display());
            Err(Failure::new(message, "name a place outside of it to write to"))
        }
        false => Ok(()),
    }
}

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
