//! Who may depend on whom: the dependency rules of docs/ARCHITECTURE.md, kept by reading the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::contents;

/// For each crate the crates of ours it may depend on: the layers, held by Cargo. Peers' audits write drafts of the
/// behaviour suite's tasks.
const LAYERS: [(&str, &[&str]); 17] = [
    ("prose", &[]),
    ("honesty", &["prose"]),
    ("wire", &[]),
    ("logs", &["wire"]),
    ("engine", &[]),
    ("import", &["engine"]),
    ("stats", &["engine"]),
    ("bench", &["engine", "stats", "wire"]),
    ("ruling", &["engine", "bench", "wire"]),
    ("suites/behaviour", &["engine", "bench", "honesty", "prose", "ruling"]),
    ("suites/tickets", &["engine", "bench", "prose", "ruling"]),
    ("suites/mm-tau", &["engine", "bench", "prose", "ruling"]),
    ("suites/tau2", &["engine", "bench", "ruling"]),
    ("report", &["engine", "bench"]),
    ("peers", &["engine", "bench", "behaviour", "tickets", "mm-tau", "tau2"]),
    ("audit", &["engine", "bench", "honesty", "logs", "prose"]),
    (
        "cli",
        &[
            "audit",
            "engine",
            "bench",
            "behaviour",
            "tickets",
            "mm-tau",
            "tau2",
            "report",
            "ruling",
            "peers",
            "logs",
            "import",
        ],
    ),
];

/// For the folders of a crate the folders beside them they may name, where the crate has more than one layer.
const ROOMS: [(&str, &[&str]); 32] = [
    ("engine/model", &[]),
    ("engine/constraint", &["model"]),
    ("engine/load", &["model", "schema", "constraint", "environment", "script"]),
    ("bench/provider", &["usage"]),
    ("bench/kit", &["agent", "benchmark", "card", "code", "event", "verdict", "world"]),
    ("bench/agent", &["event", "usage", "levels", "trace", "provider", "benchmark", "cheat"]),
    // Where the parts of dialogues stand: what a message, a call or a row holds is read outside.
    (
        "logs/form",
        &[
            "attributes",
            "call",
            "dialogue",
            "document",
            "draft",
            "gather",
            "json",
            "message",
            "pairing",
            "place",
            "remark",
            "span",
            "time",
            "unread",
            "values",
            "words",
        ],
    ),
    ("suites/behaviour/model", &[]),
    ("suites/behaviour/task", &["model"]),
    ("suites/behaviour/episode", &["model", "task", "card"]),
    ("suites/behaviour/score", &["model", "task"]),
    // What people say who behave in a way: checks look for the same words.
    ("suites/behaviour/annotate", &["model", "suite", "dialogue"]),
    ("suites/behaviour/check", &["annotate", "model", "load", "task", "store", "suite", "episode", "score"]),
    ("suites/behaviour/certify", &["model", "task", "store", "suite", "episode", "score"]),
    ("suites/behaviour/dialogue", &["model", "task", "suite", "episode", "score"]),
    // Judges read what scorers read; a calibration plays faults for them and for the rules, or holds both against
    // labelled dialogues.
    ("suites/behaviour/judge", &["model", "task", "suite", "episode", "score", "dialogue", "benchmark"]),
    (
        "report/compare",
        &["about", "bundles", "aggregate", "document", "spread", "table", "judged", "tally", "transcript", "rows"],
    ),
    ("peers/rut", &[]),
    ("peers/cirrus", &[]),
    ("peers/mmtau", &[]),
    ("peers/tau", &[]),
    ("peers/conform", &["rut", "cirrus", "mmtau", "tau"]),
    ("suites/mm-tau/measures", &[]),
    ("suites/mm-tau/telecom", &[]),
    ("suites/mm-tau/voice", &[]),
    ("suites/mm-tau/people", &["measures", "telecom"]),
    ("suites/tau2/model", &[]),
    ("suites/tau2/play", &["card", "model"]),
    ("suites/tau2/agents", &["model", "play"]),
    ("suites/tickets/recording", &[]),
    ("suites/tickets/preparation", &["model", "recording"]),
    ("cli/play", &["failure"]),
];

