//! Files that a user names to be written.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, ErrorKind, Result, Write};
use std::path::Path;

use super::unfinished::clear_unfinished;
use super::whole::{write_aside, write_whole};

/// Places whose files stand for something that is open elsewhere, and one among them whose files are their own.
const STANDING: [&str; 2] = ["/dev", "/proc"];
const SHARED: &str = "/dev/shm";

/// Writes a file that a user names: whole or not at all, and straight into what is no regular file (a pipe, a device).
///
/// # Errors
/// It cannot be written, or `pieces` says so; a regular file that was there before is still there.
pub fn write_out<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    if let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        clear_unfinished(folder, Some(name));
    }
    match fs::canonicalize(path) {
        // A link stays one.
        Ok(real) if real.is_file() && !is_standing(path) => write_whole(&real, pieces),
        Ok(_) => {
            // What was written there before is another's: a redirected output goes on behind it.
            let mut file = BufWriter::new(OpenOptions::new().append(true).open(path)?);
            let made = pieces(&mut file)?;
            file.flush()?;
            Ok(made)
        }
        Err(_) => write_whole(path, pieces),
    }
}

/// The same for a file that takes nothing's place: one that would be written as it stands stays as it is.
///
/// # Errors
/// Something else stands there, or it cannot be written.
pub fn write_once<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    let standing = fs::canonicalize(path).ok().filter(|real| real.is_file() && !is_standing(path));
    let Some((standing, name)) = standing.as_deref().and_then(|real| Some((real, real.file_name()?))) else {
        return write_out(path, pieces);
    };
    let again = standing.with_file_name([OsStr::new("."), name, OsStr::new(".again")].join(OsStr::new("")));
    let made = write_whole(&again, pieces).and_then(|made| Ok((made, is_same(standing, &again)?)));
    // It may not have come so far.
    let _ = fs::remove_file(&again);
    match made? {
        (made, true) => Ok(made),
        (_, false) => Err(ErrorKind::AlreadyExists.into()),
    }
}

/// Whether two files have the same bytes.
fn is_same(one: &Path, other: &Path) -> Result<bool> {
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let common = left.len().min(right.len());
        if common == 0 || left.get(..common) != right.get(..common) {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(common);
        other.consume(common);
    }
}

/// Whether a place stands for something that is open elsewhere.
fn is_standing(path: &Path) -> bool {
    STANDING.iter().any(|place| path.starts_with(place)) && !path.starts_with(SHARED)
}

/// Writes a new file below a root, and the folders above it; one that says the same is left as it is.
///
/// # Errors
/// Something else stands there, or it cannot be written.
pub fn write_new(root: &Path, path: &Path, text: &str) -> Result<()> {
    if is_written(path, text)? {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    write_aside(root, path, |file| file.write_all(text.as_bytes()))
}

/// Whether a file says this already.
///
/// # Errors
/// Something else stands there.
pub fn is_written(path: &Path, text: &str) -> Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Ok(found) if found.is_file() && fs::read(path)? == text.as_bytes() => Ok(true),
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_user_names_is_written_whole_and_links_stay() {
        let folder = std::env::temp_dir().join(format!("probity-out-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("report.txt");
        write_out(&path, |file| file.write_all(b"before")).unwrap();
        let failed =
            write_out(&path, |file| file.write_all(b"ha").and_then(|()| Err::<(), _>(ErrorKind::Other.into())));
        assert!(failed.is_err() && fs::read_to_string(&path).unwrap() == "before");
        #[cfg(unix)]
        {
            let link = folder.join("link");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            write_out(&link, |file| file.write_all(b"after")).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            write_out(Path::new("/dev/null"), |file| file.write_all(b"x")).unwrap();
        }
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd;
            fs::write(&path, "before").unwrap();
            let open = OpenOptions::new().write(true).open(&path).unwrap();
            let standing = format!("/dev/fd/{}", open.as_raw_fd());
            write_out(Path::new(&standing), |file| file.write_all(b"x")).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "beforex");
            let shared = Path::new(SHARED).join(format!("probity-out-{}", std::process::id()));
            for text in ["before", "x"] {
                write_out(&shared, |file| file.write_all(text.as_bytes())).unwrap();
                assert_eq!(fs::read_to_string(&shared).unwrap(), text);
            }
            fs::remove_file(shared).unwrap();
        }
        assert!(write_out(&folder, |file| file.write_all(b"x")).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_written_once_is_written_again_only_to_the_same_end() {
        let folder = std::env::temp_dir().join(format!("probity-once-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("spans.jsonl");
        let write =
            |text: &str| write_once(&path, |file| file.write_all(text.as_bytes())).map_err(|error| error.kind());
        let long = "x".repeat(100_000);
        for (text, written) in [
            (long.as_str(), Ok(())),
            (&long, Ok(())),
            (&format!("{long}y"), Err(ErrorKind::AlreadyExists)),
            (&long[1..], Err(ErrorKind::AlreadyExists)),
            ("", Err(ErrorKind::AlreadyExists)),
        ] {
            assert_eq!(write(text), written);
            assert_eq!(fs::read_to_string(&path).unwrap(), long);
        }
        let failed = write_once(&path, |_| Err::<(), _>(ErrorKind::Other.into()));
        assert!(failed.is_err() && fs::read_dir(&folder).unwrap().count() == 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_new_file_takes_nothings_place_but_its_own() {
        let root = std::env::temp_dir().join(format!("probity-new-{}", std::process::id()));
        let path = root.join("tasks/a/b.json");
        for _ in 0..2 {
            write_new(&root, &path, "{}").unwrap();
        }
        assert_eq!(write_new(&root, &path, "[]").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
        assert_eq!(fs::read_dir(root.join("tasks/a")).unwrap().count(), 1);
        fs::remove_dir_all(root).unwrap();
    }
}
