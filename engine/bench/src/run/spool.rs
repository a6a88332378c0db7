//! What is written before it is known what stands before it.

use std::fs::{self, File};
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file to write and read again; it is gone with this.
#[derive(Debug)]
pub struct Spool {
    file: File,
    path: PathBuf,
}

impl Spool {
    /// One beside a file that is to be written.
    ///
    /// # Errors
    /// It cannot be made there.
    pub fn beside(path: &Path) -> Result<Spool> {
        let mut name = path.as_os_str().to_owned();
        name.push(".spool");
        Spool::create(Path::new(&name))
    }

    /// Makes the file, empty; what an earlier process left there is overwritten.
    pub(super) fn create(path: &Path) -> Result<Spool> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Spool { file, path: path.to_owned() })
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // What stays is overwritten by the next one.
        let _ = fs::remove_file(&self.path);
    }
}

impl Read for Spool {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.file.read(buffer)
    }
}

impl Write for Spool {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.file.seek(to)
    }
}
