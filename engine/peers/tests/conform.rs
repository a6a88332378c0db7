//! Other benchmarks: vectors of their scorers, and what we say to their files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{cases, code, contents, err, out, outside, peers, root, scratch, snapshots, succeeded};
use probity_behaviour::suite::Suite;
use probity_engine::Diagnostic;
use probity_peers::Family;
use probity_proof::check::check;
use probity_proof::store::NoStore;
use serde_json::Value;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What was said on standard error, without the folder.
fn said(output: &Output, folder: &Path) -> String {
    err(output).replace(&format!("{}/", folder.display()), "")
}

fn score(folder: &Path, more: &[&str]) -> Output {
    let [samples, blueprints, results] =
        ["samples.jsonl", "blueprints.json", "results.json"].map(|name| folder.join(name));
    let mut arguments = vec!["score", "--format", "rut-bench", "--samples", text(&samples)];
    arguments.extend(["--blueprints", text(&blueprints), "--results", text(&results)]);
    arguments.extend(more);
    peers(&arguments)
}

fn import(folder: &Path, to: &Path) -> Output {
    let [samples, blueprints] = ["samples.jsonl", "blueprints.json"].map(|name| folder.join(name));
    peers(&["import", "rut-bench", "--samples", text(&samples), "--blueprints", text(&blueprints), "--out", text(to)])
}

/// How many vectors passed, failed, were skipped, and passed by a rule that the docs name.
type Counts = [u64; 4];

/// A family of vectors: the kinds that are asked and those that only tell, and what comes of the extract here.
struct Vectors {
    whose: &'static str,
    beside: &'static str,
    kinds: Vec<&'static str>,
    told: &'static [&'static str],
    counts: Counts,
}

fn families() -> [Vectors; 5] {
    let scorers = |whose, family: Family, beside, counts| Vectors {
        whose,
        beside,
        kinds: family.kinds(),
        told: family.information(),
        counts,
    };
    let tau2 = |whose, beside, told, counts| Vectors {
        whose,
        beside,
        kinds: vec!["airline", "retail", "telecom"],
        told,
        counts,
    };
    [
        scorers("rut", Family::Rut, "shared/vectors/rut", [71, 0, 0, 0]),
        scorers("cirrus", Family::Cirrus, "shared/vectors/cirrus", [36, 0, 1, 0]),
        scorers("mmtau", Family::MmTau, "shared/vectors/mmtau", [114, 0, 4, 0]),
        tau2("tau2-gold", "shared/peers/tau2/gold", &[], [5, 0, 0, 0]),
        tau2("tau2-adversarial", "shared/peers/tau2/adversarial", &["lax"], [7, 0, 1, 2]),
    ]
}

impl Vectors {
    fn extract(&self) -> PathBuf {
        cases("conform").join(self.whose).with_extension("jsonl")
    }

    /// Holds files as anybody does, and that every kind is among them.
    fn hold(&self, files: &[PathBuf], data: &Path) -> (i32, Counts) {
        let start = ["conform", self.whose, "--json", "--data", text(data)];
        let output = peers(&start.into_iter().chain(files.iter().map(|file| text(file))).collect::<Vec<_>>());
        let report: Value = serde_json::from_str(&out(&output)).unwrap();
        let asked = |of: &str| report[of].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!((asked("kinds"), asked("skipped")), (all(&self.kinds), all(self.told)), "{}: {report}", self.whose);
        let sum = |of: &str| report[of].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        let [passed, failed] = ["passed", "failed"].map(|of| report["total"][of].as_u64().unwrap());
        (code(&output), [passed, failed, sum("skipped"), sum("diverged")])
    }
}

#[test]
fn extracts_agree() {
    for vectors in families() {
        let held = vectors.hold(&[vectors.extract()], &cases("conform/tau2"));
        assert_eq!(held, (0, vectors.counts), "{}", vectors.whose);
    }
}

/// A value that is another one in its last leaf; what must be refused becomes nothing.
fn other(value: &Value) -> Value {
    match value {
        Value::Null => 0.into(),
        Value::Bool(flag) => (!flag).into(),
        Value::Number(number) => (number.as_f64().unwrap() + 1.0).into(),
        Value::String(text) => format!("{text}?").into(),
        Value::Array(items) => [items.as_slice(), &[Value::Null]].concat().into(),
        Value::Object(fields) if fields.is_empty() || fields.contains_key("error") => Value::Null,
        Value::Object(fields) => {
            let mut fields = fields.clone();
            fields.values_mut().next_back().into_iter().for_each(|last| *last = other(last));
            fields.into()
        }
    }
}

/// With one wrong value in each vector of the extracts, none passes.
#[test]
fn every_vector_of_the_extracts_can_fail() {
    let folder = scratch("conform-other");
    for vectors in families() {
        let place = match vectors.whose {
            "tau2-gold" => "/final_agent_db_sha256",
            "tau2-adversarial" => "/calls/0/error",
            _ => "/expected",
        };
        let changed = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let value = line.pointer_mut(place).unwrap();
            *value = other(value);
            line.to_string()
        };
        let lines: Vec<String> = fs::read_to_string(vectors.extract()).unwrap().lines().map(changed).collect();
        let file = folder.join(vectors.whose).with_extension("jsonl");
        fs::write(&file, lines.join("\n")).unwrap();
        let [passed, _, skipped, _] = vectors.counts;
        let held = vectors.hold(&[file], &cases("conform/tau2"));
        assert_eq!(held, (1, [0, passed, skipped, 0]), "{}", vectors.whose);
    }
}

