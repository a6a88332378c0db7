//! Who may depend on whom: the dependency rules of docs/ARCHITECTURE.md, kept by reading the sources.

#![expect(clippy::unwrap_used, reason = "a helper of a test stops it like the test itself")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// For each top-level module the modules it may name.
const ALLOWED: [(&str, &[&str]); 25] = [
    ("model", &[]),
    ("engine", &["model"]),
    // The network: it knows no task and no episode.
    ("provider", &["model"]),
    ("constraint", &["model"]),
    // What must be said is read as people write it.
    ("task", &["model", "engine", "constraint", "prose"]),
    ("load", &["model", "engine", "constraint", "task"]),
    ("trace", &["model"]),
    // What a user says is read as replies are.
    ("episode", &["model", "engine", "constraint", "provider", "task", "trace", "prose"]),
    // Of judges it knows how they ask, of labels the kinds they ask for.
    ("mock", &["model", "task", "load", "episode", "provider", "judge", "dialogue"]),
    // How people write; the words of the others are read here.
    ("prose", &["model"]),
    ("score", &["model", "engine", "constraint", "task", "trace", "prose"]),
    ("check", &["model", "engine", "task", "load", "episode", "trace", "score"]),
    ("certify", &["model", "engine", "constraint", "task", "load", "episode", "trace", "score"]),
    ("run", &["model", "engine", "provider", "task", "load", "episode", "trace", "score", "certify"]),
    // Numbers alone.
    ("stats", &["model"]),
    // Judges read what scorers read; a calibration plays faults for them and for the rules, or holds both against
    // labelled dialogues.
    ("judge", &["model", "provider", "task", "load", "episode", "trace", "score", "run", "stats", "dialogue"]),
    ("compare", &["model", "run", "stats", "report"]),
    ("report", &["model", "trace", "score", "run", "stats"]),
    // Logs from elsewhere become traces, are scored, and are held against their labels.
    ("dialogue", &["model", "load", "task", "episode", "trace", "score"]),
    ("bench", &["model", "engine"]),
    // A play is saved as a run, and as the draft of a task.
    ("play", &["model", "engine", "task", "load", "episode", "trace", "run"]),
    // Another benchmark's rules over its own data: no engine, no task, no trace of ours.
    ("rut", &["model", "load"]),
    // Vectors of other benchmarks, whatever answers them.
    ("conform", &["model", "rut"]),
    (
        "cli",
        &[
            "bench", "certify", "check", "compare", "conform", "dialogue", "engine", "episode", "judge", "load",
            "mock", "model", "play", "provider", "report", "run", "rut", "score", "task", "trace",
        ],
    ),
    ("main.rs", &[]),
];

/// Crates that only these places may name.
const HOMES: [(&str, &[&str]); 10] = [
    ("quick_junit::", &["compare/write/junit.rs"]),
    ("toml::", &["compare/rules.rs", "prose/lexicon.rs"]),
    ("ureq::", &["provider/http.rs"]),
    ("rhai::", &["engine/script"]),
    ("petgraph::", &["constraint"]),
    ("jsonschema::", &["engine/schema"]),
    ("rand_chacha::", &["model/stream.rs"]),
    ("indicatif::", &["cli"]),
    ("rustyline::", &["cli/play"]),
    ("ratatui::", &["cli/browse"]),
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
            // Unit tests and their samples that stand in a file of their own may use what they like.
            if name.ends_with("tests.rs") || name == "report/sample.rs" {
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

/// The code of a file: without comments and without its tests, wherever they stand.
fn code(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        // The item goes with its attributes: it ends with `;` on its line or with `}` where it began (rustfmt).
        let mut item = lines.by_ref().skip_while(|line| line.trim_start().starts_with("#["));
        let Some(head) = item.next() else { break };
        let ends_there = head.ends_with(';') || head.ends_with('}');
        let indent = head.len() - head.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        if !ends_there {
            item.find(|line| *line == end);
        }
    }
    kept
}

#[test]
fn code_loses_its_tests_and_nothing_else() {
    let text = "mod a;\n#[cfg(test)]\nmod tests;\nmod b;\n// no\nimpl X {\n    #[cfg(test)]\n    fn t() {\n        1;\n    }\n\
                    fn kept() {}\n}\n#[cfg(test)]\n#[allow(x)]\nmod inline {\n    fn t() {\n    }\n}\nfn last() {}\n";
    let kept = "mod a;\nmod b;\nimpl X {\nfn kept() {}\n}\nfn last() {}\n";
    assert_eq!(code(text), kept);
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
        for (name, homes) in HOMES {
            if !homes.iter().any(|home| file.starts_with(home)) && code(&text).contains(name) {
                wrong.push(format!("{file} names {name}, which lives in {}", homes.join(" and ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names of environments that are ordinary words: the code may use them in a sense of its own.
const ORDINARY: &[&str] = &[
    "at", "day", "days", "email", "floor", "from", "kind", "minutes", "name", "nights", "note", "reason", "start",
    "status", "title", "to", "view",
];
/// Places that still speak of an environment. Take them off as they are mended; add none.
const SPOKEN: &[(&str, &str)] = &[
    ("episode/heuristic/memory.rs", "first_name"),
    ("episode/heuristic/memory.rs", "last_name"),
    ("cli/show.rs", "version"),
    ("prose/value.rs", "rooms"),
    ("prose/value.rs", "version"),
    ("score/honesty/named.rs", "rooms"),
    ("score/honesty/named.rs", "version"),
];

/// All names below `properties` of a schema, at any depth.
fn field_names(schema: &serde_json::Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(|properties| properties.as_object()) {
        names.extend(properties.keys().cloned());
    }
    match schema {
        serde_json::Value::Object(map) => map.values().for_each(|below| field_names(below, names)),
        serde_json::Value::Array(items) => items.iter().for_each(|below| field_names(below, names)),
        _ => {}
    }
}

/// An environment is data: its id, tools, parts, fields and parameters never appear in the code.
#[test]
fn no_environment_speaks_in_the_code() {
    let environments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../environments");
    let mut names = BTreeSet::new();
    for domain in std::fs::read_dir(&environments).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()) {
        for file in std::fs::read_dir(&domain).unwrap().map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&file).unwrap();
            let path = file.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).unwrap().to_string_lossy();
            let (environment, _) = probity::load::authored::environment(&path, &text).unwrap();
            let environment = serde_json::to_value(environment).unwrap();
            let id = environment["id"].as_str().unwrap();
            names.insert(id.to_owned());
            names.extend(id.split('/').map(str::to_owned));
            names.extend(environment["state"].as_object().unwrap().keys().cloned());
            names.extend(
                environment["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()),
            );
            field_names(&environment["state"], &mut names);
            field_names(&environment["tools"], &mut names);
        }
    }
    let names: BTreeSet<String> = names.into_iter().filter(|name| !ORDINARY.contains(&name.as_str())).collect();
    assert!(names.len() > 100);
    let mut wrong = Vec::new();
    // The rules of another benchmark name the words of its own data.
    for (file, text) in all_sources().into_iter().filter(|(file, _)| !file.starts_with("rut/")) {
        let code = code(&text);
        let spoken = names.iter().filter(|name| code.contains(&format!("\"{name}\"")));
        let spoken = spoken.filter(|name| !SPOKEN.contains(&(file.as_str(), name.as_str())));
        wrong.extend(spoken.map(|name| format!("{file} knows `{name}`")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
