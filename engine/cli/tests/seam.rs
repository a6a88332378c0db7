//! The seam: a benchmark with a world, factors and metrics of its own goes through every command untouched, and
//! nothing but its own file names it.

use std::path::Path;

use serde_json::{Value, json};

use crate::dial::{CROOKED, MISNAMED, probity, probity_of};
use crate::support::{contents, report, root, scratch, text};
use probity::cli::exit::Exit;

fn run(directory: &Path, agent: &str) -> Exit {
    let out = directory.to_str().unwrap();
    probity(&["run", "--suite", "dial", "--agent", agent, "--as", "turner", "--trials", "2", "--out", out])
}

#[test]
fn another_benchmark_is_run_replayed_scored_and_reported() {
    let folder = scratch("seam-run");
    let (directory, again) = (folder.join("run"), folder.join("again"));
    assert_eq!(run(&directory, "hasty"), Exit::Clean);
    let path = directory.to_str().unwrap();
    let same_run = json!(serde_json::from_str::<Value>(&text(&directory, "run.json")).unwrap()["suite"]);
    assert_eq!(same_run, "dial");
    for command in [&["replay", path][..], &["score", path], &["report", path], &["show", path, "--failed"]] {
        assert_eq!(probity(command), Exit::Clean, "{command:?}");
    }
    assert_eq!(probity(&["run", "--resume", path]), Exit::Clean);
    let report = report(&directory);
    let turner = &report["agents"]["turner"];
    let metric = |summary: &Value, name: &str| summary["metrics"][name]["value"].clone();
    assert_eq!((report["suite"].clone(), report["episodes"].clone()), (json!("dial"), json!(16)));
    assert_eq!(report["counts"], json!({"levels": {"make": 2}, "tasks": 4, "task_instances": 8}));
    let pace = &turner["factors"]["pace"];
    assert_eq!((metric(&pace["slow"], "hit"), metric(&pace["fast"], "hit")), (json!(1.0), json!(0.0)));
    assert_eq!(pace["fast"]["metrics"]["hit"]["change"], json!(-1.0));
    // Pooled: 20 numbers in 10 turns slowly, in 24 turns fast.
    assert_eq!((metric(&pace["slow"], "turns"), metric(&pace["fast"], "turns")), (json!(0.5), json!(1.2)));
    let page = text(&directory, "report.html");
    assert!(page.contains("Turns per number") && !page.contains("goal_switching"));
    let chosen = ["run", "--suite", "dial", "--agent", "oracle", "--level", "pace=fast", "--task", "to_4", "--out"];
    assert_eq!(probity(&[&chosen[..], &[again.to_str().unwrap()]].concat()), Exit::Clean);
    assert_eq!(text(&again, "episodes.jsonl").lines().count(), 1);
}

#[test]
fn another_benchmark_is_compared_and_its_gate_closes_for_what_is_worse() {
    let folder = scratch("seam-compare");
    let (base, new) = (folder.join("base"), folder.join("new"));
    assert_eq!((run(&base, "oracle"), run(&new, "hasty")), (Exit::Clean, Exit::Clean));
    let gate = folder.join("gate.toml");
    let rules = "format = 1\n[[rule]]\nmetric = \"turns\"\npace = \"fast\"\nmax_drop = 0.2\n";
    std::fs::write(&gate, rules).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (markdown, page, junit) = (file("c.md"), file("c.html"), file("c.xml"));
    let compare = |base: &Path, new: &Path, gate: Option<&Path>| {
        let gate = gate.map_or("--gate".to_owned(), |path| format!("--gate={}", path.display()));
        let (base, new) = (base.to_str().unwrap(), new.to_str().unwrap());
        probity(&["compare", base, new, &gate, "--markdown", &markdown, "--html", &page, "--junit", &junit])
    };
    assert_eq!(compare(&base, &base, None), Exit::Clean);
    assert_eq!(compare(&base, &new, None), Exit::Failed);
    assert!(text(&folder, "c.md").contains("| turns | fast |") && text(&folder, "c.html").contains("Turns per number"));
    assert!(text(&folder, "c.xml").contains("hit all: no significant drop"));
    // More turns are worse: what rises falls.
    assert_eq!(compare(&base, &new, Some(&gate)), Exit::Failed);
    assert_eq!(compare(&new, &base, Some(&gate)), Exit::Clean);
}

