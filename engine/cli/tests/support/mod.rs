//! What the tests of the command line share.

#![allow(dead_code, reason = "each test takes of it what it needs")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of a test stops it like the test itself")]

pub mod browser;
pub mod mock;
pub mod models;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use probity_behaviour::suite::Suite;

/// Environments on whose sixteen tasks each time is tried what takes minutes on all of them.
pub const SAMPLED: [&str; 4] =
    ["finance/bank", "healthcare/clinic", "infrastructure_devops/platform", "travel_hospitality/front_desk"];

/// Whether all environments are to be tried: `PROBITY_ALL=1`.
#[expect(clippy::disallowed_methods, reason = "a test may be told to try everything")]
pub fn is_all() -> bool {
    std::env::var("PROBITY_ALL").is_ok()
}

/// The repository's suite, read once.
pub fn suite() -> &'static Suite {
    static SUITE: OnceLock<Suite> = OnceLock::new();
    SUITE.get_or_init(|| Suite::load(&root()))
}

/// The sampled environments of the suite, read once.
pub fn sampled_suite() -> &'static Suite {
    static SUITE: OnceLock<Suite> = OnceLock::new();
    SUITE.get_or_init(|| Suite::load(sampled_root()))
}

/// The suite that the labelled dialogues were held on, read once.
pub fn labels_suite() -> &'static Suite {
    static SUITE: OnceLock<Suite> = OnceLock::new();
    SUITE.get_or_init(|| Suite::load(&root().join("labels/suite")))
}

/// A root with the sampled environments and all else that commands look for.
pub fn sampled_root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        if is_all() {
            return root();
        }
        let sampled = scratch("sampled");
        for folder in ["scripts/lib", "mm-tau", "tickets", "labels", "docs", "schemas"] {
            copy(&root().join(folder), &sampled.join(folder));
        }
        for id in SAMPLED {
            let folder = format!("tasks/{id}");
            copy(&root().join(&folder), &sampled.join(&folder));
            for file in [format!("environments/{id}.json"), format!("scripts/{id}.rhai")] {
                fs::create_dir_all(sampled.join(&file).parent().unwrap()).unwrap();
                fs::copy(root().join(&file), sampled.join(&file)).unwrap();
            }
        }
        sampled
    })
}

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
    probity_at(sampled_root(), arguments)
}

/// The same with another root.
pub fn probity_at(root: &Path, arguments: &[&str]) -> Output {
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