/// Crates that only these places may name.
const HOMES: [(&str, &[&str]); 11] = [
    (
        "toml::",
        &[
            "report/compare/rules.rs",
            "report/compare/written_rule.rs",
            "prose/lexicon.rs",
            "prose/vocabulary.rs",
            "bench/kit/card_file.rs",
            "bench/provider/blame.rs",
            "suites/behaviour/judge/prompt.rs",
            "suites/mm-tau/labels/counts.rs",
            // What people say, and what tasks and noise are made of.
            "suites/mm-tau/people",
            "suites/mm-tau/telecom/tables.rs",
            "suites/mm-tau/voice/confusion.rs",
        ],
    ),
    ("ureq::", &["bench/provider/http.rs"]),
    ("rhai::", &["engine/script"]),
    ("ruzstd::", &["wire/inflate.rs"]),
    ("petgraph::", &["engine/constraint"]),
    ("jsonschema::", &["engine/schema"]),
    ("use rand::", &["stats"]),
    ("rand_chacha::", &["engine/model/stream.rs"]),
    ("indicatif::", &["cli/cli"]),
    ("rustyline::", &["cli/cli/play"]),
    ("ratatui::", &["cli/cli/browse"]),
];

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(root: &Path, folder: &Path, crate_name: &str, found: &mut BTreeMap<String, String>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(root, &path, crate_name, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            // Unit tests and their samples that stand in a file of their own may use what they like.
            if name.ends_with("tests.rs") || name.ends_with("sample.rs") {
                continue;
            }
            found.insert(format!("{crate_name}/{name}"), contents(&path));
        }
    }
}

/// Every source file, by its crate's folder and its path below `src`.
fn all_sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (crate_name, _) in LAYERS {
        let root = house().join(crate_name).join("src");
        sources(&root, &root, crate_name, &mut found);
    }
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
fn crates_depend_only_on_what_they_may() {
    for (crate_name, may) in LAYERS {
        let text = contents(house().join(crate_name).join("Cargo.toml"));
        let manifest: toml::Table = text.parse().unwrap();
        let ours = manifest["dependencies"].as_table().unwrap().keys().filter_map(|name| name.strip_prefix("probity-"));
        let ours: BTreeSet<&str> = ours.collect();
        let may: BTreeSet<&str> = may.iter().copied().collect();
        assert!(ours.is_subset(&may), "{crate_name} depends on {ours:?}, and may on {may:?}");
    }
}

