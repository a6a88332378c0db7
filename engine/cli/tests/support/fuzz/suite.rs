//! The suite that all targets start from: the small shop of the corpora, and one of the environments.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use probity_behaviour::suite::{Files, Suite};

pub static SHOP: LazyLock<Files> = LazyLock::new(|| files(&root().join("engine/cli/tests/cases/base"), ""));

/// The shop and the front desk, loaded.
pub static SUITE: LazyLock<Suite> = LazyLock::new(|| {
    let mut files = files(&root(), "front_desk");
    files.extend(SHOP.clone());
    let suite = Suite::from_files(files, Vec::new());
    assert!(suite.environments.len() == 2 && !suite.has_errors(), "{:?}", suite.diagnostics.first());
    suite
});

/// The repository: `engine/` and `fuzz/` both lie in it.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The authored files below a root whose path holds `part`, and the libraries.
fn files(root: &Path, part: &str) -> Files {
    let mut found = Files::new();
    for folder in ["environments", "scripts", "tasks"] {
        add(&root.join(folder), folder, &mut found);
    }
    found.retain(|path, _| path.contains(part) || path.starts_with("scripts/lib/"));
    found
}

fn add(folder: &Path, name: &str, found: &mut Files) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = format!("{name}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            add(&entry.path(), &path, found);
        } else if path.ends_with(".json") || path.ends_with(".rhai") {
            found.insert(path, fs::read_to_string(entry.path()).unwrap());
        }
    }
}
