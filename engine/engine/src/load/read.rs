//! The only place where authored files are touched: nothing outside the root is opened but what a user names.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Component, Path, PathBuf};

use super::whole::write_aside;
use crate::model::canonical::lines_of;
use crate::model::diagnostic::Diagnostic;

/// The largest authored file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 8 * 1024 * 1024;

/// The deepest folder that is searched, counted from the folder where the search starts.
pub const MAX_FOLDER_DEPTH: usize = 8;

/// What [`list`] found, and what it refused to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Paths below the root, with `/`, in the order of their bytes.
    pub files: Vec<String>,
    /// Files whose names end otherwise, hidden ones left out, in the order of their bytes.
    pub others: Vec<String>,
    /// Why other entries are not among them, in the order of their paths.
    pub refused: Vec<Diagnostic>,
}

/// Reads the file at `path`, which is given below `root` and with `/`.
///
/// # Errors
/// One diagnostic: the file is missing, unreadable, outside the root, not a regular file, larger
/// than [`MAX_FILE_BYTES`], not UTF-8, or starts with a byte order mark.
pub fn read(root: &Path, path: &str) -> Result<String, Diagnostic> {
    // A checkout may end lines with a carriage return as well: it holds the same text.
    bounded(&resolve(root, path)?, path, MAX_FILE_BYTES).map(|text| match lines_of(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(lines) => lines,
    })
}

/// Reads a file that a user names on the command line, wherever it lies.
///
/// # Errors
/// It is missing, unreadable, not a regular file, larger than `limit` bytes, not UTF-8, or starts with a byte order
/// mark.
pub fn read_named(path: &Path, limit: u64) -> Result<String, String> {
    bounded(path, &path.display().to_string(), limit).map_err(|diagnostic| diagnostic.message)
}

fn bounded(real: &Path, path: &str, limit: u64) -> Result<String, Diagnostic> {
    decode(path, bytes(real, path, limit)?)
}

/// The bytes of a regular file of no more than `limit`, also where it grows while it is read.
pub(super) fn bytes(real: &Path, path: &str, limit: u64) -> Result<Vec<u8>, Diagnostic> {
    let metadata = fs::metadata(real).map_err(|error| io_problem(path, &error))?;
    if !metadata.is_file() {
        return Err(not_a_file(path));
    }
    if metadata.len() > limit {
        return Err(too_large(path, &metadata.len().to_string(), limit));
    }
    let mut bytes = Vec::new();
    File::open(real)
        .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(|error| io_problem(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(path, &format!("more than {limit}"), limit));
    }
    Ok(bytes)
}

/// Puts `text` into the place of the file at `path`, or makes it in a folder that is there: whole, so
/// that a full disk loses nothing.
///
/// # Errors
/// One diagnostic: as [`read`], or the file cannot be written.
pub fn replace(root: &Path, path: &str, text: &str) -> Result<(), Diagnostic> {
    let is_new = root.join(path).symlink_metadata().is_err();
    let real = match path.rsplit_once('/').filter(|_| is_new) {
        Some((folder, name)) => resolve(root, folder)?.join(name),
        None => resolve(root, path)?,
    };
    let written = write_aside(root, &real, |file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let message = format!("cannot be written: {}", error.kind());
        Diagnostic::file(path, "unwritable_file", message)
            .help("look at the permissions of its folder and at the free space")
    })
}

/// Lists the files below `dir` whose names end in `.extension`, in folders too. Hidden entries are
/// passed over; linked folders are not followed, so that no file is listed twice.
pub fn list(root: &Path, dir: &str, extension: &str) -> Listing {
    let mut listing = Listing::default();
    let ending = format!(".{extension}");
    match resolve(root, dir) {
        Ok(folder) if folder.is_dir() => walk(root, (dir, &folder), &ending, 0, &mut listing),
        Ok(_) => listing.refused.push(Diagnostic::file(dir, "not_a_folder", "not a folder").help("make it a folder")),
        Err(diagnostic) => listing.refused.push(diagnostic),
    }
    listing.files.sort();
    listing.others.sort();
    listing.refused.sort();
    listing
}

/// The real path of `path`, all links followed, when that is below the root.
fn resolve(root: &Path, path: &str) -> Result<PathBuf, Diagnostic> {
    let outside = || {
        Diagnostic::file(path, "outside_root", "leads out of the root folder")
            .help("authored files and what they link to stay below the root")
    };
    if Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside());
    }
    let root = root.canonicalize().map_err(|error| io_problem(&root.to_string_lossy(), &error))?;
    let real = root.join(path).canonicalize().map_err(|error| io_problem(path, &error))?;
    if real.starts_with(&root) { Ok(real) } else { Err(outside()) }
}