#[test]
fn rooms_name_only_what_they_may() {
    let mut wrong = Vec::new();
    let sources = all_sources();
    for (room, others) in ROOMS {
        let (_, own) = room.rsplit_once('/').unwrap();
        let inside = sources.iter().filter(|(file, _)| file.starts_with(&format!("{room}/")));
        let mut files = 0;
        for (file, text) in inside {
            files += 1;
            for rest in code(text).split("crate::").skip(1) {
                let named: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                if named != own && !others.contains(&named.as_str()) {
                    wrong.push(format!("{file} names crate::{named}"));
                }
            }
        }
        assert!(files > 0, "there is no {room}");
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

/// The words that begin an item, with what may stand before them.
fn item<'a>(line: &'a str, kinds: &[&str]) -> Option<&'a str> {
    let line = line.strip_prefix("pub").map_or(line, |rest| rest.split_once(' ').map_or(rest, |(_, rest)| rest));
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind)?.strip_prefix(' '))?;
    Some(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

#[test]
fn each_type_of_a_crate_has_a_name_of_its_own() {
    let mut homes: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for (file, text) in all_sources() {
        let (own, _) = LAYERS.iter().find(|(name, _)| file.starts_with(&format!("{name}/"))).unwrap();
        for name in code(&text).lines().filter_map(|line| item(line, &["struct", "enum", "trait", "type", "union"])) {
            homes.entry((own, name.to_owned())).or_default().push(file.clone());
        }
    }
    homes.retain(|_, files| files.len() > 1);
    assert!(homes.is_empty(), "{homes:#?}");
}

#[test]
fn mod_files_declare_and_re_export_only() {
    let is_mod = |file: &str| file.ends_with("/mod.rs") || file.ends_with("/lib.rs");
    for (file, text) in all_sources().into_iter().filter(|(file, _)| is_mod(file)) {
        for statement in code(&text).split_inclusive(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            let is_declared = statement.ends_with(';') && statement.lines().any(|l| item(l, &["mod", "use"]).is_some());
            let is_plain =
                statement.lines().all(|l| item(l, &["fn", "struct", "enum", "trait", "impl", "type"]).is_none());
            assert!(is_declared && is_plain, "{file} holds more than declarations: {statement}");
        }
    }
}

/// Names of environments that are ordinary words: the code may use them in a sense of its own.
const ORDINARY: &[&str] = &[
    "action",
    "at",
    "because",
    "bound_to",
    "category",
    "changes",
    "characters",
    "charge",
    "code",
    "complaint",
    "contains",
    "contract",
    "customer",
    "day",
    "days",
    "dropped",
    "email",
    "entries",
    "floor",
    "from",
    "gold",
    "hold",
    "hours",
    "item",
    "items",
    "kg",
    "kind",
    "level",
    "lines",
    "matches",
    "message",
    "minutes",
    "name",
    "nights",
    "note",
    "number",
    "order",
    "outcome",
    "present",
    "reason",
    "result",
    "returns",
    "reward",
    "role",
    "round",
    "since",
    "try",
    "rules",
    "size",
    "start",
    "state",
    "status",
    "step",
    "stop",
    "text",
    "title",
    "to",
    "view",
    "weekday",
    "what",
    "why",
    "year",
];
/// Places that still speak of an environment. Take them off as they are mended; add none.
const SPOKEN: &[(&str, &str)] = &[
    ("suites/behaviour/episode/heuristic/memory.rs", "first_name"),
    ("suites/behaviour/episode/heuristic/memory.rs", "last_name"),
    // The benchmark's workload is an environment of its own.
    ("cli/bench/plain.rs", "item_id"),
    ("cli/bench/plain.rs", "quantity"),
    ("cli/bench/workload.rs", "item_id"),
    ("cli/bench/workload.rs", "quantity"),
    ("bench/provider/config.rs", "version"),
    ("cli/cli/import/asked.rs", "version"),
    ("cli/cli/import/tools.rs", "ground"),
    ("cli/cli/show.rs", "version"),
    ("prose/value.rs", "rooms"),
    ("prose/value.rs", "version"),
    ("suites/behaviour/score/honesty/named.rs", "rooms"),
    ("suites/behaviour/score/honesty/named.rs", "version"),
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
    let environments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../environments");
    let mut names = BTreeSet::new();
    for domain in std::fs::read_dir(&environments).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()) {
        for file in std::fs::read_dir(&domain).unwrap().map(|entry| entry.unwrap().path()) {
            let text = contents(&file);
            let path = file.strip_prefix(environments.parent().unwrap()).unwrap().to_string_lossy();
            let (environment, _) = probity_engine::authored::environment(&path, &text).unwrap();
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
    // The rules of another benchmark name the words of its own data, and so do what plays one world and what reads
    // the logs of others.
    let is_free = |file: &str| ["peers/", "suites/mm-tau/", "logs/"].iter().any(|place| file.starts_with(place));
    for (file, text) in all_sources().into_iter().filter(|(file, _)| !is_free(file)) {
        let code = code(&text);
        let quoted: BTreeSet<&str> = code.split('"').skip(1).collect();
        let spoken = names.iter().filter(|name| quoted.contains(name.as_str()));
        let spoken = spoken.filter(|name| !SPOKEN.contains(&(file.as_str(), name.as_str())));
        wrong.extend(spoken.map(|name| format!("{file} knows `{name}`")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
