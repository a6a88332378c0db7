//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use super::unfinished::clear_unfinished;

/// Names that are tried beside a file.
const MOST: u32 = 100;

/// Writes a file whole: beside it first, then, when it is on the disk, into its place.
///
/// # Errors
/// It cannot be written, or `pieces` says so; what was there before is still there.
pub fn write_whole<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let (beside, file) = beside(path)?;
    finish(&beside, file, path, pieces, |begun, path| fs::rename(begun, path))
}

/// The same for a new file: it takes the place of none that came while it was written.
pub(super) fn write_fresh<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let (beside, file) = beside(path)?;
    finish(&beside, file, path, pieces, |begun, path| match fs::hard_link(begun, path) {
        // That it stands there twice is nothing that was asked for, but it stands there.
        Ok(()) => fs::remove_file(begun).or(Ok(())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // Not every disk knows links.
        Err(_) if fs::symlink_metadata(path).is_err() => fs::rename(begun, path),
        Err(_) => Err(ErrorKind::AlreadyExists.into()),
    })
}

/// The same for one that stands there and is empty.
pub(super) fn write_over_empty<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let (beside, file) = beside(path)?;
    finish(&beside, file, path, pieces, |begun, path| match fs::metadata(path)?.len() {
        0 => fs::rename(begun, path),
        _ => Err(ErrorKind::AlreadyExists.into()),
    })
}

/// Writes a file that was begun and has it put into its place, with the permissions of what stands there.
fn finish<T>(
    begun: &Path,
    file: File,
    path: &Path,
    pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
    put: impl FnOnce(&Path, &Path) -> Result<()>,
) -> Result<T> {
    let mut file = BufWriter::new(file);
    let written = pieces(&mut file).and_then(|made| {
        let file = file.into_inner()?;
        if let Ok(before) = fs::metadata(path) {
            file.set_permissions(before.permissions())?;
        }
        file.sync_all()?;
        put(begun, path)?;
        // Whoever is just being started has the file open too: in its place it is nobody's any more.
        let _ = file.unlock();
        Ok(made)
    });
    written.inspect_err(|_| {
        // What is left of a failed write is of no use to anybody.
        let _ = fs::remove_file(begun);
    })
}

/// The folder below a root in which files are begun that take the place of others.
pub(super) const ASIDE: &str = ".probity/unfinished";

/// [`write_whole`] for a file below a root whose folder others read: what is not finished stands in a folder of its
/// own, where a command that was stopped leaves nothing in the way.
///
/// # Errors
/// As [`write_whole`].
pub fn write_aside<T>(root: &Path, path: &Path, pieces: impl Fn(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let aside = root.join(ASIDE);
    let is_there = fs::create_dir_all(&aside).is_ok();
    let name = path.file_name().filter(|_| is_there);
    let begun = name.and_then(|name| {
        clear_unfinished(&aside, None);
        beside(&aside.join(name)).ok()
    });
    match begun {
        Some((begun, file)) => match finish(&begun, file, path, &pieces, |begun, path| fs::rename(begun, path)) {
            // The file is on another disk than the root.
            Err(error) if error.kind() == ErrorKind::CrossesDevices => write_whole(path, pieces),
            done => done,
        },
        None => write_whole(path, pieces),
    }
}

/// A new file that nobody else has and no link stands for.
fn beside(path: &Path) -> Result<(PathBuf, File)> {
    for number in 0..MOST {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(file) => {
                // Where nothing can be locked, nobody clears up either.
                let _ = file.try_lock();
                return Ok((PathBuf::from(name), file));
            }
            Err(error) => return Err(error),
        }
    }
    Err(Error::new(ErrorKind::AlreadyExists, "files of unfinished writes stand beside it: remove them"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::unfinished::is_unfinished;
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

    #[test]
    fn what_is_begun_aside_is_cleared_up_when_nobody_writes_it() {
        let root = std::env::temp_dir().join(format!("probity-aside-{}", std::process::id()));
        let (aside, path) = (root.join(ASIDE), root.join("file"));
        fs::create_dir_all(&aside).unwrap();
        // No process has the first number; one that lives writes the last, and holds no lock yet.
        let (left, busy) = ("file.4000000000-0.tmp", "file.4000000001-0.tmp");
        let begun = format!("other.{}-0.tmp", std::process::id());
        for name in [left, &begun] {
            fs::write(aside.join(name), "half").unwrap();
        }
        let locked = File::create(aside.join(busy)).unwrap();
        locked.lock().unwrap();
        write_aside(&root, &path, |file| {
            assert!(!root.read_dir().unwrap().any(|entry| entry.unwrap().path() == path));
            file.write_all(b"whole")
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        let mut names: Vec<_> = fs::read_dir(&aside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [busy, &begun]);
        fs::remove_dir_all(root).unwrap();
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
