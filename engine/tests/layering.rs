//! Who may depend on whom: the dependency rules of docs/ARCHITECTURE.md, kept by reading the sources.

#![expect(clippy::unwrap_used, reason = "a helper of a test stops it like the test itself")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// For each top-level module the modules it may name.
const ALLOWED: [(&str, &[&str]); 14] = [
    ("model", &[]),
    ("engine", &["model"]),
    ("constraint", &["model"]),
    ("task", &["model", "engine", "constraint"]),
    ("load", &["model", "engine", "constraint", "task"]),
    ("trace", &["model"]),
    ("episode", &["model", "engine", "constraint", "task", "trace"]),
    ("score", &["model", "engine", "constraint", "task", "trace"]),
    ("check", &["model", "engine", "task", "load", "episode", "trace", "score"]),
    ("run", &["model", "engine", "task", "load", "episode", "trace", "score"]),
    ("report", &["model", "trace", "score", "run"]),
    ("bench", &["model", "engine"]),
    ("cli", &["bench", "check", "engine", "episode", "load", "model", "report", "run", "score", "task", "trace"]),
    ("main.rs", &[]),
];

/// Crates that only one place may name.
const HOMES: [(&str, &str); 5] = [
    ("rhai::", "engine/script"),
    ("petgraph::", "constraint"),
    ("jsonschema::", "engine/schema"),
    ("rand_chacha::", "model/stream.rs"),
    ("indicatif::", "cli"),
];

fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(folder: &Path, found: &mut BTreeMap<String, String>) {
    let root = source_root();
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            // Unit tests that stand in a file of their own may use what they like.
            if name.ends_with("tests.rs") {
                continue;
            }
            found.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn all_sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    sources(&source_root(), &mut found);
    found
}

/// The code of a file: without comments and without its inline tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn modules_name_only_what_they_may() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ALLOWED.iter().map(|(module, others)| (*module, others.iter().copied().collect())).collect();
    let mut wrong = Vec::new();
    for (file, text) in all_sources() {
        let module = file.split('/').next().unwrap();
        if module == "lib.rs" {
            continue;
        }
        let others = allowed.get(module).unwrap_or_else(|| panic!("{file} belongs to no known module"));
        for rest in code(&text).split("crate::").skip(1) {
            let named: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if named != module && !others.contains(named.as_str()) {
                wrong.push(format!("{file} names crate::{named}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_outside_crate_has_one_home() {
    let mut wrong = Vec::new();
    for (file, text) in all_sources() {
        for (name, home) in HOMES {
            if !file.starts_with(home) && code(&text).contains(name) {
                wrong.push(format!("{file} names {name}, which lives in {home}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An environment is data: its ids and collections never appear in the code.
#[test]
fn no_environment_speaks_in_the_code() {
    let environments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../environments");
    let mut names = BTreeSet::new();
    for domain in std::fs::read_dir(&environments).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()) {
        for file in std::fs::read_dir(&domain).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            let environment: serde_json::Value = serde_json::from_str(&text).unwrap();
            names.extend(
                environment["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()),
            );
        }
    }
    assert!(!names.is_empty());
    for (file, text) in all_sources() {
        let code = code(&text);
        for name in &names {
            assert!(!code.contains(&format!("\"{name}\"")), "{file} knows the tool {name}");
        }
    }
}
