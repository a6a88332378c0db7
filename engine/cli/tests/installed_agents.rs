//! Agents in virtual environments, prefixes and packages run behind a barrier as they do without, and nothing beside
//! those is shown.

#![cfg(target_os = "linux")]
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{binary, code, err, first_reply, has_bwrap, out, real_root, root, scratch, skipped, text};

/// Says with which interpreter it runs, which of some places it sees, and whether it found its module.
const TEAM: &str = include_str!("cases/agents/team.py");

/// The Python that is there, without what may choose between several; says so where there is none, or no `bwrap`.
fn python() -> Option<PathBuf> {
    if !has_bwrap() {
        return None;
    }
    let tried = Command::new("python3").args(["-c", "import sys, venv; print(sys.executable)"]).output();
    let found = tried.ok().filter(|output| output.status.success()).map(|output| PathBuf::from(out(&output).trim()));
    if found.is_none() {
        skipped("python3 with venv is not here");
    }
    found
}

/// What an agent said behind the barrier; it is started in `folder`, and looks for `look`.
fn said(folder: &Path, command: &str, look: &[PathBuf]) -> Value {
    let run = folder.join("runs").join(format!("{}", fs::read_dir(folder.join("runs")).map_or(0, Iterator::count)));
    let look: Vec<String> = look.iter().map(|path| path.display().to_string()).collect();
    let output = binary()
        .args(["--root", &real_root(), "run", "--limit", "1", "--as", "team"])
        .args(["--isolate", "always", "--agent-env", &format!("LOOK={}", look.join(":"))])
        .args(["--out", run.to_str().unwrap(), "--agent", &format!("exec:{command}")])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    first_reply(&run)
}

/// A virtual environment with a module, and beside it what is nobody's business.
fn environment(python: &Path, folder: &Path, more: &[&str]) {
    let made = Command::new(python).args(["-m", "venv", "--without-pip"]).args(more).arg(folder).output().unwrap();
    assert!(made.status.success(), "{}", err(&made));
    let libraries = fs::read_dir(folder.join("lib")).unwrap().map(|entry| entry.unwrap().path());
    let library = libraries.into_iter().find(|path| path.join("site-packages").is_dir()).unwrap();
    fs::write(library.join("site-packages/team_helper.py"), "").unwrap();
    fs::write(folder.join(".env"), "KEY=1").unwrap();
}

