//! New files below a root: all of them or none.

use std::fs;
use std::io::{Error, ErrorKind, Result, Write as _};
use std::path::{Path, PathBuf};

use super::whole::{ASIDE, write_aside};

/// The first of some new files that could not be written.
#[derive(Debug)]
pub struct Unwritten {
    /// Its path below the root.
    pub path: String,
    /// Why.
    pub error: Error,
}

impl Unwritten {
    /// Whether something else stands there.
    pub fn is_taken(&self) -> bool {
        self.error.kind() == ErrorKind::AlreadyExists
    }
}

/// Writes new files below a root, and the folders above them. What is there with the same text stays: who was stopped,
/// at the last moment even, ends as they would have when they do it again.
///
/// # Errors
/// Something else stands at the place of one, or one cannot be written: then none is there that was not there before.
pub fn write_new(root: &Path, files: &[(&str, &str)]) -> std::result::Result<(), Unwritten> {
    let unwritten = |path: &str| {
        let path = path.to_owned();
        |error| Unwritten { path, error }
    };
    for (path, text) in files {
        is_written(&root.join(path), text).map_err(unwritten(path))?;
    }
    let mut made = Vec::new();
    let mut create =
        |(path, text): &(&str, &str)| create(root, &root.join(path), text, &mut made).map_err(unwritten(path));
    let created = files.iter().try_for_each(&mut create);
    tidy(root);
    if created.is_err() {
        // The newest first: folders are empty by then.
        made.iter().rev().for_each(|path| drop(fs::remove_file(path).or_else(|_| fs::remove_dir(path))));
    }
    created
}

/// Whether a file says this already; an error where something else stands there.
fn is_written(path: &Path, text: &str) -> Result<bool> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Ok(found) if found.is_file() && fs::read(path)? == text.as_bytes() => Ok(true),
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(error) => Err(error),
    }
}

/// Creates a file and the folders above it, and notes what was not there before.
fn create(root: &Path, path: &Path, text: &str, made: &mut Vec<PathBuf>) -> Result<()> {
    if is_written(path, text)? {
        return Ok(());
    }
    let folders: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| !folder.is_dir()).collect();
    for folder in folders.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir(folder)?;
        made.push(folder.to_owned());
    }
    write_aside(root, path, |file| file.write_all(text.as_bytes()))?;
    made.push(path.to_owned());
    Ok(())
}

/// Takes away where files were begun, where nothing else is in it.
fn tidy(root: &Path) {
    let begun = root.join(ASIDE);
    for folder in begun.ancestors().take_while(|folder| *folder != root) {
        let _ = fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("probity-new-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("tasks")).unwrap();
        root
    }

    #[test]
    fn what_fails_takes_away_only_what_it_began() {
        let files = [("tasks/a.json", "{}"), ("tasks/new/c.json", "{}"), ("tasks/new/c.json/d.json", "{}")];
        for is_begun in [false, true] {
            let root = place("failed");
            if is_begun {
                fs::write(root.join("tasks/a.json"), "{}").unwrap();
            }
            let unwritten = write_new(&root, &files).unwrap_err();
            assert_eq!((unwritten.path.as_str(), unwritten.is_taken()), ("tasks/new/c.json/d.json", false));
            assert_eq!(root.join("tasks/a.json").is_file(), is_begun);
            assert!(root.join("tasks").is_dir() && !root.join("tasks/new").exists() && !root.join(".probity").is_dir());
            fs::remove_dir_all(root).unwrap();
        }
    }

    #[test]
    fn what_was_written_is_written_again_and_another_text_is_in_its_way() {
        let root = place("again");
        for _ in 0..2 {
            write_new(&root, &[("tasks/a.json", "{}"), ("b.json", "[]")]).unwrap();
        }
        let unwritten = write_new(&root, &[("c.json", ""), ("tasks/a.json", "{ }")]).unwrap_err();
        assert!(unwritten.path == "tasks/a.json" && unwritten.is_taken());
        assert!(!root.join("c.json").exists());
        assert_eq!(fs::read_to_string(root.join("tasks/a.json")).unwrap(), "{}");
        fs::remove_dir_all(root).unwrap();
    }
}
