//! The Python package in `python/` passes its own tests against this program, in a virtual environment with the
//! packages that they need, where a registry has them.

#![cfg(unix)]
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{contents, err, out, root, said, scratch, skipped};

/// What the tests need beside the package, as its `pyproject.toml` has it.
fn requirements(package: &Path) -> Vec<String> {
    let text = contents(package.join("pyproject.toml"));
    let list = text.lines().find_map(|line| line.strip_prefix("test = ")).expect("an extra `test`");
    serde_json::from_str(list).unwrap()
}

/// A Python in a virtual environment with these packages; says so where there is none.
fn python(folder: &Path, requirements: &[String]) -> Option<PathBuf> {
    let asked = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10); print(sys.executable)";
    let tried = Command::new("python3").args(["-c", asked]).output();
    let Some(found) = tried.ok().filter(|output| output.status.success()) else {
        skipped("python3 of 3.10 or newer with venv and pip is not here");
        return None;
    };
    let made = Command::new(out(&found).trim()).args(["-m", "venv"]).arg(folder).output().unwrap();
    assert!(made.status.success(), "{}", said(&made));
    let python = folder.join("bin/python");
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"];
    let installed = Command::new(&python).args(install).args(requirements).output().unwrap();
    if !installed.status.success() {
        let why = err(&installed).lines().last().unwrap_or_default().to_owned();
        skipped(format_args!("the registry does not give what the tests of python/ need: {why}"));
        return None;
    }
    Some(python)
}

#[test]
fn the_python_package_passes_its_tests() {
    let package = root().canonicalize().unwrap().join("python");
    let folder = scratch("python");
    let Some(python) = python(&folder.join("venv"), &requirements(&package)) else { return };
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
    // What needs trl, transformers or openenv is tried where they are.
    told.lines().filter_map(|line| line.strip_prefix("SKIPPED ")).for_each(skipped);
}