fn executable(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A folder that is gone with this.
struct Gone(PathBuf);

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn agents_in_virtual_environments_run_behind_the_barrier() {
    let Some(python) = python() else { return };
    let folder = scratch("venvs").canonicalize().unwrap();
    fs::write(folder.join("team.py"), TEAM).unwrap();
    let spaced = folder.join("my team");
    fs::create_dir_all(folder.join("keys")).unwrap();
    environment(&python, &folder.join("venv"), &[]);
    environment(&python, &folder.join("copied"), &["--copies"]);
    environment(&python, &spaced.join("venv"), &[]);
    // As uv lays them out: a link to a link of a Python elsewhere.
    let real = python.canonicalize().unwrap();
    let prefix = real.parent().and_then(Path::parent).unwrap();
    fs::create_dir_all(folder.join("share")).unwrap();
    symlink(prefix, folder.join("share/cpython-3")).unwrap();
    environment(&folder.join("share/cpython-3/bin").join(real.file_name().unwrap()), &folder.join("uv"), &[]);
    symlink("venv", folder.join("current")).unwrap();
    executable(&folder.join("agents/start"), &format!("#!{}\n{TEAM}", folder.join("venv/bin/python").display()));
    executable(&folder.join("agents/by-env"), &format!("#!/usr/bin/env python\n{TEAM}"));
    symlink("../agents/start", folder.join("keys/start")).unwrap();
    let path = format!("--agent-env PATH={}", folder.join("venv/bin").display());
    let commands = [
        ("venv", "venv/bin/python team.py".to_owned()),
        ("venv", "exec ./venv/bin/python3 -u team.py".to_owned()),
        ("venv", "current/bin/python team.py".to_owned()),
        ("venv", format!("{} team.py", folder.join("venv/bin/python").display())),
        ("venv", ". venv/bin/activate && python team.py".to_owned()),
        ("venv", "keys/../venv/bin/python team.py".to_owned()),
        ("venv", "agents/start".to_owned()),
        ("venv", "keys/start".to_owned()),
        ("copied", "copied/bin/python team.py".to_owned()),
        ("my team/venv", "'my team/venv/bin/python' team.py".to_owned()),
        ("my team/venv", "my\\ team/venv/bin/python team.py".to_owned()),
        ("uv", "uv/bin/python team.py".to_owned()),
    ];
    let look = [folder.join("venv/.env"), folder.join("keys"), root().canonicalize().unwrap().join("tasks")];
    for (environment, command) in commands {
        let found = said(&folder, &command, &look);
        assert_eq!(found["module"], true, "{command}: {found}");
        let prefix = Path::new(found["prefix"].as_str().unwrap());
        assert!(prefix.ends_with(environment) || prefix.ends_with("current"), "{command}: {found}");
        let seen = found["seen"].as_array().unwrap().iter().filter_map(Value::as_str).map(Path::new);
        let unseen: Vec<&Path> = seen.filter(|path| !path.ends_with("keys")).collect();
        assert!(unseen.is_empty(), "{command}: {unseen:?}");
    }
    // The agent's own PATH says where its interpreter is.
    let run = folder.join("by-env");
    let output = binary()
        .args(["--root", &real_root(), "run", "--limit", "1", "--as", "team"])
        .args(["--isolate", "always", "--agent-env", "LOOK=/", "--out", run.to_str().unwrap()])
        .args(
            path.split(' ')
                .map(|word| if word.starts_with("PATH") { format!("{word}:/usr/bin:/bin") } else { word.to_owned() }),
        )
        .args(["--agent", "exec:agents/by-env"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(text(&run, "episodes.jsonl").contains(r#"\"module\": true"#), "{}", text(&run, "episodes.jsonl"));
}

#[test]
fn a_virtual_environment_may_lie_anywhere() {
    let Some(python) = python() else { return };
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places = ["/tmp", "/var/tmp", "/srv"].map(PathBuf::from).into_iter().chain(home);
    for place in places {
        let folder = Gone(place.join(format!("probity-venv-{}", std::process::id())));
        if fs::create_dir_all(&folder.0).is_err() {
            skipped(format!("{} cannot be written", place.display()));
            continue;
        }
        fs::write(folder.0.join("team.py"), TEAM).unwrap();
        environment(&python, &folder.0.join("venv"), &[]);
        let found = said(&folder.0, "venv/bin/python team.py", &[folder.0.join("venv/.env")]);
        assert_eq!((&found["module"], &found["seen"]), (&true.into(), &serde_json::json!([])), "{}", place.display());
    }
}

#[test]
fn scripts_of_packages_find_their_interpreter_and_nothing_beside_is_shown() {
    let Some(python) = python() else { return };
    let folder = scratch("packages").canonicalize().unwrap();
    // Stands for an interpreter that is no Python's own name.
    environment(&python, &folder.join("tools"), &[]);
    symlink("python", folder.join("tools/bin/node")).unwrap();
    executable(&folder.join("app/node_modules/pkg/cli.js"), &format!("#!/usr/bin/env node\n{TEAM}"));
    fs::write(folder.join("app/package.json"), "{}").unwrap();
    fs::write(folder.join("app/.env"), "KEY=1").unwrap();
    fs::create_dir_all(folder.join("app/node_modules/.bin")).unwrap();
    symlink("../pkg/cli.js", folder.join("app/node_modules/.bin/x")).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.join("tools/bin").display());
    let run = folder.join("run");
    let look = format!("LOOK={}", folder.join("app/.env").display());
    let output = binary()
        .args(["--root", &real_root(), "run", "--limit", "1", "--as", "team"])
        .args(["--isolate", "always", "--agent-env", &look, "--out", run.to_str().unwrap()])
        .args(["--agent", "exec:app/node_modules/.bin/x"])
        .env("PATH", &path)
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    let episodes = text(&run, "episodes.jsonl");
    assert!(episodes.contains(r#"\"seen\": [], \"module\": true"#), "{episodes}");

    // A folder with programs is no environment.
    fs::create_dir_all(folder.join("home/.ssh")).unwrap();
    fs::write(folder.join("home/.ssh/id_rsa"), "key").unwrap();
    executable(&folder.join("home/bin/agent"), &format!("#!{}\n{TEAM}", folder.join("tools/bin/python").display()));
    let found = said(&folder, "home/bin/agent", &[folder.join("home/.ssh"), folder.join("home/bin/agent")]);
    assert_eq!(found["seen"], serde_json::json!([folder.join("home/bin/agent")]));
}
