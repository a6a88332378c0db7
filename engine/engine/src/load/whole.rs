//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Names that are tried beside a file.
const MOST: u32 = 100;

/// Writes a file whole: beside it first, then, when it is on the disk, into its place.
///
/// # Errors
/// It cannot be written, or `pieces` says so; what was there before is still there.
pub fn write_whole<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let (beside, file) = beside(path)?;
    let mut file = BufWriter::new(file);
    let written = pieces(&mut file).and_then(|made| {
        file.into_inner()?.sync_all()?;
        fs::rename(&beside, path)?;
        Ok(made)
    });
    written.inspect_err(|_| {
        // What is left of a failed write is of no use to anybody.
        let _ = fs::remove_file(&beside);
    })
}

/// Whether a name is one that [`write_whole`] gives to what it has not finished of a file.
pub fn is_unfinished(name: &str, of: &str) -> bool {
    name.strip_prefix(of).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".tmp"))
}

/// A new file that nobody else has and no link stands for.
fn beside(path: &Path) -> Result<(PathBuf, File)> {
    for number in 0..MOST {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (PathBuf::from(name), file)),
        }
    }
    Err(Error::new(ErrorKind::AlreadyExists, "files of unfinished writes stand beside it: remove them"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_write_leaves_what_was_there_and_nothing_beside_it() {
        let folder = std::env::temp_dir().join(format!("probity-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        write_whole(&path, |file| file.write_all(b"before")).unwrap();
        let failed = write_whole(&path, |file| {
            file.write_all(b"half")?;
            let beside = fs::read_dir(&folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            let unfinished: Vec<String> = beside.filter(|name| is_unfinished(name, "file")).collect();
            assert!(unfinished.len() == 1 && !is_unfinished("file", "file") && !is_unfinished("files.1.tmp", "file"));
            Err::<(), _>(Error::other("no"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no");
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_stands_beside_a_file_is_not_written_through() {
        let folder = std::env::temp_dir().join(format!("probity-beside-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, other) = (folder.join("file"), folder.join("other"));
        fs::write(&other, "other").unwrap();
        for name in ["file.tmp".to_owned(), format!("file.{}-0.tmp", std::process::id())] {
            std::os::unix::fs::symlink(&other, folder.join(name)).unwrap();
        }
        write_whole(&path, |file| file.write_all(b"mine")).unwrap();
        let texts = [&path, &other].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(texts, ["mine", "other"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
