//! The Python package in `python/` passes its own tests against this program, in a virtual environment with the
//! packages that they need, where a registry has them.

#![cfg(unix)]
use std::path::Path;
use std::process::Command;

use crate::support::{contents, out, python, root, said, scratch, skipped};

/// What the tests need beside the package, as its `pyproject.toml` has it.
fn requirements(package: &Path) -> Vec<String> {
    let text = contents(package.join("pyproject.toml"));
    let list = text.lines().find_map(|line| line.strip_prefix("test = ")).expect("an extra `test`");
    serde_json::from_str(list).unwrap()
}

#[test]
fn the_python_package_passes_its_tests() {
    let package = root().canonicalize().unwrap().join("python");
    let folder = scratch("python");
    let requirements = requirements(&package);
    let requirements: Vec<&str> = requirements.iter().map(String::as_str).collect();
    let Some(python) = python(&folder.join("venv"), (3, 10), &requirements, &[], "pytest") else { return };
    let tested = Command::new(python)
        .args(["-B", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--basetemp"])
        .arg(folder.join("tests"))
        .current_dir(&package)
        .env("PROBITY_BIN", env!("CARGO_BIN_EXE_probity"))
        .env("PROBITY_ROOT", root().canonicalize().unwrap())
        .env("PYTHONPATH", package.join("src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(tested.status.success(), "{}", said(&tested));
    let told = out(&tested);
    assert!(told.contains(" passed"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
    // What needs trl, transformers, openenv or ray is tried where they are.
    told.lines().filter_map(|line| line.strip_prefix("SKIPPED ")).for_each(skipped);
}
