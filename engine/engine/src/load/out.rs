//! Files that a user names to be written.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, ErrorKind, Result, Write};
use std::path::Path;

use super::unfinished::clear_unfinished;
use super::whole::{write_fresh, write_over_empty, write_whole};

/// Places whose files stand for something that is open elsewhere, and one among them whose files are their own.
const STANDING: [&str; 2] = ["/dev", "/proc"];
const SHARED: &str = "/dev/shm";

/// Writes a file that a user names: whole or not at all, and straight into what is no regular file (a pipe, a device).
///
/// # Errors
/// It cannot be written, or `pieces` says so; a regular file that was there before is still there.
pub fn write_out<T>(path: &Path, pieces: impl FnOnce(&mut BufWriter<File>) -> Result<T>) -> Result<T> {
    clear_beside(path);
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

/// Removes what a write of this file has left that was stopped.
fn clear_beside(path: &Path) {
    if let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        clear_unfinished(folder, Some(name));
    }
}

/// The same for a file that takes nothing's place: one that would be written as it stands stays as it is. An empty one
/// is as good as none.
///
/// # Errors
/// Something else stands there, or it cannot be written.
pub fn write_once<T>(path: &Path, pieces: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    match fs::canonicalize(path).ok() {
        Some(real) if real.is_file() && !is_standing(path) => {
            if fs::metadata(&real)?.len() == 0 {
                clear_beside(&real);
                return write_over_empty(&real, |file| pieces(file));
            }
            let mut standing = Comparing { standing: BufReader::new(File::open(real)?), differs: false };
            let made = pieces(&mut standing);
            match standing.differs || made.is_ok() && !standing.standing.fill_buf()?.is_empty() {
                true => Err(ErrorKind::AlreadyExists.into()),
                false => made,
            }
        }
        Some(_) => write_out(path, |file| pieces(file)),
        None => {
            clear_beside(path);
            write_fresh(path, |file| pieces(file))
        }
    }
}

/// Takes what a file says already, and nothing else.
struct Comparing {
    standing: BufReader<File>,
    differs: bool,
}

impl Write for Comparing {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let standing = self.standing.fill_buf()?;
        let common = standing.len().min(bytes.len());
        self.differs |= common == 0 && !bytes.is_empty() || standing.get(..common) != bytes.get(..common);
        if self.differs {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.standing.consume(common);
        Ok(common)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Whether a place stands for something that is open elsewhere.
fn is_standing(path: &Path) -> bool {
    STANDING.iter().any(|place| path.starts_with(place)) && !path.starts_with(SHARED)
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
        // What another made of a name that looks like ours is theirs.
        let others = folder.join(".spans.jsonl.again");
        fs::write(&others, "theirs").unwrap();
        assert_eq!((write(&long), fs::read_to_string(&others).unwrap().as_str()), (Ok(()), "theirs"));
        fs::write(&path, "").unwrap();
        assert_eq!((write("new"), fs::read_to_string(&path).unwrap().as_str()), (Ok(()), "new"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_came_while_it_was_written_stays() {
        let folder = std::env::temp_dir().join(format!("probity-meanwhile-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("spans.jsonl");
        for before in [None, Some("")] {
            let _ = fs::remove_file(&path);
            before.map_or(Ok(()), |text| fs::write(&path, text)).unwrap();
            let written = write_once(&path, |file| {
                fs::write(&path, "theirs")?;
                file.write_all(b"ours")
            });
            assert_eq!(written.unwrap_err().kind(), ErrorKind::AlreadyExists);
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
