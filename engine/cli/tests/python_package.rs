//! The Python package in `python/` passes its own tests against this program, in virtual environments with the packages
//! that they need, where a registry has them.

#![cfg(unix)]
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{contents, keeps_bytecode, out, python, root, said, scratch, skipped};

fn package() -> PathBuf {
    root().canonicalize().unwrap().join("python")
}

/// What the tests need beside the package, as its `pyproject.toml` has it.
fn requirements() -> Vec<String> {
    let text = contents(package().join("pyproject.toml"));
    let list = text.lines().find_map(|line| line.strip_prefix("test = ")).expect("an extra `test`");
    serde_json::from_str(list).unwrap()
}

/// What pytest says of these of the package's tests, which pass.
fn tested(python: &Path, folder: &Path, which: &[&str]) -> String {
    let tested = keeps_bytecode(&mut Command::new(python))
        .args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--basetemp"])
        .arg(folder.join("tests"))
        .args(which)
        .current_dir(package())
        .env("PROBITY_BIN", env!("CARGO_BIN_EXE_probity"))
        .env("PROBITY_ROOT", root().canonicalize().unwrap())
        .env("PYTHONPATH", package().join("src"))
        .output()
        .unwrap();
    assert!(tested.status.success(), "{}", said(&tested));
    let told = out(&tested);
    assert!(told.contains(" passed"), "{told}");
    told
}

#[test]
fn the_python_package_passes_its_tests() {
    let folder = scratch("python");
    let requirements = requirements();
    let requirements: Vec<&str> = requirements.iter().map(String::as_str).collect();
    let Some(python) = python(&folder.join("venv"), (3, 10), &requirements, &[], "pytest") else { return };
    let told = tested(&python, &folder, &[]);
    std::fs::remove_dir_all(folder).unwrap();
    // What needs trl, transformers, openenv or ray is tried where they are.
    told.lines().filter_map(|line| line.strip_prefix("SKIPPED ")).for_each(skipped);
}

/// Agents of others, which want releases of their own of what the package's tests have.
fn others(name: &str, least: (u32, u32), packages: &[&str], module: &str, which: &[&str]) {
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let packages = [packages, &["pytest>=8"]].concat();
    let Some(python) = python(&venv, least, &packages, &[], module) else { return };
    let folder = scratch(&format!("python-{name}"));
    let told = tested(&python, &folder, which);
    assert!(!told.contains("SKIPPED"), "{told}");
}

#[test]
fn langgraph_plays_the_lines_of_the_readme() {
    let packages = ["langchain>=1", "langchain-mcp-adapters>=0.3"];
    let which = ["tests/test_readme.py", "-k", "langgraph"];
    others("langgraph", (3, 10), &packages, "langchain.agents, langchain_mcp_adapters", &which);
}

#[test]
fn verifiers_plays_its_taskset_and_the_lines_of_the_readme() {
    let which = ["tests/test_verifiers.py", "tests/test_readme.py", "-k", "verifiers"];
    others("verifiers", (3, 11), &["verifiers>=0.4,<0.5"], "verifiers.v1", &which);
}
