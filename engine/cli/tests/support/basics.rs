//! What the tests of each of our programs share: files, what a command said, snapshots.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file or folder of `tests/cases`.
pub fn cases(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)
}

pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn contents(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

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

/// The file, or those of the folder in the order of their names.
pub fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut all: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

pub fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// What came out well.
#[track_caller]
pub fn succeeded(output: Output) -> Output {
    assert_eq!(code(&output), 0, "{}", said(&output));
    output
}

/// What ends so and says each of these where `heard` listens: `out`, `err` or both, `said`.
#[track_caller]
pub fn tells(output: Output, exit: i32, heard: fn(&Output) -> String, parts: &[&str]) -> Output {
    assert_eq!(code(&output), exit, "{}", said(&output));
    for part in parts {
        assert!(heard(&output).contains(part), "`{part}` is not in {}", heard(&output));
    }
    output
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What was said on both.
pub fn said(output: &Output) -> String {
    out(output) + &err(output)
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

/// Snapshots are kept in this folder of `snapshots/`.
pub fn snapshots(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new("../../../snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// A line for a shell in a folder, which finds the program at this path by its name.
pub fn shell(program: &str, line: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("PATH=\"$PROGRAMS:$PATH\"\n{line}")]).current_dir(folder).stdin(Stdio::null());
    command.env("PROGRAMS", Path::new(program).parent().unwrap());
    command
}

/// The sessions of `tests/cases/sessions`: lines as people type them. `PROBITY_SESSION=NAME` is typed alone.
#[expect(clippy::disallowed_methods, reason = "a test may be told which session to type")]
pub fn sessions() -> Vec<PathBuf> {
    let wanted = std::env::var("PROBITY_SESSION").ok();
    let is_wanted = |path: &PathBuf| wanted.as_ref().is_none_or(|name| path.file_stem().unwrap() == name.as_str());
    let is_session = |path: &PathBuf| path.extension().is_some_and(|end| end == "sh") && is_wanted(path);
    files(&cases("sessions")).into_iter().filter(is_session).collect()
}

/// What each line of a session may call.
const PRELUDE: &str = include_str!("../cases/prelude.sh");

/// A session typed line by line in a folder of its own, where what stands in the folder of its name lies already: each
/// line with all that was said. A line of standard error begins with `!`, and an exit code that is not 0 stands behind
/// `?`.
pub fn typed(program: &str, session: &Path) -> String {
    let at = scratch(&format!("session-{}", session.file_stem().unwrap().to_str().unwrap()));
    let given = session.with_extension("");
    if given.is_dir() {
        copy(&given, &at);
    }
    let repository = root().canonicalize().unwrap();
    let mut told = String::new();
    for line in contents(session).lines() {
        if line.is_empty() || line.starts_with('#') {
            told.push_str(&format!("{line}\n"));
            continue;
        }
        let mut command = shell(program, &format!("{PRELUDE}\n{line}"), &at);
        let output = command.env("CASES", cases("")).env("REPO", &repository).env("LC_ALL", "C").output().unwrap();
        told.push_str(&format!("$ {line}\n{}", out(&output)));
        told.extend(err(&output).lines().map(|line| format!("! {line}\n")));
        if code(&output) != 0 {
            told.push_str(&format!("? {}\n", code(&output)));
        }
    }
    told
}
