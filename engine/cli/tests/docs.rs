//! The commands that the README and docs/ tell people to type, typed in their order.

#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{copy, root, scratch};

/// Commands that are not run here: the first builds, the second is this.
const ELSEWHERE: &[&str] = &["cargo test", "cargo install --path engine/cli"];

/// The lines of the `sh` blocks of a page, without comments.
fn commands(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut commands = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match (line.starts_with("```"), is_inside) {
            (true, _) => is_inside = line == "```sh",
            (false, true) => commands.push(line.split(" #").next().unwrap().trim().to_owned()),
            (false, false) => {}
        }
    }
    commands.retain(|command| !command.is_empty() && !ELSEWHERE.contains(&command.as_str()));
    commands
}

/// A folder with all that a checkout has and commands may read or write.
fn checkout(name: &str, folders: &[&str]) -> PathBuf {
    let to = scratch(name);
    for folder in folders {
        copy(&root().join(folder), &to.join(folder));
    }
    to
}

/// Types a command in a shell; `cargo run --release --` stands for `probity`, `RUNDIR` for the newest run.
fn typed(command: &str, at: &Path) -> String {
    let probity = format!("'{}'", env!("CARGO_BIN_EXE_probity"));
    let mut command = command.replacen("cargo run --release --", "probity", 1);
    if command.contains("RUNDIR") {
        let runs = fs::read_dir(at.join("runs")).unwrap().map(|entry| entry.unwrap().path());
        let newest = runs.max_by_key(|run| fs::metadata(run.join("run.json")).unwrap().modified().unwrap()).unwrap();
        command = command.replace("RUNDIR", &format!("'{}'", newest.display()));
    }
    assert!(command.starts_with("probity "), "`{command}`: this test does not know how to type it");
    let line = command.replacen("probity", &probity, 1);
    let output = Command::new("sh").args(["-c", &line]).current_dir(at).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn the_readme_does_what_it_says() {
    let at = checkout("readme", &["environments", "scripts", "tasks", "docs", "labels"]);
    let typed: Vec<(String, String)> =
        commands(&root().join("README.md")).into_iter().map(|c| (c.clone(), typed(&c, &at))).collect();
    assert!(typed.len() >= 8, "{typed:?}");
    let first = &typed[0].1;
    assert!(["oracle", "heuristic", "noop", "1.00"].iter().all(|word| first.contains(word)), "{first}");
    let sample = typed.iter().find(|(command, _)| command.contains("sample_agent")).unwrap();
    assert!(sample.1.contains("sample"), "{}", sample.1);
}

#[test]
fn authoring_does_what_it_says() {
    let at = checkout("authoring", &[]);
    let commands = commands(&root().join("docs/AUTHORING.md"));
    assert!(commands.len() >= 3, "{commands:?}");
    for command in commands {
        // The page's `my_task` is the one that the scaffold made.
        let files = fs::read_dir(at.join("tasks/shop/counter")).into_iter().flatten();
        let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        let name = files.map(|file| stem(file.unwrap().path())).find(|name| !name.ends_with(".lock"));
        typed(&command.replace("my_task", &name.unwrap_or_default()), &at);
    }
}

#[test]
fn the_readmes_pictures_are_there_and_small() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let pictures: Vec<&str> = readme.split("](").filter_map(|rest| rest.split(')').next()).collect();
    let pictures: Vec<&str> = pictures.into_iter().filter(|path| path.ends_with(".png")).collect();
    assert!((2..=4).contains(&pictures.len()), "{pictures:?}");
    for picture in pictures {
        let bytes = fs::metadata(root().join(picture)).unwrap().len();
        assert!(bytes < 120_000, "{picture} takes {bytes} bytes");
    }
}

#[test]
fn no_other_page_has_commands_that_nobody_types() {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        if !page.ends_with("AUTHORING.md") {
            assert_eq!(commands(&page), Vec::<String>::new(), "{}", page.display());
        }
    }
}
