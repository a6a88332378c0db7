//! Files that one process at a time may use.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;

/// A file that others find locked until this is dropped. To close it would not do: a process that is just being started
/// has it open as well, until it runs its own program.
pub struct Held(File);

impl Held {
    /// Locks a file; where there are no locks at all, nobody is kept out.
    ///
    /// # Errors
    /// Somebody else holds it, or it cannot be locked.
    pub fn of(file: File) -> Result<Held, TryLockError> {
        match file.try_lock() {
            Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                Err(TryLockError::Error(error))
            }
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Held(file)),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_elsewhere_as_well_is_free_when_it_is_let_go() {
        let path = std::env::temp_dir().join(format!("probity-held-{}", std::process::id()));
        let open = || File::create(&path).unwrap();
        let file = open();
        let started = file.try_clone().unwrap();
        let held = Held::of(file).unwrap();
        assert!(matches!(Held::of(open()), Err(TryLockError::WouldBlock)));
        drop(held);
        assert!(Held::of(open()).is_ok());
        drop(started);
        std::fs::remove_file(path).unwrap();
    }
}
