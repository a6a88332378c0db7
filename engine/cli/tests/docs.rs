//! The commands that the README and docs/ tell people to type, typed in their order.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use probity_engine::{Actor, Difficulty, Environment, Source, Sources, ToolCall, read};
use serde_json::{Value, json};

use crate::record::Recording;
use crate::support::mock::{Mock, mode};
use crate::support::{
    PROGRAM, cases, contents, copy, copy_environments, err, out, probity, root, sampled_root, scratch, shell, succeeded,
};

/// Commands that are not run here: the first builds, the second is this.
const ELSEWHERE: &[&str] = &["cargo test", "cargo install --path engine/cli"];

/// A line of an `sh` block, or a block that is a file: its path stands behind the language.
enum Step {
    Typed(String),
    Written(String, String),
}

fn steps(page: &Path) -> Vec<Step> {
    let text = contents(page);
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match kind.split_once(' ') {
            Some((_, path)) => steps.push(Step::Written(path.to_owned(), block.join("\n") + "\n")),
            None if kind == "sh" => steps.extend(block.into_iter().filter_map(command).map(Step::Typed)),
            None => {}
        }
    }
    steps
}

/// A line without its comment, which may say how it ends; nothing where it is none or is not run here.
fn command(line: &str) -> Option<String> {
    let (typed, comment) = line.split_once(" #").unwrap_or((line, ""));
    let typed = typed.trim();
    let ending = if comment.contains("exits with 1") { "; test $? -eq 1" } else { "" };
    (!typed.is_empty() && !ELSEWHERE.contains(&typed)).then(|| format!("{typed}{ending}"))
}

/// The commands of a page.
fn commands(page: &Path) -> Vec<String> {
    let typed = |step| if let Step::Typed(command) = step { Some(command) } else { None };
    steps(page).into_iter().filter_map(typed).collect()
}

/// A folder with all that a checkout has and commands may read or write.
fn checkout(name: &str, folders: &[&str]) -> PathBuf {
    let to = scratch(name);
    for folder in folders {
        copy(&sampled_root().join(folder), &to.join(folder));
    }
    to
}

/// What each command of a page says, typed where the bank alone is.
fn at_the_bank(page: &str) -> (PathBuf, Vec<String>) {
    let at = checkout(page, &["docs"]);
    copy_environments(&["finance/bank"], &at);
    let said = commands(&root().join("docs").join(page)).iter().map(|command| typed(command, &at)).collect();
    (at, said)
}

/// Types a command in a shell; `cargo run --` stands for `probity`, `RUNDIR` for the newest run.
fn typed(command: &str, at: &Path) -> String {
    let mut command = command.replacen("cargo run --", "probity", 1);
    if command.contains("RUNDIR") {
        let runs = fs::read_dir(at.join("runs")).unwrap().map(|entry| entry.unwrap().path());
        let newest = runs.max_by_key(|run| fs::metadata(run.join("run.json")).unwrap().modified().unwrap()).unwrap();
        command = command.replace("RUNDIR", &format!("'{}'", newest.display()));
    }
    let is_ours = command.starts_with("probity ") || command.contains(" | probity ");
    assert!(is_ours, "`{command}`: this test does not know how to type it");
    // What is measured is measured with fewer calls.
    let fewer = if command.starts_with("probity bench") { " --calls 2000" } else { "" };
    let output = shell(PROGRAM, &(command.clone() + fewer), at).output().unwrap();
    let text = out(&output);
    assert!(output.status.success(), "{command}\n{text}{}", err(&output));
    text
}