fn walk(root: &Path, (dir, folder): (&str, &Path), ending: &str, depth: usize, listing: &mut Listing) {
    let entries = match fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(entries) => entries,
        Err(error) => return listing.refused.push(io_problem(dir, &error)),
    };
    for entry in entries {
        let name = entry.file_name();
        let path = if dir.is_empty() || dir == "." {
            name.to_string_lossy().into_owned()
        } else {
            format!("{}/{}", dir.trim_end_matches('/'), name.to_string_lossy())
        };
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let wanted = name.to_string_lossy().ends_with(ending);
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                listing.refused.push(io_problem(&path, &error));
                continue;
            }
        };
        if kind.is_dir() && depth >= MAX_FOLDER_DEPTH {
            let message = format!("folders go deeper than {MAX_FOLDER_DEPTH}");
            let refused = Diagnostic::file(&path, "folder_too_deep", message);
            listing.refused.push(refused.help("move the folder further up"));
        } else if (kind.is_dir() || wanted) && name.to_str().is_none() {
            let refused = Diagnostic::file(&path, "bad_file_name", "the name is not UTF-8");
            listing.refused.push(refused.help("rename it"));
        } else if kind.is_dir() && wanted {
            let refused = Diagnostic::file(&path, "not_a_file", "a folder with the name of a file");
            listing.refused.push(refused.help("rename it, or put the file in its place"));
        } else if kind.is_dir() {
            walk(root, (&path, &entry.path()), ending, depth + 1, listing);
        } else if kind.is_symlink() {
            follow(root, &path, wanted, listing);
        } else if kind.is_file() {
            if wanted { &mut listing.files } else { &mut listing.others }.push(path);
        } else if wanted {
            listing.refused.push(not_a_file(&path));
        }
    }
}

/// A link: a wanted file inside the root is listed; everything else is refused or passed over.
fn follow(root: &Path, path: &str, wanted: bool, listing: &mut Listing) {
    match resolve(root, path) {
        Ok(real) if real.is_dir() => {
            let refused = Diagnostic::file(path, "linked_folder", "a linked folder is not followed");
            listing.refused.push(refused.help("put the folder itself here"));
        }
        Ok(real) if wanted && real.is_file() => listing.files.push(path.to_owned()),
        Ok(_) if wanted => listing.refused.push(not_a_file(path)),
        Ok(_) => listing.others.push(path.to_owned()),
        Err(diagnostic) if wanted || diagnostic.code == "outside_root" => listing.refused.push(diagnostic),
        Err(_) => {}
    }
}

