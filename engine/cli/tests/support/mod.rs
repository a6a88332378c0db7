//! What the tests of the command line share.

#![allow(dead_code, reason = "each test takes of it what it needs")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of a test stops it like the test itself")]

pub mod browser;
pub mod mock;
pub mod models;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn probity(arguments: &[&str]) -> Output {
    let root = root();
    Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["--root", root.to_str().unwrap()])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

pub fn run(directory: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["run", "--out", directory.to_str().unwrap()];
    arguments.extend(more);
    probity(&arguments)
}

pub fn text(path: &Path, name: &str) -> String {
    fs::read_to_string(path.join(name)).unwrap()
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Whether an episode succeeded, in a word.
pub fn sr(record: &serde_json::Value) -> &'static str {
    let sr = &record["scores"]["metrics"]["sr"];
    match sr["value"].as_f64() {
        Some(value) => {
            if value == 1.0 {
                "pass"
            } else {
                "fail"
            }
        }
        None => {
            assert_eq!(sr["status"], "not_scored");
            "not_scored"
        }
    }
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}
