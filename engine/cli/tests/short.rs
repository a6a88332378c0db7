//! The short form of authored files means what the long one does, and those of the repository are in the one style.

use std::path::PathBuf;

use probity_behaviour::suite::Suite;

use crate::support::{self, cases, copy, out, root};

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

#[test]
fn short_and_long_are_one_environment_and_one_task() {
    let (short, long) = (Suite::load(&shop("hash_short", true)), Suite::load(&shop("hash_long", false)));
    assert_eq!((&short.diagnostics, &long.diagnostics), (&Vec::new(), &Vec::new()));
    assert_eq!(short.environments["shop/counter"].hash(), long.environments["shop/counter"].hash());
    let hash = |suite: &Suite| suite.tasks["shop/counter/more_teapots"].task.hash();
    assert_eq!(hash(&short), hash(&long));
}

#[test]
fn the_files_of_this_repository_are_in_the_one_style() {
    assert_eq!(out(&support::succeeded(support::probity_at(&root(), &["fmt", "--check"]))), "");
}