pub(super) fn decode(path: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if bytes.starts_with("\u{feff}".as_bytes()) {
        return Err(Diagnostic::file(path, "byte_order_mark", "starts with a byte order mark")
            .help("save it as UTF-8 without a byte order mark"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let mut lines = good.split(|byte| *byte == b'\n');
        let last = lines.next_back().unwrap_or_default();
        let (line, column) = (lines.count() + 1, String::from_utf8_lossy(last).chars().count() + 1);
        let diagnostic = Diagnostic::file(path, "not_utf8", "not UTF-8 text").help("save it as UTF-8");
        Diagnostic { line, column, ..diagnostic }
    })
}

fn not_a_file(path: &str) -> Diagnostic {
    Diagnostic::file(path, "not_a_file", "not a regular file").help("put the file itself here")
}

fn too_large(path: &str, size: &str, limit: u64) -> Diagnostic {
    let message = format!("the file has {size} bytes; it may have {limit}");
    Diagnostic::file(path, "file_too_large", message).help("split it")
}

fn io_problem(path: &str, error: &io::Error) -> Diagnostic {
    match error.kind() {
        io::ErrorKind::NotFound => Diagnostic::file(path, "missing_file", "there is no such file or folder")
            .help("make it, or name another root with `--root`"),
        kind => {
            Diagnostic::file(path, "unreadable_file", format!("cannot be read: {kind}")).help("look at its permissions")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for one test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("probity-read-{}-{test}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(path.join("root")).unwrap();
            Folder(path)
        }

        fn root(&self) -> PathBuf {
            self.0.join("root")
        }

        fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn refusal(&self, path: &str) -> String {
            read(&self.root(), path).unwrap_err().to_string()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_below_the_root_is_read() {
        let folder = Folder::new("good");
        folder.write("root/a/b.json", "{}\n");
        assert_eq!(read(&folder.root(), "a/b.json").unwrap(), "{}\n");
        assert_eq!(read(&folder.root(), "./a/b.json").unwrap(), "{}\n");
        folder.write("root/a/c.json", "{\r\n}\r\n");
        assert_eq!(read(&folder.root(), "a/c.json").unwrap(), "{\n}\n");
    }

    #[test]
    fn unfit_files_are_refused_with_a_reason() {
        let folder = Folder::new("unfit");
        folder.write("root/latin.json", b"{\n  \"\xc3\xa4\": \"caf\xe9\"}");
        folder.write("root/bom.json", "\u{feff}{}");
        File::create(folder.root().join("big.json")).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        assert_eq!(
            folder.refusal("latin.json"),
            "latin.json:2:12: error[not_utf8]: not UTF-8 text\n  help: save it as UTF-8"
        );
        assert_eq!(
            folder.refusal("bom.json"),
            "bom.json: error[byte_order_mark]: starts with a byte order mark\n  \
             help: save it as UTF-8 without a byte order mark"
        );
        assert_eq!(
            folder.refusal("big.json"),
            "big.json: error[file_too_large]: the file has 8388609 bytes; it may have 8388608\n  \
             help: split it"
        );
        assert_eq!(
            folder.refusal("no.json"),
            "no.json: error[missing_file]: there is no such file or folder\n  \
             help: make it, or name another root with `--root`"
        );
        let refused = ": error[not_a_file]: not a regular file\n  help: put the file itself here";
        assert_eq!(folder.refusal(""), refused);
    }

    #[test]
    fn paths_stay_below_the_root() {
        let folder = Folder::new("paths");
        folder.write("secret.json", "{}");
        for path in ["../secret.json", "/etc/passwd", "a/../../secret.json"] {
            assert_eq!(
                folder.refusal(path),
                format!(
                    "{path}: error[outside_root]: leads out of the root folder\n  \
                     help: authored files and what they link to stay below the root"
                )
            );
        }
    }

    #[test]
    fn files_are_listed_in_order_and_hidden_ones_passed_over() {
        let folder = Folder::new("list");
        for path in ["b/y.json", "b.json", "a/x.json", "a/x.txt", ".git/z.json", "a/.x.json"] {
            folder.write(&format!("root/env/{path}"), "");
        }
        let listing = list(&folder.root(), "env", "json");
        assert_eq!(listing.files, ["env/a/x.json", "env/b.json", "env/b/y.json"]);
        assert_eq!(listing.refused, []);
        assert_eq!(listing.others, ["env/a/x.txt"]);
        assert_eq!(list(&folder.root(), "", "txt").files, ["env/a/x.txt"]);
        let missing = list(&folder.root(), "tasks", "json");
        assert_eq!(missing.refused.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["missing_file"]);
    }

    #[test]
    fn folders_have_a_deepest_level() {
        let folder = Folder::new("deep");
        folder.write("root/1/2/3/4/5/6/7/8/a.json", "");
        folder.write("root/1/2/3/4/5/6/7/8/9/b.json", "");
        let listing = list(&folder.root(), "", "json");
        assert_eq!(listing.files, ["1/2/3/4/5/6/7/8/a.json"]);
        let refused: Vec<String> = listing.refused.iter().map(ToString::to_string).collect();
        let expected = "1/2/3/4/5/6/7/8/9: error[folder_too_deep]: folders go deeper than 8\n  \
             help: move the folder further up";
        assert_eq!(refused, [expected]);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = Folder::new("folder");
        folder.write("root/a.json/b.json", "");
        let listing = list(&folder.root(), "", "json");
        assert_eq!(listing.files, [""; 0]);
        let expected = "a.json: error[not_a_file]: a folder with the name of a file\n  \
                        help: rename it, or put the file in its place";
        assert_eq!(listing.refused.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_written_is_told_so_and_modes_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("modes");
        folder.write("root/a/b.json", "{}");
        let (root, file) = (folder.root(), folder.root().join("a/b.json"));
        let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o7777;
        for wanted in [0o664, 0o600, 0o755] {
            fs::set_permissions(&file, fs::Permissions::from_mode(wanted)).unwrap();
            replace(&root, "a/b.json", "{ }").unwrap();
            assert_eq!(mode(), wanted);
        }
        let shut = |mode: u32| fs::set_permissions(root.join("a"), fs::Permissions::from_mode(mode)).unwrap();
        shut(0o555);
        let refused = replace(&root, "a/b.json", "{}").err();
        shut(0o755);
        // Who may do everything is not stopped by a mode.
        let text = refused.map(|found| found.to_string());
        assert!(text.is_none_or(|text| text.starts_with("a/b.json: error[unwritable_file]: cannot be written: ")));
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_root_and_special_files_are_refused() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("links");
        let root = folder.root();
        folder.write("secret.json", "{}");
        folder.write("root/real/a.json", "{}");
        symlink(folder.0.join("secret.json"), root.join("leak.json")).unwrap();
        symlink(&folder.0, root.join("up")).unwrap();
        symlink(root.join("real"), root.join("again")).unwrap();
        symlink(root.join("real/a.json"), root.join("alias.json")).unwrap();
        let fifo = std::process::Command::new("mkfifo").arg(root.join("pipe.json")).status().unwrap();
        assert!(fifo.success());

        let listing = list(&root, "", "json");
        assert_eq!(listing.files, ["alias.json", "real/a.json"]);
        let codes: Vec<(&str, &str)> = listing.refused.iter().map(|d| (d.file.as_str(), d.code.as_str())).collect();
        let refused = [("again", "linked_folder"), ("leak.json", "outside_root")];
        assert_eq!(codes, [&refused[..], &[("pipe.json", "not_a_file"), ("up", "outside_root")]].concat());
        assert_eq!(
            folder.refusal("pipe.json"),
            "pipe.json: error[not_a_file]: not a regular file\n  help: put the file itself here"
        );
        assert!(folder.refusal("leak.json").contains("outside_root"));
        assert!(folder.refusal("up/secret.json").contains("outside_root"));
    }
}