#[test]
fn the_readme_does_what_it_says() {
    let at = checkout("readme", &["tickets", "docs", "labels"]);
    // What its commands do they do with any environment, and the desk is the one that they name.
    copy_environments(&["travel_hospitality/front_desk"], &at);
    // Tools that a reader has.
    for (ours, theirs) in [("boats.json", "tools.json"), ("library.yaml", "api.yaml")] {
        fs::copy(cases("import").join(ours), at.join(theirs)).unwrap();
    }
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
    let mut said = Vec::new();
    for step in steps(&root().join("docs/AUTHORING.md")) {
        match step {
            Step::Typed(command) => said.push(typed(&command, &at)),
            Step::Written(path, text) => fs::write(at.join(path), text).unwrap(),
        }
    }
    assert!(said.len() >= 10, "{said:?}");
    let certified = |text: &&String| text.ends_with("0 errors, 0 warnings\ncertified 1 of 1 task\n");
    assert!(said.iter().any(|text| certified(&text)), "{said:?}");
}

/// Types a command that records, with the mock as the provider and an agent that asks it; then ends it.
fn recorded(command: &str, at: &Path) -> String {
    let mock = Mock::start(mode("plain"));
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["probity", "record", "--to", "https://api.openai.com/v1", "--out", file] = words[..] else {
        panic!("{command}")
    };
    let recording = Recording::start(&mock.url, &at.join(file));
    let run = ["run", "--agent", "openai:mock", "--base-url", &recording.url, "--limit", "2"];
    succeeded(probity(&[&run[..], &["--out", at.join("run").to_str().unwrap()]].concat()));
    out(&recording.end("INT"))
}

#[test]
fn the_commands_of_an_audit_do_what_the_page_says() {
    let at = checkout("audit_page", &[]);
    let mut said = Vec::new();
    for command in commands(&root().join("docs/AUDIT.md")) {
        said.push(if command.starts_with("probity record ") { recorded(&command, &at) } else { typed(&command, &at) });
    }
    assert!(said.len() == 4 && said[..2].iter().all(|text| text.contains("contradicted")), "{said:?}");
    assert!(said[2].contains("holds 2 dialogues") && said[3].contains("2 dialogues"), "{said:?}");
    assert!(at.join("audit.html").is_file());
}

#[test]
fn the_doors_are_opened_as_the_page_says() {
    let at = checkout("doors_page", &["environments", "scripts", "tasks", "tickets"]);
    let commands = commands(&root().join("docs/SERVE.md"));
    // Those that wait for clients elsewhere are the tests of the doors.
    let (_, here): (Vec<&String>, Vec<&String>) =
        commands.iter().partition(|command| command.contains("--socket") || command.contains("--mcp-http"));
    here.iter().for_each(|command| drop(typed(command, &at)));
    assert!(here.len() == 5 && at.join("score.jsonl").is_file(), "{here:?}");
}

#[test]
fn parts_on_many_machines_are_merged_as_the_page_says() {
    let (at, said) = at_the_bank("MACHINES.md");
    assert!(said.len() == 10 && said[4].contains("verified"), "{said:?}");
    assert!(said[9].contains("drops of sr by 0.1 are found four times out of five with "), "{said:?}");
    assert_eq!(contents(at.join("runs/whole/report.json")), contents(at.join("runs/merged/report.json")));
}

#[test]
fn the_commands_of_an_export_do_what_the_page_says() {
    let (_, said) = at_the_bank("EXPORT.md");
    assert!(said.len() == 5 && said[1].starts_with("shown.eval: "), "{said:?}");
}

#[test]
fn a_board_is_made_as_the_page_says() {
    let (at, said) = at_the_bank("BOARD.md");
    assert!(said.len() == 4 && said[2].contains("#2 8 June"), "{said:?}");
    let board: Value = serde_json::from_str(&said[3]).unwrap();
    assert_eq!(board["suites"][0]["runs"][1]["run"]["label"], "runs/june");
    assert!(at.join("board.html").is_file());
}

