//! Who may depend on whom: the dependency rules of docs/ARCHITECTURE.md, kept by reading the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::contents;
use probity_engine::read;
use serde::Deserialize;

/// `layering.toml`: the folders that a folder may name, and the places that may name a crate.
#[derive(Deserialize)]
struct Layering {
    rooms: BTreeMap<String, Vec<String>>,
    homes: BTreeMap<String, Vec<String>>,
}

fn layering() -> Layering {
    toml::from_str(include_str!("layering.toml")).unwrap()
}

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

/// The folders of all crates that have sources of their own, below the house, in order.
pub fn crates() -> Vec<String> {
    let below = |folder: &str| {
        let entries = std::fs::read_dir(house().join(folder)).unwrap().map(|entry| entry.unwrap());
        let crates = entries.filter(|entry| entry.path().join("src").is_dir());
        let names = crates.map(|entry| format!("{folder}{}", entry.file_name().into_string().unwrap()));
        names.collect::<Vec<_>>()
    };
    let mut found = [below(""), below("suites/")].concat();
    found.sort();
    found
}

/// Every source file, by its crate's folder and its path below `src`.
pub fn all_sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for crate_name in crates() {
        let root = house().join(&crate_name).join("src");
        sources(&root, &root, &crate_name, &mut found);
    }
    found
}

/// The code of a file: without comments and without its tests, wherever they stand.
pub fn code(text: &str) -> String {
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

/// The crates that docs/ARCHITECTURE.md names, by their folders, each with those of ours that it depends on.
fn layers() -> BTreeMap<String, BTreeSet<String>> {
    let page = contents(house().join("../docs/ARCHITECTURE.md"));
    let rows = page.lines().filter(|line| line.starts_with("| `") && line.contains("(`probity"));
    let cells = rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>());
    let layer = |cells: Vec<&str>| {
        let folder = cells[0].split('`').nth(1).unwrap().to_owned();
        let on = cells.last().unwrap().split(", ").filter(|name| *name != "nothing of ours").map(str::to_owned);
        (folder, on.collect())
    };
    cells.map(layer).collect()
}

#[test]
pub fn crates_depend_on_what_the_page_says() {
    let layers = layers();
    assert_eq!(layers.keys().cloned().collect::<Vec<_>>(), crates());
    for (crate_name, said) in layers {
        let text = contents(house().join(&crate_name).join("Cargo.toml"));
        let manifest: toml::Table = text.parse().unwrap();
        let ours = |name: &'_ String| match name.as_str() {
            "probity" => Some("cli".to_owned()),
            name => name.strip_prefix("probity-").map(str::to_owned),
        };
        let ours: BTreeSet<String> = manifest["dependencies"].as_table().unwrap().keys().filter_map(ours).collect();
        assert_eq!(ours, said, "{crate_name} and its row of docs/ARCHITECTURE.md");
    }
}

#[test]
fn rooms_name_only_what_they_may() {
    let mut wrong = Vec::new();
    let sources = all_sources();
    for (room, others) in layering().rooms {
        let (_, own) = room.rsplit_once('/').unwrap();
        let alone = format!("{room}.rs");
        let inside = sources.iter().filter(|(file, _)| **file == alone || file.starts_with(&format!("{room}/")));
        let mut files = 0;
        for (file, text) in inside {
            files += 1;
            for rest in code(text).split("crate::").skip(1) {
                let named: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                if named != own && !others.contains(&named) {
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
    let (mut wrong, layering) = (Vec::new(), layering());
    for (file, text) in all_sources() {
        let code = code(&text);
        for (name, homes) in &layering.homes {
            if !homes.iter().any(|home| file.starts_with(home)) && code.contains(name) {
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
    let crates = crates();
    for (file, text) in all_sources() {
        let own = crates.iter().find(|name| file.starts_with(&format!("{name}/"))).unwrap().as_str();
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

/// Names of environments that are ordinary words, of programs, of formats or of English: the code may use them in a sense
/// of its own.
const ORDINARY: &str = "
    action at because bound_to category changes channel characters code complete contains contract created_at
    customer date day description document email entries exchange floor from gold ground hold home id item
    item_type items joined kind level limit line lines matches message mode model name networks note number options
    order origin outcome parent_id passes permission plan present protocol purpose rank reason result returns reward role
    round route rules scope since size slots source start start_time started_at state status step stop summary
    symbol text title to transfer variants version view weekday what why year
";

/// The folders of environments, and the crates whose own worlds they are: of all others nobody knows a name, and what a
/// crate knows of its own worlds is no name of another's.
const WORLDS: [(&str, &[&str]); 2] =
    [("environments", &[]), ("mm-tau/environments", &["suites/mm-tau/", "suites/tau2/"])];

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

/// The ids, tools, parts, fields and parameters of the environments below a folder.
fn names(folder: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = BTreeSet::new();
    for path in read::list(&root, folder, "json").files {
        // An environment is called by its place below `environments/`.
        let below = &path[path.find("environments/").unwrap()..];
        let (environment, _) = probity_engine::authored::environment(below, &contents(root.join(&path))).unwrap();
        let environment = serde_json::to_value(environment).unwrap();
        let id = environment["id"].as_str().unwrap();
        names.insert(id.to_owned());
        names.extend(id.split('/').map(str::to_owned));
        names.extend(environment["state"].as_object().unwrap().keys().cloned());
        names.extend(environment["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()));
        field_names(&environment["state"], &mut names);
        field_names(&environment["tools"], &mut names);
    }
    names.retain(|name| !ORDINARY.split_whitespace().any(|word| word == name));
    assert!(names.len() > 100);
    names
}

/// An environment is data: its id, tools, parts, fields and parameters never appear in the code of the program, but in
/// the crate whose own world it is. Peers' rules are another program's, and name the words of other benchmarks' data.
#[test]
fn no_environment_speaks_in_the_code() {
    let worlds = WORLDS.map(|(folder, owners)| (names(folder), owners));
    let mut wrong = Vec::new();
    for (file, text) in all_sources().into_iter().filter(|(file, _)| !file.starts_with("peers/")) {
        let code = code(&text);
        let quoted: BTreeSet<&str> = code.split('"').collect();
        let (own, others): (Vec<_>, Vec<_>) =
            worlds.iter().partition(|(_, owners)| owners.iter().any(|owner| file.starts_with(owner)));
        let is_own = |name: &String| own.iter().any(|(names, _)| names.contains(name));
        let spoken = others.iter().flat_map(|(names, _)| names).filter(|name| quoted.contains(name.as_str()));
        wrong.extend(spoken.filter(|name| !is_own(name)).map(|name| format!("{file} knows `{name}`")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each word that is let pass is one that the code uses: the list does not outgrow its reasons.
#[test]
fn every_ordinary_word_is_needed() {
    let code: String = all_sources().values().map(|text| code(text)).collect();
    let unused: Vec<&str> = ORDINARY.split_whitespace().filter(|word| !code.contains(&format!("\"{word}\""))).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
