//! Other benchmarks: vectors of their scorers, and what we say to their files.

#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use support::{code, probity, root, scratch};

fn cases(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What was said on standard error, without the folder.
fn said(output: &Output, folder: &Path) -> String {
    String::from_utf8_lossy(&output.stderr).replace(&format!("{}/", folder.display()), "")
}

fn conform(files: &[&Path]) -> Output {
    let files = files.iter().map(|file| text(file));
    probity(&["conform", "rut"].into_iter().chain(files).collect::<Vec<_>>())
}

fn score(folder: &Path, more: &[&str]) -> Output {
    let [samples, blueprints, results] =
        ["samples.jsonl", "blueprints.json", "results.json"].map(|name| folder.join(name));
    let mut arguments = vec!["score", "--format", "rut-bench", "--samples", text(&samples)];
    arguments.extend(["--blueprints", text(&blueprints), "--results", text(&results)]);
    arguments.extend(more);
    probity(&arguments)
}

fn import(folder: &Path, to: &Path) -> Output {
    let [samples, blueprints] = ["samples.jsonl", "blueprints.json"].map(|name| folder.join(name));
    probity(&["import", "rut-bench", "--samples", text(&samples), "--blueprints", text(&blueprints), "--out", text(to)])
}

#[test]
fn our_own_vectors_agree() {
    let output = conform(&[&cases("conform/rut.jsonl")]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert_eq!(out(&output).lines().last(), Some("23 passed, 0 failed"));
}

#[test]
fn vectors_beside_the_repository_agree() {
    let folder = root().join("../shared/vectors/rut");
    let files = fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "jsonl")).collect();
    if files.is_empty() {
        eprintln!("skipped: there are no vectors in {}", folder.display());
        return;
    }
    let output = conform(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert!(out(&output).lines().last().is_some_and(|line| line.ends_with(" passed, 0 failed")));
}

#[test]
fn a_wrong_vector_fails_and_is_written_down() {
    let folder = scratch("conform-wrong");
    let (vectors, failures) = (folder.join("v.jsonl"), folder.join("failures.jsonl"));
    let lines = [
        r#"{"id": "a", "kind": "state_diff", "tags": [], "input": {"old": {}, "new": {"x": 1}}, "expected": {}}"#,
        r#"{"id": "b", "kind": "state_dif", "tags": ["quirk:x"], "input": {}, "expected": {}}"#,
    ];
    fs::write(&vectors, lines.join("\n")).unwrap();
    let refused = probity(&["conform", "rut", text(&vectors), "--failures", text(&vectors)]);
    assert_eq!(refused.status.code(), Some(2), "the vectors are not overwritten");
    assert!(fs::metadata(&vectors).unwrap().len() > 0);
    let output = probity(&["conform", "rut", text(&vectors), "--failures", text(&failures)]);
    assert_eq!((code(&output), out(&output).lines().last()), (1, Some("0 passed, 2 failed")));
    insta::assert_snapshot!(fs::read_to_string(&failures).unwrap(), @r#"
    {"actual":{"x":{"added":1}},"expected":{},"id":"a","kind":"state_diff","why":"differs at `/x`"}
    {"actual":null,"expected":{},"id":"b","kind":"state_dif","why":"unknown kind `state_dif`; did you mean `state_diff`?"}
    "#);
    let report: Value = serde_json::from_str(&out(&probity(&["conform", "rut", text(&vectors), "--json"]))).unwrap();
    assert_eq!(report.pointer("/total/plain_cases"), Some(&Value::from(1)));
}

#[test]
fn truncated_and_missing_vectors_are_bad_input() {
    let folder = scratch("conform-bad");
    let vectors = folder.join("v.jsonl");
    fs::write(&vectors, "{\"id\": \"a\", \"kind\": \"relaxed\", \"input\": {}, \"expected\": {}}\n[]\n{\"id\": 7}\n{\"id\": \"c\", \"ki")
        .unwrap();
    let truncated = conform(&[&vectors, &folder.join("none.jsonl")]);
    assert_eq!(code(&truncated), 2);
    insta::assert_snapshot!(said(&truncated, &folder), @r"
    v.jsonl:4:16: error[bad_json]: the file ends too early
      help: what opens at line 4, column 1 is not closed
    none.jsonl: error[missing_file]: there is no such file
      help: look at the path
    2 errors, 0 warnings
    ");
    fs::write(&vectors, "[]\n{\"id\": 7}\n").unwrap();
    insta::assert_snapshot!(said(&conform(&[&vectors]), &folder), @r"
    v.jsonl:1:1: error[bad_vector]: a vector is an object
      help: a vector is an object with `id`, `kind`, `tags`, `input` and `expected`
    v.jsonl:2:1: error[bad_vector]: `id` is not a text
      help: a vector is an object with `id`, `kind`, `tags`, `input` and `expected`
    v.jsonl:2:1: error[bad_vector]: `kind` is not a text
      help: a vector is an object with `id`, `kind`, `tags`, `input` and `expected`
    v.jsonl:2:1: error[bad_vector]: `input` is missing
      help: a vector is an object with `id`, `kind`, `tags`, `input` and `expected`
    v.jsonl:2:1: error[bad_vector]: `expected` is missing
      help: a vector is an object with `id`, `kind`, `tags`, `input` and `expected`
    5 errors, 0 warnings
    ");
}

#[test]
fn peer_runs_stand_beside_ours() {
    let output = score(&cases("peer"), &[]);
    assert_eq!(code(&output), 0, "{}", said(&output, &cases("peer")));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/rut");
    settings.bind(|| insta::assert_snapshot!("peer_runs", out(&output)));
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
fn every_slip_in_peer_files_is_told_at_once() {
    let folder = scratch("peer-slips");
    let samples = [
        r#"{"sample_id": "g1", "task_id": "t", "final_state_assertion": [], "gold_action_graph": {"precedence_edges": [{"before_step_index": "1"}]}}"#,
        r#"{"sampel_id": "g2", "task_id": 7, "forbidden_actions": "clear_bed"}"#,
        r#"{"sample_id": "g1", "task_id": "t"}"#,
    ];
    fs::write(folder.join("samples.jsonl"), samples.join("\n")).unwrap();
    fs::write(
        folder.join("blueprints.json"),
        "{\"items\": [\n  {\"tools\": [{\"nam\": \"x\"}],\n   \"task_blueprints\": [{}]}]}",
    )
    .unwrap();
    fs::write(folder.join("results.json"), "[\n {\"sample_id\": \"g9\", \"run\": {\"actual_actions\": [],").unwrap();
    let output = score(&folder, &[]);
    assert_eq!(code(&output), 2);
    insta::assert_snapshot!(said(&output, &folder), @r"
    blueprints.json:2:14: error[missing_key]: `name` is missing
      help: is `nam` meant for it?
    blueprints.json:3:24: error[missing_key]: `task_id` is missing
    results.json:2:51: error[bad_json]: the file ends too early
      help: what opens at line 2, column 29 is not closed
    samples.jsonl:1:62: warning[unread_key]: `final_state_assertion` is not read
      help: did you mean `final_state_assertions`?
    samples.jsonl:1:109: error[missing_key]: `after_step_index` is missing
    samples.jsonl:1:131: error[wrong_type]: expected a whole number, found a text
    samples.jsonl:2:1: error[missing_key]: `sample_id` is missing
      help: is `sampel_id` meant for it?
    samples.jsonl:2:32: error[wrong_type]: expected a text, found a number
    samples.jsonl:2:56: error[wrong_type]: expected a list of texts, found a text
    samples.jsonl:3:15: error[duplicate_id]: `g1` was given before
    9 errors, 1 warning
    ");
}

#[test]
fn drafts_load_as_far_as_they_can() {
    let folder = scratch("import");
    let output = import(&cases("peer"), &folder);
    assert_eq!(code(&output), 0, "{}", said(&output, &folder));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/rut");
    settings.bind(|| {
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
        insta::assert_snapshot!("import_listing", out(&output));
        insta::assert_snapshot!("import_environment", read("environments/imported/env_garden.json"));
        insta::assert_snapshot!("import_script", read("scripts/imported/env_garden.rhai"));
        insta::assert_snapshot!("import_task", read("tasks/imported/env_garden/garden_perfect_task.json"));
    });
    let check = probity(&["check", "--json", "--root", text(&folder)]);
    let check: Value = serde_json::from_str(&out(&check)).unwrap();
    let errors = check["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error");
    let codes: std::collections::BTreeSet<&str> = errors.map(|found| found["code"].as_str().unwrap()).collect();
    // Both are in the list of what is left: the hash, and what must be said where nothing changes.
    assert_eq!(codes, ["state_drift", "vacuous_outcome"].into());
    let again = import(&cases("peer"), &folder);
    assert_eq!(code(&again), 2, "nothing is overwritten");
}

#[test]
fn the_page_has_every_reason() {
    let page = fs::read_to_string(root().join("docs/RUT_BENCH.md")).unwrap();
    for (code, line) in probity::rut::ours::reason::Reason::ALL.map(probity::rut::ours::reason::Reason::words) {
        assert!(page.contains(&format!("| `{code}` | {line} |")), "{code}");
    }
}
