//! The empty folder that each agent in a process has for itself.

use std::fs::{self, DirBuilder};
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Names that are tried: what an earlier process with our number left may be in the way.
const TRIES: u64 = 10_000;

/// A folder that nobody else can enter; it is gone with this.
pub(super) struct OwnFolder(PathBuf);

impl OwnFolder {
    pub(super) fn create(temp: &Path) -> Result<OwnFolder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let base = temp.canonicalize()?;
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for _ in 0..TRIES {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("probity-agent-{}-{number}", std::process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(OwnFolder(path)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(std::io::Error::other(format!("no name is free in `{}`", base.display())))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // A child that left the group may still write there; then what it leaves stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_empty_its_own_and_gone_afterwards() {
        let temp = std::env::temp_dir();
        let (one, other) = (OwnFolder::create(&temp).unwrap(), OwnFolder::create(&temp).unwrap());
        assert_ne!(one.path(), other.path());
        assert_eq!(fs::read_dir(one.path()).unwrap().count(), 0);
        let path = one.path().to_owned();
        fs::write(path.join("left"), "x").unwrap();
        drop(one);
        assert!(!path.exists() && other.path().exists());
    }
}
