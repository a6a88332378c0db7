//! Virtual environments of Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::skipped;

/// A Python with these packages, in a virtual environment at a place, unless it is there already; says so where there
/// is none. `bare` ones come without what they depend on.
pub fn python(place: &Path, least: (u32, u32), packages: &[&str], bare: &[&str], module: &str) -> Option<PathBuf> {
    let own = place.join("bin/python");
    let works = || done(keeps_bytecode(&mut Command::new(&own)).args(["-c", &format!("import {module}")]));
    if works() {
        return Some(own);
    }
    let is_new = format!("import sys, venv; sys.exit(sys.version_info < {least:?})");
    let names = ["python3", "python3.12", "python3.13", "python3.14"];
    let Some(python) = names.iter().find(|python| done(Command::new(python).args(["-c", &is_new]))) else {
        skipped(format!("no Python with venv from {}.{} on is here", least.0, least.1));
        return None;
    };
    let with = |installer: &dyn Fn() -> Command| {
        let install = |more: &[&str], packages: &[&str]| {
            packages.is_empty() || done(installer().args(["install", "--quiet"]).args(more).args(packages))
        };
        install(&[], packages) && install(&["--no-deps"], bare)
    };
    let by_uv = |uv: &PathBuf| {
        let installer = || {
            let mut command = Command::new(uv);
            command.args(["--system-certs", "pip"]).env("VIRTUAL_ENV", place);
            command
        };
        done(Command::new(uv).args(["venv", "--quiet", "--clear", "--python", python]).arg(place)) && with(&installer)
    };
    let by_pip = || {
        let installer = || {
            let mut command = Command::new(&own);
            command.args(["-m", "pip", "--retries", "1", "--timeout", "20"]);
            command
        };
        done(Command::new(python).args(["-m", "venv", "--clear"]).arg(place)) && with(&installer)
    };
    if !(UV.as_ref().is_some_and(by_uv) || by_pip()) || !works() {
        let names = packages.iter().chain(bare).copied().collect::<Vec<_>>().join(", ");
        skipped(format!("{names} cannot be installed here"));
        return None;
    }
    Some(own)
}

/// An installer that takes a tenth of what pip takes, where it can be had. It reads nothing of pip's configuration: who
/// names a registry there is served by pip.
static UV: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("venv-uv");
    let (own, pip) = (place.join("bin/uv"), place.join("bin/pip"));
    let is_here = || done(Command::new(&own).arg("--version"));
    let is_made = || {
        done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))
            && !done(Command::new(&pip).args(["config", "get", "global.index-url"]))
            && done(Command::new(&pip).args(["install", "--quiet", "--retries", "1", "--timeout", "20", "uv"]))
    };
    let is_elsewhere = std::env::var_os("PIP_INDEX_URL").is_some();
    (!is_elsewhere && (is_here() || is_made())).then_some(own)
});

/// What Python compiles for a command is kept in the target folder, for the next command and not beside a script: a large
/// package takes ten seconds to compile.
pub fn keeps_bytecode(command: &mut Command) -> &mut Command {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bytecode");
    command.env_remove("PYTHONDONTWRITEBYTECODE").env("PYTHONPYCACHEPREFIX", place)
}

fn done(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
