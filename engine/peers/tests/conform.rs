//! Other benchmarks: vectors of their scorers, and what we say to their files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{cases, code, contents, err, json, out, outside, peers, root, scratch, snapshots, succeeded};
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

fn conform(files: &[&Path]) -> Output {
    let files = files.iter().map(|file| text(file));
    peers(&["conform", "rut"].into_iter().chain(files).collect::<Vec<_>>())
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
        scorers("rut", Family::Rut, "shared/vectors/rut", [23, 0, 0, 0]),
        scorers("cirrus", Family::Cirrus, "shared/vectors/cirrus", [36, 0, 1, 0]),
        scorers("mmtau", Family::MmTau, "shared/vectors/mmtau", [63, 0, 4, 0]),
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

#[test]
fn a_recording_that_came_out_otherwise_is_told() {
    let data = cases("conform/tau2");
    let folder = scratch("conform-tau2");
    let call = |result: &str| {
        serde_json::json!({
            "domain": "telecom", "task_id": result, "initialization_actions": [],
            "actions": [{"requestor": "user", "name": "toggle_wifi", "arguments": {}, "result": result, "error": false}],
            "final_agent_db_sha256": "", "final_user_db_sha256": "", "initial_agent_db_sha256": null, "assertions": [],
        })
        .to_string()
    };
    let lines = folder.join("lines.jsonl");
    fs::write(&lines, [call("Wi-Fi is gone."), "{}".to_owned()].join("\n")).unwrap();
    let output = peers(&["conform", "tau2-gold", "--data", text(&data), text(&lines)]);
    assert_eq!(code(&output), 2, "a line that is no recording");
    assert!(
        out(&output).contains("failed: telecom Wi-Fi is gone. call 0, toggle_wifi: from letter"),
        "{}",
        out(&output)
    );
    assert!(said(&output, &folder).contains("lines.jsonl:2:1: error[bad_vector]"), "{}", said(&output, &folder));
    let output = peers(&["conform", "tau2-gold", text(&lines)]);
    assert!(said(&output, &folder).contains("--data <DIR>"), "{}", said(&output, &folder));
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
    let refused = peers(&["conform", "rut", text(&vectors), "--failures", text(&vectors)]);
    assert_eq!(refused.status.code(), Some(2), "the vectors are not overwritten");
    assert!(fs::metadata(&vectors).unwrap().len() > 0);
    let output = peers(&["conform", "rut", text(&vectors), "--failures", text(&failures)]);
    assert_eq!((code(&output), out(&output).lines().last()), (1, Some("0 passed, 2 failed")));
    insta::assert_snapshot!(contents(&failures), @r#"
    {"actual":{"x":{"added":1}},"expected":{},"id":"a","kind":"state_diff","why":"differs at `/x`"}
    {"actual":null,"expected":{},"id":"b","kind":"state_dif","why":"unknown kind `state_dif`; did you mean `state_diff`?"}
    "#);
    let report: Value = serde_json::from_str(&out(&peers(&["conform", "rut", text(&vectors), "--json"]))).unwrap();
    assert_eq!(report.pointer("/total/plain_cases"), Some(&Value::from(1)));
}

#[test]
fn what_cannot_be_read_is_named_and_hides_no_result() {
    let folder = scratch("conform-bad");
    let vectors = folder.join("v.jsonl");
    let good = r#"{"id": "a", "kind": "state_diff", "input": {"old": {}, "new": {}}, "expected": {}}"#;
    let lines = [
        good,
        "[]",
        r#"{"id": 7}"#,
        r#"{"id": "d", "kind": "relaxed", "input": {}, "expected": {}}"#,
        r#"{"id": "e", "kind": "relaxed", "input": [], "expected": {}}"#,
        r#"{"id": "f", "kind": "state_diff", "input": {"old": {}, "new": {"x": 18446744073709551616}}, "expected": {}}"#,
        r#"{"id": "g", "kind": "state_diff", "tags": "x", "input": {"old": {}, "new": {}}, "expected": {}}"#,
        r#"{"id": "h", "ki"#,
    ];
    fs::write(&vectors, lines.join("\n")).unwrap();
    let output = conform(&[&vectors, &folder.join("none.jsonl")]);
    assert_eq!((code(&output), out(&output).lines().last()), (2, Some("1 passed, 8 failed")));
    let said = said(&output, &folder);
    for line in [
        "v.jsonl:2:1",
        "v.jsonl:3:1",
        "v.jsonl:4:1",
        "v.jsonl:5:1",
        "v.jsonl:6:1",
        "v.jsonl:7:1",
        "v.jsonl:8:",
        "none.jsonl: ",
    ] {
        assert!(said.contains(&format!("\n{line}")) || said.starts_with(line), "{line} is not named: {said}");
    }
    assert!(said.contains("bad_json") && said.contains("wide_integer") && said.contains("missing_file"), "{said}");
    let report: Value = serde_json::from_str(&out(&peers(&["conform", "rut", text(&vectors), "--json"]))).unwrap();
    assert_eq!((&report["total"]["failed"], &report["unreadable"]), (&Value::from(7), &Value::from(7)), "{report}");
}

#[test]
fn a_vector_counts_once() {
    let folder = scratch("conform-twice");
    let (vectors, again) = (folder.join("v.jsonl"), folder.join("again.jsonl"));
    let good = r#"{"id": "a", "kind": "state_diff", "input": {"old": {}, "new": {}}, "expected": {}}"#;
    fs::write(&vectors, format!("{good}\n{good}\n")).unwrap();
    let output = conform(&[&vectors, &folder.join("./v.jsonl")]);
    assert_eq!((code(&output), out(&output).lines().last()), (0, Some("1 passed, 0 failed")));
    let warned = said(&output, &folder);
    assert!(warned.contains("v.jsonl:2:1: warning[given_twice]: `a` was given before, at v.jsonl:1"), "{warned}");
    assert!(warned.contains("warning[given_twice]: the file was given before"), "{warned}");
    fs::write(&again, good.replace(r#""new": {}"#, r#""new": {"x": 1}"#)).unwrap();
    let output = conform(&[&vectors, &again]);
    assert_eq!((code(&output), out(&output).lines().last()), (2, Some("1 passed, 1 failed")));
    assert!(said(&output, &folder).contains("again.jsonl:1:1: error[duplicate_id]"));
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

const SAMPLE: &str = r#"{"sample_id": "s", "task_id": "t"}"#;
const ITEMS: &str = r#"{"items": [{"task_blueprints": [{"task_id": "t"}]}]}"#;
const RESULTS: &str = r#"[{"sample_id": "s", "run": {"actual_actions": [], "actual_tool_trace": [], "initial_state": {}, "final_state": {}}}]"#;

#[test]
fn slips_in_the_shape_of_peer_files_are_told() {
    let wide = RESULTS.replace(r#""final_state": {}"#, r#""final_state": {"x": 99999999999999999999}"#);
    let twice = ITEMS.replace("]}]}", "]}, {\"task_blueprints\": [{\"task_id\": \"t\"}]}]}");
    let pretty = "{\n  \"sample_id\": \"s\",\n  \"task_id\": \"t\"\n}\n";
    for (name, samples, blueprints, results, exit, expected) in [
        ("good", SAMPLE, ITEMS, RESULTS, 0, ""),
        ("items", SAMPLE, &*ITEMS.replace("items", "itmes"), RESULTS, 2, "help: did you mean `items`?"),
        ("results", SAMPLE, ITEMS, &*format!("{{\"resluts\": {RESULTS}}}"), 2, "help: did you mean `results`?"),
        ("object", SAMPLE, r#"{"items": {}}"#, RESULTS, 2, "expected a list of objects, found an object"),
        ("pretty", pretty, ITEMS, RESULTS, 2, "samples.jsonl:1:1: error[not_json_lines]"),
        ("twice", SAMPLE, &*twice, RESULTS, 0, "warning[duplicate_task]: `t` was given before; the last one counts"),
        ("none", "[]", ITEMS, RESULTS, 2, "samples.jsonl: error[empty_file]"),
        ("empty", "", ITEMS, RESULTS, 2, "samples.jsonl: error[empty_file]"),
        ("no_items", SAMPLE, r#"{"items": []}"#, RESULTS, 2, "blueprints.json: error[empty_file]"),
        ("wide", SAMPLE, ITEMS, &*wide, 0, ""),
    ] {
        let folder = peer_files(&format!("peer-{name}"), samples, blueprints, results);
        let output = score(&folder, &[]);
        let said = said(&output, &folder);
        assert_eq!(code(&output), exit, "{name}: {said}");
        assert!(said.contains(expected), "{name}: {said}");
        assert_eq!(out(&output).contains("wide_integer"), name == "wide", "{name}: {}", out(&output));
    }
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

#[test]
fn errors_are_json_where_json_is_asked_for() {
    for arguments in [
        &["conform", "rut", "none.jsonl", "--json"][..],
        &["score", "--format", "rut-bench", "--samples", "a", "--blueprints", "b", "--results", "c", "--json"],
        &["import", "rut-bench", "--samples", "a", "--blueprints", "b", "--out", "out", "--json"],
    ] {
        let output = peers(arguments);
        let found = json(&output);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert_eq!(found["diagnostics"][0]["code"], "missing_file", "{found}");
    }
}