/// The table of functions: each example comes to what stands beside it.
#[test]
fn every_example_of_a_function_is_true() {
    let page = contents(root().join("docs/FORMATS.md"));
    let section = page.split("\n## ").find(|section| section.starts_with("Scripts\n")).unwrap();
    let example = |line: &str| {
        let cell = line.strip_prefix("| ")?.rsplit(" | ").next()?.strip_suffix(" |")?;
        let (code, value) = cell.split_once("` is `")?;
        Some((code.trim_start_matches('`').to_owned(), value.trim_end_matches('`').to_owned()))
    };
    let examples: Vec<(String, String)> = section.lines().filter_map(example).collect();
    assert!(examples.len() >= 28, "{examples:?}");
    let pairs: String = examples.iter().map(|(code, value)| format!("[{code}, {value}],")).collect();
    let script = format!(
        "fn look(db, args) {{ [{pairs}] }}\nfn populate(db, rng, size) {{\n\
         db.orders[\"O1\"] = #{{ order_id: \"O1\", name: \"Ann Lee\", count: 2 }};\n\
         db.orders[\"O2\"] = #{{ order_id: \"O2\", name: \"Bo Ek\", count: 3, ship_to: #{{ zip: \"0412\" }} }};\n}}"
    );
    let ship_to = json!({"type": "object", "additionalProperties": false, "properties": {"zip": {"type": "string"}}});
    let fields = json!({"order_id": {"type": "string"}, "name": {"type": "string"}, "count": {"type": "integer"},
        "note": {"type": "string"}, "ship_to": ship_to});
    let object = |properties: Value| json!({"type": "object", "additionalProperties": false, "properties": properties});
    let mut item = object(fields);
    item["required"] = json!(["order_id"]);
    let file = json!({
        "format": 1, "id": "test/docs", "title": "Docs", "summary": "Orders.", "clock": "2026-09-11T09:00:00Z",
        "policy": [], "populate": {"function": "populate", "sizes": {"easy": {}, "medium": {}, "hard": {}}},
        "state": {"orders": {"kind": "collection", "key": "order_id", "item": item}},
        "tools": [{"name": "look", "description": "Looks.", "effect": "read", "returns": true, "parameters": object(json!({}))}]
    });
    let main = Source { file: "docs".to_owned(), text: script };
    let sources = Sources { main, libraries: BTreeMap::new() };
    let (world, _) = Environment::build(serde_json::from_value(file).unwrap(), sources).unwrap();
    let state = world.populate(Difficulty::Easy, 1).unwrap();
    let looked = world.step(&state, &ToolCall::new("look", json!({})), Actor::Agent).result.unwrap().observation;
    for ((code, value), pair) in examples.iter().zip(looked.as_array().unwrap()) {
        assert_eq!(pair[0], pair[1], "{code} is not {value}");
    }
}

#[test]
fn the_readmes_pictures_are_there_and_small() {
    let readme = contents(root().join("README.md"));
    let pictures: Vec<&str> = readme.split("](").filter_map(|rest| rest.split(')').next()).collect();
    let pictures: Vec<&str> = pictures.into_iter().filter(|path| path.ends_with(".png")).collect();
    assert!((2..=4).contains(&pictures.len()), "{pictures:?}");
    for picture in pictures {
        let bytes = fs::metadata(root().join(picture)).unwrap().len();
        assert!(bytes < 120_000, "{picture} takes {bytes} bytes");
    }
}

#[test]
fn no_comment_leads_to_a_page_that_is_not_here() {
    for path in read::list(&root(), "engine", "rs").files {
        for line in contents(root().join(&path)).lines().filter(|line| line.trim_start().starts_with("//")) {
            let names = line.split(|sign: char| !sign.is_alphanumeric() && !"._/-".contains(sign));
            for page in names.map(|name| name.trim_end_matches('.')).filter(|name| name.ends_with(".md")) {
                assert!(root().join(page).is_file(), "{path} names {page}: {line}");
            }
        }
    }
}

#[test]
fn no_other_page_has_commands_that_nobody_types() {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        if !["AUTHORING.md", "AUDIT.md", "BOARD.md", "EXPORT.md", "MACHINES.md", "SERVE.md"]
            .iter()
            .any(|typed| page.ends_with(typed))
        {
            assert_eq!(commands(&page), Vec::<String>::new(), "{}", page.display());
        }
    }
}
