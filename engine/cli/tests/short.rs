//! The short form of authored files means what the long one does; `fmt` and `check --update` keep the one style.

use std::fs;
use std::path::{Path, PathBuf};

use probity_behaviour::suite::Suite;

use crate::support::{self, cases, contents, copy, out, root};

const TASK: &str = "tasks/shop/counter/more_teapots.json";
const LOCK: &str = "tasks/shop/counter/more_teapots.lock.json";

/// The shop in a folder of its own: long, or with the short files over it.
fn shop(name: &str, is_short: bool) -> PathBuf {
    let root = support::shop(&format!("short-{name}"));
    if is_short {
        for folder in ["environments", "tasks"] {
            copy(&cases("valid/short").join(folder), &root.join(folder));
        }
    }
    root
}

fn probity(root: &Path, arguments: &[&str]) -> (i32, String) {
    let output = support::probity_at(root, arguments);
    (support::code(&output), out(&output))
}

#[test]
fn short_and_long_are_one_environment_and_one_task() {
    let (short, long) = (Suite::load(&shop("hash_short", true)), Suite::load(&shop("hash_long", false)));
    assert_eq!((&short.diagnostics, &long.diagnostics), (&Vec::new(), &Vec::new()));
    assert_eq!(short.environments["shop/counter"].hash(), long.environments["shop/counter"].hash());
    let hash = |suite: &Suite| suite.tasks["shop/counter/more_teapots"].task.hash();
    assert_eq!(hash(&short), hash(&long));
}

#[test]
fn check_names_what_is_not_in_the_one_style_and_fmt_writes_it() {
    let root = shop("fmt", true);
    let task = contents(root.join(TASK));
    assert_eq!(probity(&root, &["fmt", "--check"]), (0, String::new()));
    fs::write(root.join(TASK), task.replace("\n ", "\n   ")).unwrap();
    assert_eq!(probity(&root, &["fmt", "--check"]), (1, format!("{TASK}\n")));
    assert_eq!(probity(&root, &["fmt"]), (0, format!("formatted {TASK}\n")));
    assert_eq!(contents(root.join(TASK)), task);
    assert_eq!(probity(&root, &["fmt"]), (0, String::new()));
    fs::write(root.join(TASK), "{\"goal\": }").unwrap();
    assert_eq!(probity(&root, &["fmt"]), (2, String::new()));
    assert_eq!(contents(root.join(TASK)), "{\"goal\": }");
}

#[test]
fn the_files_of_this_repository_are_in_the_one_style() {
    assert_eq!(probity(&root(), &["fmt", "--check"]), (0, String::new()));
}

#[test]
fn what_is_generated_is_written_beside_the_task() {
    let root = shop("update", true);
    let (task, lock) = (contents(root.join(TASK)), contents(root.join(LOCK)));
    fs::remove_file(root.join(LOCK)).unwrap();
    let (code, text) = probity(&root, &["check"]);
    assert!(code == 2 && text.contains("more_teapots.json:4:19: error[state_drift]"), "{text}");
    assert_eq!(probity(&root, &["check", "--update"]).0, 0);
    assert_eq!(contents(root.join(LOCK)), lock);
    assert_eq!(contents(root.join(TASK)), task);
}

#[test]
fn what_is_generated_leaves_a_long_task_when_it_changes() {
    let root = shop("leave", false);
    let task = contents(root.join(TASK));
    assert_eq!(probity(&root, &["check", "--update"]).0, 0);
    assert_eq!(contents(root.join(TASK)), task, "nothing has changed");
    fs::write(root.join(TASK), task.replace("sha256:e", "sha256:f")).unwrap();
    assert_eq!(probity(&root, &["check", "--update"]).0, 0);
    let (task, lock) = (contents(root.join(TASK)), contents(root.join(LOCK)));
    assert!(!task.contains("\"hash\"") && !task.contains("\"delta\""), "{task}");
    assert_eq!(lock, contents(cases("valid/short").join(LOCK)));
    assert_eq!(probity(&root, &["check", "--update"]).0, 0);
    assert_eq!(contents(root.join(TASK)), task);
}