#[test]
fn what_cannot_be_scored_is_recorded_and_said() {
    let folder = scratch("seam-crooked");
    let path = folder.join("run");
    let probity = |arguments: &[&str]| probity_of(&[CROOKED], arguments);
    let out = path.to_str().unwrap();
    assert_eq!(probity(&["run", "--suite", "dial", "--agent", "hasty", "--out", out]), Exit::Failed);
    let lines = text(&path, "episodes.jsonl");
    let hit = |line: &str| serde_json::from_str::<Value>(line).unwrap()["scores"]["metrics"]["hit"].clone();
    let reason = |line: &str| hit(line)["reason"].as_str().unwrap().to_owned();
    let mut reasons: Vec<String> = lines.lines().map(reason).collect();
    reasons.sort();
    reasons.dedup();
    assert_eq!(
        reasons,
        ["cannot be scored: `hit` is NaN, not from 0 to 1", "cannot be scored: the trace is not one of its task"]
    );
    assert_eq!(lines.lines().count(), 8);
    let report = report(&path);
    assert_eq!(report["episodes"], json!(8));
    assert_eq!(report["agents"]["hasty"]["overall"]["metrics"]["hit"]["not_scored"], json!(8));
    assert_eq!(probity(&["replay", out]), Exit::Clean);
    assert_eq!((probity(&["score", out]), probity(&["report", out])), (Exit::Failed, Exit::Failed));
}

#[test]
fn a_card_that_cannot_be_drawn_is_refused_where_the_suite_is_opened() {
    let folder = scratch("seam-misnamed");
    let out = folder.join("run");
    let run = ["run", "--suite", "dial", "--out", out.to_str().unwrap()];
    assert_eq!(probity_of(&[MISNAMED], &run), Exit::BadInput);
    assert!(!out.exists());
}

#[test]
fn two_agents_of_one_name_are_refused_in_a_run_file_too() {
    let path = scratch("seam-twice").join("run");
    assert_eq!(run(&path, "hasty"), Exit::Clean);
    let mut config: Value = serde_json::from_str(&text(&path, "run.json")).unwrap();
    let agent = config["agents"][0].clone();
    config["agents"].as_array_mut().unwrap().push(agent);
    std::fs::write(path.join("run.json"), config.to_string()).unwrap();
    assert_eq!(probity(&["replay", path.to_str().unwrap()]), Exit::BadInput);
}

#[test]
fn doubled_records_are_not_counted() {
    let folder = scratch("seam-doubled");
    let path = folder.join("run");
    assert_eq!(run(&path, "hasty"), Exit::Clean);
    let out = path.to_str().unwrap();
    let lines = text(&path, "episodes.jsonl");
    let first = lines.lines().next().unwrap();
    std::fs::write(path.join("episodes.jsonl"), format!("{lines}{first}\n")).unwrap();
    for command in ["score", "report"] {
        assert_eq!(probity(&[command, out]), Exit::Failed, "{command}");
    }
    assert_eq!(probity(&["compare", out, out]), Exit::Failed);
    assert_eq!(probity(&["run", "--resume", out]), Exit::Clean);
    assert_eq!((text(&path, "episodes.jsonl"), probity(&["report", out])), (lines, Exit::Clean));
}

#[test]
fn what_the_card_does_not_know_is_refused() {
    let folder = scratch("seam-refused");
    let out = folder.join("run");
    let with = |more: &[&str]| probity(&[&["run", "--suite", "dial", "--out", out.to_str().unwrap()], more].concat());
    for more in [
        &["--agent", "heuristic"][..],
        &["--variant", "ideal"],
        &["--level", "pace=faster"],
        &["--user", "contract"],
        &["--swap-turns"],
        &["--judge", "openai:m"],
    ] {
        assert_eq!(with(more), Exit::BadInput, "{more:?}");
    }
    assert_eq!(probity(&["run", "--suite", "dials"]), Exit::BadInput);
    assert!(!out.exists());
}

#[test]
fn nothing_else_names_it() {
    let mut naming = Vec::new();
    let mut folders = vec![root().join("engine")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
                let text = contents(&path);
                let is_named = ["\"dial\"", "Dials"].iter().any(|name| text.contains(name));
                naming.extend(is_named.then(|| path.file_name().unwrap().to_str().unwrap().to_owned()));
            }
        }
    }
    naming.sort();
    assert_eq!(naming, ["cheats.rs", "mod.rs", "page.rs", "seam.rs"]);
}
