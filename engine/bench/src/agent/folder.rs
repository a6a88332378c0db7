//! The empty folder that each agent in a process has for itself.

use std::fs::{self, DirBuilder, File};
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names that are tried: what an earlier process with our number left may be in the way.
const TRIES: u64 = 10_000;
const PREFIX: &str = "probity-agent-";

/// A folder that nobody else can enter; it is gone with this, wherever it was moved.
#[derive(Debug)]
pub(super) struct OwnFolder {
    path: PathBuf,
    /// Holds a lock for as long as it is used, and knows where it is.
    handle: Option<File>,
}

impl OwnFolder {
    pub(super) fn create(temp: &Path) -> Result<OwnFolder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        static SWEPT: Once = Once::new();
        let base = temp.canonicalize()?;
        SWEPT.call_once(|| sweep(&base));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for _ in 0..TRIES {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match builder.create(&path) {
                Ok(()) => {
                    let handle = File::open(&path).ok().filter(|handle| handle.try_lock().is_ok());
                    return Ok(OwnFolder { path, handle });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(std::io::Error::other(format!("no name is free in `{}`", base.display())))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Takes it away, with all that is in it. A child that left the group may still write there; then what it leaves
    /// stays.
    pub(super) fn remove(&self) {
        if let Some(moved) = self.moved() {
            let _ = fs::remove_dir_all(moved);
        }
        let _ = fs::remove_dir_all(&self.path);
    }

    /// Where it is now, if not in its place.
    #[cfg(target_os = "linux")]
    fn moved(&self) -> Option<PathBuf> {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::MetadataExt;
        let handle = self.handle.as_ref()?;
        let moved = fs::read_link(format!("/proc/self/fd/{}", handle.as_raw_fd())).ok()?;
        let (own, found) = (handle.metadata().ok()?, fs::symlink_metadata(&moved).ok()?);
        (moved != self.path && (own.dev(), own.ino()) == (found.dev(), found.ino())).then_some(moved)
    }

    #[cfg(not(target_os = "linux"))]
    fn moved(&self) -> Option<PathBuf> {
        None
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Takes away what processes of this user that were killed have left: who still uses a folder holds its lock.
#[cfg(target_os = "linux")]
fn sweep(base: &Path) {
    use std::os::unix::fs::MetadataExt;
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
        let Some(process) = process.and_then(|(process, _)| process.parse::<u32>().ok()) else { continue };
        let is_ours = fs::symlink_metadata(entry.path())
            .is_ok_and(|found| found.is_dir() && found.uid() == rustix::process::geteuid().as_raw());
        // A process of before has no lock.
        let is_over = !Path::new("/proc").join(process.to_string()).exists();
        let is_free = || File::open(entry.path()).is_ok_and(|handle| handle.try_lock().is_ok());
        if is_ours && is_over && is_free() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn sweep(_base: &Path) {}

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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_was_moved_is_gone_afterwards() {
        let temp = std::env::temp_dir().canonicalize().unwrap();
        let base = temp.join(format!("probity-moved-{}", std::process::id()));
        fs::create_dir_all(base.join("kept")).unwrap();
        let folder = OwnFolder::create(&temp).unwrap();
        let (path, moved) = (folder.path().to_owned(), base.join("moved"));
        fs::rename(&path, &moved).unwrap();
        fs::write(moved.join("left"), "x").unwrap();
        // What stands in its place is none of ours to follow.
        std::os::unix::fs::symlink(base.join("kept"), &path).unwrap();
        drop(folder);
        assert!(!moved.exists() && fs::symlink_metadata(&path).is_err() && base.join("kept").exists());
        fs::remove_dir_all(base).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_killed_processes_left_is_taken_away() {
        let base = std::env::temp_dir().join(format!("probity-swept-{}", std::process::id()));
        let own = format!("probity-agent-{}-7", std::process::id());
        // No process has such a number.
        let (left, used) = ("probity-agent-4000000000-0", "probity-agent-4000000001-0");
        for name in [left, used, &own, "probity-agent-notes"] {
            fs::create_dir_all(base.join(name).join("x")).unwrap();
        }
        let lock = File::open(base.join(used)).unwrap();
        lock.lock().unwrap();
        sweep(&base);
        let mut names: Vec<String> =
            fs::read_dir(&base).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert!(names.len() == 3 && !names.contains(&left.to_owned()), "{names:?}");
        fs::remove_dir_all(base).unwrap();
    }
}