#[test]
fn vectors_beside_the_repository_agree() {
    for vectors in families() {
        let Some(place) = outside(vectors.beside) else { continue };
        let files = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path());
        let files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "jsonl")).collect();
        let (exit, [passed, failed, ..]) = vectors.hold(&files, &place.with_file_name("data"));
        assert!((exit, failed) == (0, 0) && passed > 200, "{}: {passed} passed, {failed} failed", vectors.whose);
    }
}

/// What `probity check` finds.
fn checked(folder: &Path) -> Vec<Diagnostic> {
    check(&Suite::load(folder), &NoStore)
}

/// Files of the peer with these texts.
fn peer_files(name: &str, samples: &str, blueprints: &str, results: &str) -> PathBuf {
    let folder = scratch(name);
    for (name, text) in [("samples.jsonl", samples), ("blueprints.json", blueprints), ("results.json", results)] {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

#[test]
fn names_are_told_apart_and_every_change_is_listed() {
    let sample = |id: &str, task: &str, tool: &str| {
        format!(
            r#"{{"sample_id": "{id}", "task_id": "{task}", "env_id": "env", "user_request": "Do it.", "init_config": {{"let": {{"a": {{"x": 1}}}}, "Open Bills": {{}}}}, "gold_tool_trace": [{{"tool_name": "{tool}"}}]}}"#
        )
    };
    let samples = [sample("a", "t-1", "getUser"), sample("b", "t_1", "get_user"), sample("c", "t.1", "let")].join("\n");
    let tools = r#"[{"name": "getUser"}, {"name": "get_user"}, {"name": "let"}]"#;
    let tasks = r#"[{"task_id": "t-1"}, {"task_id": "t_1"}, {"task_id": "t.1"}]"#;
    let items = format!(r#"{{"items": [{{"tools": {tools}, "task_blueprints": {tasks}}}]}}"#);
    let folder = peer_files("import-names", &samples, &items, "[]");
    let drafts = folder.join("drafts");
    let output = succeeded(import(&folder, &drafts));
    for line in [
        "/tools/0/name: `getUser` in the samples",
        "/tools/2/name: `let` in the samples",
        "/state/open_bills: `Open Bills` in the samples",
        "/state/let_2: `let` in the samples",
        "/state/let_2/key: no field of its records repeats their keys",
        "/id: `t-1` in the samples",
        "/id: `t.1` in the samples",
    ] {
        assert!(out(&output).contains(line), "{line}: {}", out(&output));
    }
    assert_eq!(fs::read_dir(drafts.join("tasks/imported/env")).unwrap().count(), 3, "{}", out(&output));
    let found = checked(&drafts);
    assert!(found.iter().all(|found| !["reserved", "bad_name"].contains(&found.code.as_str())), "{found:?}");
}

#[test]
fn a_draft_is_written_whole_or_not_at_all() {
    let folder = scratch("import-whole");
    fs::create_dir(folder.join("drafts")).unwrap();
    fs::write(folder.join("drafts/tasks"), "in the way").unwrap();
    let output = import(&cases("peer"), &folder.join("drafts"));
    assert_eq!(code(&output), 2);
    let left: Vec<_> = fs::read_dir(folder.join("drafts")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["tasks"], "{}", said(&output, &folder));
}

#[test]
fn peer_runs_stand_beside_ours() {
    let output = succeeded(score(&cases("peer"), &[]));
    snapshots("rut").bind(|| insta::assert_snapshot!("peer_runs", out(&output)));
    let audit: Value = serde_json::from_str(&out(&score(&cases("peer"), &["--json"]))).unwrap();
    assert_eq!(audit["peer_semantic"]["n"], 12);
    for row in audit["samples"].as_array().unwrap() {
        let Some(peer) = row["peer"].as_object() else { continue };
        for (verdict, reasons) in [("semantic", "against_semantic"), ("relaxed", "against_relaxed")] {
            let is_same = row["ours"] == if peer[verdict] == true { "pass" } else { "fail" };
            assert_eq!(is_same, row[reasons].as_array().unwrap().is_empty(), "{row}");
        }
    }
}

#[test]
fn drafts_load_as_far_as_they_can() {
    let folder = scratch("import");
    let output = succeeded(import(&cases("peer"), &folder));
    snapshots("rut").bind(|| {
        let read = |path: &str| contents(folder.join(path));
        insta::assert_snapshot!("import_listing", out(&output));
        insta::assert_snapshot!("import_environment", read("environments/imported/env_garden.json"));
        insta::assert_snapshot!("import_script", read("scripts/imported/env_garden.rhai"));
        insta::assert_snapshot!("import_task", read("tasks/imported/env_garden/garden_perfect_task.json"));
    });
    let found = checked(&folder);
    let codes: BTreeSet<&str> =
        found.iter().filter(|found| found.is_error()).map(|found| found.code.as_str()).collect();
    // All are in the list of what is left: what checks each rule, the hash, what a good agent says, and what must be
    // said where nothing changes.
    assert_eq!(codes, ["policy_unbound", "state_drift", "unfinished", "vacuous_outcome"].into());
    assert_eq!(code(&import(&cases("peer"), &folder)), 0, "what is there already is left as it is");
    fs::write(folder.join("scripts/imported/env_garden.rhai"), "// Mine.\n").unwrap();
    assert_eq!(code(&import(&cases("peer"), &folder)), 2, "nothing is overwritten");
    assert_eq!(contents(folder.join("scripts/imported/env_garden.rhai")), "// Mine.\n");
}

#[test]
fn the_page_has_every_reason() {
    let page = contents(root().join("docs/RUT_BENCH.md"));
    for (code, line) in probity_peers::Reason::ALL.iter().map(|reason| reason.words()) {
        assert!(page.contains(&format!("| `{code}` | {line} |")), "{code}");
    }
}
