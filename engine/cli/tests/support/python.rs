//! Virtual environments of Python.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::skipped;

/// A Python with these packages, in a virtual environment at a place, unless it is there already; says so where there is none. `bare` ones come
/// without what they depend on.
pub fn python(place: &Path, least: (u32, u32), packages: &[&str], bare: &[&str], module: &str) -> Option<PathBuf> {
    let own = place.join("bin/python");
    let works = |python: &Path| {
        let tried = Command::new(python).args(["-c", &format!("import {module}")]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    if works(&own) {
        return Some(own);
    }
    let is_new = format!("import sys, venv; sys.exit(sys.version_info < {least:?})");
    let names = ["python3", "python3.12", "python3.13", "python3.14"];
    let Some(python) = names
        .iter()
        .find(|python| Command::new(python).args(["-c", &is_new]).output().is_ok_and(|output| output.status.success()))
    else {
        skipped(format!("no Python with venv from {}.{} on is here", least.0, least.1));
        return None;
    };
    let done = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let install = |more: &[&str], packages: &[&str]| {
        let pip = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20"];
        packages.is_empty() || done(Command::new(&own).args(pip).args(more).args(packages))
    };
    let is_made = done(Command::new(python).args(["-m", "venv", "--clear"]).arg(place))
        && install(&[], packages)
        && install(&["--no-deps"], bare);
    if !is_made || !works(&own) {
        skipped(format!(
            "{} cannot be installed here",
            packages.iter().chain(bare).copied().collect::<Vec<_>>().join(", ")
        ));
        return None;
    }
    Some(own)
}
