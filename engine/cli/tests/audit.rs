//! `probity audit`: logs from anywhere, held against their own ledger of calls.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{audit, binary, cases, code, err, json as parsed, out, probity_in, root, scratch, snapshots};

fn tool(name: &str, parameters: &Value) -> Value {
    json!({"type": "function", "function": {"name": name, "parameters": parameters}})
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": function}]})
}

fn result(id: &str, content: &Value) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content.to_string()})
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

/// A log of these dialogues, a line each.
fn log(folder: &Path, name: &str, dialogues: &[(&str, Vec<Value>)]) -> PathBuf {
    let tools: Vec<Value> =
        ["find_plot", "book_plot", "close_account"].iter().map(|name| tool(name, &json!({"type": "object"}))).collect();
    let lines = dialogues.iter().map(|(id, messages)| {
        let brief =
            said("system", "You serve Alder Allotments. Today is Monday 4 May 2026. Plots are let for one year.");
        let messages: Vec<&Value> = std::iter::once(&brief).chain(messages).collect();
        format!("{}\n", json!({"id": id, "messages": messages, "tools": tools}))
    });
    let path = folder.join(name);
    fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

/// The codes of each dialogue's findings, with their verdicts.
fn codes(audited: &Value) -> BTreeMap<String, Vec<(String, Value)>> {
    let of = |episode: &Value| {
        let findings = episode["findings"].as_array().unwrap().iter();
        let findings = findings.map(|one| (one["code"].as_str().unwrap().to_owned(), one["verdict"].clone())).collect();
        (episode["id"].as_str().unwrap().to_owned(), findings)
    };
    audited["episodes"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn the_example_shows_what_an_audit_says() {
    let output = audit(&["--example"]);
    assert_eq!(code(&output), 0);
    snapshots("audit").bind(|| insta::assert_snapshot!("example", out(&output)));
    assert_eq!(code(&audit(&["--example", "--fail-on", "contradicted"])), 1);
    assert_eq!(code(&audit(&["--example", "--fail-on", "no_consent"])), 1);
    assert_eq!(code(&audit(&["--example", "--fail-on", "same_batch"])), 0);
    let unknown = audit(&["--example", "--fail-on", "no_consnt"]);
    assert!(code(&unknown) == 2 && err(&unknown).contains("no_consent"), "{}", err(&unknown));
}

#[test]
fn the_same_dialogues_give_the_same_findings_in_every_form() {
    let folder = root().join("engine/logs/tests/cases/same");
    let mut seen = BTreeMap::new();
    for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let audited = parsed(&audit(&[file.to_str().unwrap(), "--json"]));
        let claims = &audited["summary"]["claims"];
        // Some forms mark no refusal, and some have no brief.
        let found: Vec<Vec<String>> = audited["episodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|episode| {
                let findings = episode["findings"].as_array().unwrap().iter();
                let hard = findings.filter(|one| one["code"] != "tool_refused" && one["verdict"] != "unsupported");
                hard.map(|one| one["code"].as_str().unwrap().to_owned()).collect()
            })
            .collect();
        seen.insert((claims["calls"].as_u64(), claims["contradicted"].as_u64(), found), file);
    }
    assert_eq!(seen.len(), 1, "{seen:#?}");
}

/// What discipline finds in each dialogue of `cases/audit/calls.jsonl`.
fn disciplined(more: &[&str]) -> BTreeMap<String, Vec<String>> {
    let file = cases("audit").join("calls.jsonl");
    let found = codes(&parsed(&audit(&[&[file.to_str().unwrap(), "--json"], more].concat())));
    let only = |found: Vec<(String, Value)>| found.into_iter().filter(|(_, v)| v.is_null()).map(|(c, _)| c).collect();
    found.into_iter().map(|(id, found)| (id, only(found))).collect()
}

#[test]
fn calls_are_held_against_each_other() {
    let found = disciplined(&[]);
    let expected: [(&str, &[&str]); 13] = [
        ("again", &["repeated_call"]),
        ("refused_again", &["tool_refused", "tool_refused", "repeated_call"]),
        ("twice", &["ungrounded_argument", "ungrounded_argument"]),
        ("nowhere", &["ungrounded_argument"]),
        ("too_early", &["ungrounded_argument"]),
        ("refused_too_early", &["tool_refused", "precedence_violated"]),
        ("waiting", &[]),
        ("unanswered", &[]),
        ("same_message", &["same_batch"]),
        ("unasked", &["no_consent"]),
        ("asked", &[]),
        ("invented", &["unknown_tool"]),
        ("no_object", &["invalid_arguments", "fair_try"]),
    ];
    for (id, codes) in expected {
        assert_eq!(found[id], codes, "{id}");
    }
    assert_eq!(found.len(), expected.len());
    assert_eq!(disciplined(&["--ignore", "key"])["twice"], ["repeated_write"]);
    // Who says that closing only reads is believed.
    assert_eq!(disciplined(&["--reads", "close_account"])["unasked"], Vec::<String>::new());
    let both = audit(&["--example", "--reads", "a,b", "--changes", "b"]);
    assert!(code(&both) == 2 && err(&both).contains("`b` is said to"), "{}", err(&both));
}

#[test]
fn what_is_given_beside_a_log_is_used_and_what_is_missing_is_said() {
    let folder = scratch("audit_told");
    let bare = folder.join("bare.jsonl");
    let messages = [
        said("user", "Plot A12, please water it."),
        call("1", "book_plot", &json!({"plot": "A12"})),
        result("1", &json!({"ok": true})),
        said("assistant", "Done. You can cancel within 30 days."),
    ];
    fs::write(&bare, format!("{}\n", json!({"messages": messages}))).unwrap();
    let bare = bare.to_str().unwrap();
    let plain = parsed(&audit(&[bare, "--json"]));
    assert_eq!(plain["episodes"][0]["not_judged"], json!(["tools", "brief", "date"]));
    assert_eq!(plain["summary"]["claims"]["contradicted"], 0, "nobody misquotes rules that are not known");
    let (brief, tools) = (folder.join("brief.md"), folder.join("tools.json"));
    fs::write(&brief, "Today is Monday 4 May 2026. Plots can be cancelled within 14 days.").unwrap();
    let annotated = json!({"result": {"tools": [{"name": "book_plot", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": false}}]}});
    fs::write(&tools, annotated.to_string()).unwrap();
    let told =
        parsed(&audit(&[bare, "--json", "--brief", brief.to_str().unwrap(), "--tools", tools.to_str().unwrap()]));
    assert_eq!(told["episodes"][0]["not_judged"], json!([]));
    assert_eq!(codes(&told).into_values().next().unwrap(), [("misquoted_rule".to_owned(), json!("contradicted"))]);
    assert_eq!(told["summary"]["tools"]["book_plot"]["basis"], "annotation");
    fs::write(&tools, "{}").unwrap();
    let none = audit(&[bare, "--tools", tools.to_str().unwrap()]);
    assert!(code(&none) == 2 && err(&none).contains("defines no tool"), "{}", err(&none));
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_the_rest_is_read() {
    let folder = scratch("audit_broken");
    let good = log(&folder, "good.jsonl", &[("a", vec![said("user", "Hello"), said("assistant", "Hello.")])]);
    let text = fs::read_to_string(&good).unwrap();
    let file = folder.join("half.jsonl");
    fs::write(&file, format!("{text}{{\"messages\": [\n{text}")).unwrap();
    let half = audit(&[file.to_str().unwrap()]);
    assert_eq!(code(&half), 0);
    assert!(out(&half).contains("2 dialogues in 1 file") && out(&half).contains("half.jsonl:2:"), "{}", out(&half));
    fs::write(&file, "shopping: milk\n").unwrap();
    let none = audit(&[file.to_str().unwrap()]);
    assert!(code(&none) == 2 && out(&none).contains("not read: 1"), "{}", out(&none));
    let missing = audit(&[folder.join("gone").to_str().unwrap()]);
    assert!(code(&missing) == 2 && err(&missing).contains("there is no"), "{}", err(&missing));
    fs::remove_file(&file).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder, folder.join("again")).unwrap();
    let folder_read = audit(&[folder.to_str().unwrap()]);
    assert!(code(&folder_read) == 0 && out(&folder_read).contains("1 dialogue in 1 file"), "{}", out(&folder_read));
}

#[test]
fn standard_input_and_threads_change_nothing() {
    let file = root().join("labels/foreign.dev.jsonl");
    let text = fs::read(&file).unwrap();
    let with = |threads: &str| {
        let mut child = binary()
            .args(["audit", "-q", "--json", "-"])
            .env("RAYON_NUM_THREADS", threads)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&text).unwrap();
        parsed(&child.wait_with_output().unwrap())
    };
    let (one, three) = (with("1"), with("3"));
    assert_eq!(one, three);
    let named = parsed(&audit(&[file.to_str().unwrap(), "--json"]));
    assert_eq!(one["summary"]["findings"], named["summary"]["findings"]);
    assert_eq!(one["episodes"].as_array().unwrap().len(), 50);
}

/// The floors that docs/AUDIT.md names: findings that something contradicts stand on an untruth, and nobody who tells
/// none is flagged.
#[test]
fn labelled_logs_of_foreign_desks_are_judged_as_readers_do() {
    const SLACK: u64 = 40;
    let file = root().join("labels/foreign.test.jsonl");
    let audited = parsed(&audit(&[file.to_str().unwrap(), "--json"]));
    let lines = fs::read_to_string(&file).unwrap();
    let labels: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["labels"].take()).collect();
    let (mut right, mut all, mut flagged, mut blameless) = (0, 0, 0, 0);
    for (episode, labels) in audited["episodes"].as_array().unwrap().iter().zip(&labels) {
        let untrue = labels["untrue"].as_array().unwrap();
        let findings = episode["findings"].as_array().unwrap().iter().filter(|one| one["verdict"] == "contradicted");
        let number = |value: &Value| value.as_u64().unwrap();
        let is_right = |one: &&Value| {
            untrue.iter().any(|own| {
                own["message"] == one["message"]
                    && number(&one["end"]) + SLACK > number(&own["start"])
                    && number(&one["start"]) < number(&own["end"]) + SLACK
            })
        };
        let findings: Vec<&Value> = findings.collect();
        right += findings.iter().filter(|one| is_right(one)).count();
        all += findings.len();
        blameless += usize::from(untrue.is_empty());
        flagged += usize::from(untrue.is_empty() && !findings.is_empty());
    }
    assert!(all >= 10 && right * 10 >= all * 8, "{right} of {all}");
    assert!(flagged * 25 <= blameless * 3, "{flagged} of {blameless}");
}

#[test]
fn two_sets_of_logs_are_a_gate() {
    let folder = scratch("audit_gate");
    let good = || {
        vec![
            said("user", "Who has plot A12?"),
            call("1", "find_plot", &json!({"plot": "A12"})),
            result("1", &json!({"plot": "A12", "holder": "Ines Moor"})),
            said("assistant", "Ines Moor has it."),
        ]
    };
    let bad = || vec![said("user", "Who has plot A12?"), said("assistant", "I have let the office know.")];
    let ids: Vec<String> = (0..40).map(|at| format!("d{at}")).collect();
    let set = |name: &str, bad_ones: usize| {
        let all: Vec<(&str, Vec<Value>)> =
            ids.iter().enumerate().map(|(at, id)| (id.as_str(), if at < bad_ones { bad() } else { good() })).collect();
        log(&folder, name, &all)
    };
    set("base.jsonl", 1);
    set("same.jsonl", 1);
    set("new.jsonl", 14);
    let compare = |new: &str, more: &[&str]| probity_in(&folder, &[&["audit", "-q", "base.jsonl", new], more].concat());
    let same = compare("same.jsonl", &[]);
    assert!(code(&same) == 0 && out(&same).starts_with("gate open"), "{}", out(&same));
    let worse = compare("new.jsonl", &["--junit", "out.xml", "--markdown", "out.md"]);
    assert!(code(&worse) == 1 && out(&worse).starts_with("gate closed"), "{}", out(&worse));
    let (junit, markdown) =
        (fs::read_to_string(folder.join("out.xml")).unwrap(), fs::read_to_string(folder.join("out.md")).unwrap());
    assert!(junit.contains("failures=\"1\"") && junit.contains("contradicted: no significant rise"), "{junit}");
    assert!(markdown.contains("gate closed") && markdown.contains("| ungrounded_action | 1 | 14 |"), "{markdown}");
    let document = parsed(&compare("new.jsonl", &["--json"]));
    assert_eq!(document["gate"]["is_open"], false);
    assert_eq!(code(&probity_in(&folder, &["audit", "base.jsonl", "same.jsonl", "new.jsonl"])), 2);
}

#[test]
fn the_page_holds_every_dialogue_and_loads_nothing() {
    let folder = scratch("audit_page");
    let page = folder.join("audit.html");
    assert_eq!(code(&audit(&["--example", "--html", page.to_str().unwrap()])), 0);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("[\"guessed: changes\",\"cancel_rental, extend_rental\"]") && !text.contains("https:"));
    assert!(!folder.join("audit.html.spool").exists());
    let log = log(&folder, "a.jsonl", &[("a", vec![said("user", "Hello"), said("assistant", "Hello.")])]);
    let over = audit(&[log.to_str().unwrap(), "--html", log.to_str().unwrap()]);
    assert!(code(&over) == 2 && err(&over).contains("would be overwritten"), "{}", err(&over));
}

/// What a call of a provider's own tool returned stands in the message itself, and what is said behind it has seen it.
#[test]
fn words_behind_a_result_in_the_same_message_have_seen_it() {
    let folder = scratch("audit_same_message");
    let file = folder.join("log.jsonl");
    let content = json!([
        {"type": "mcp_tool_use", "id": "a", "name": "book_plot", "server_name": "s", "input": {"plot": "A12"}},
        {"type": "mcp_tool_result", "tool_use_id": "a", "is_error": false, "content": [{"type": "text", "text": "{\"booking\": \"BK-7\"}"}]},
        {"type": "text", "text": "I have booked A12; the booking is BK-7."}
    ]);
    let log = json!({"system": "You serve Alder Allotments. Today is 4 May 2026.", "messages": [
        {"role": "user", "content": "Please book A12."}, {"role": "assistant", "content": content}]});
    fs::write(&file, format!("{log}\n")).unwrap();
    let audited = parsed(&audit(&[file.to_str().unwrap(), "--json"]));
    let claims = &audited["summary"]["claims"];
    assert_eq!((&claims["contradicted"], &claims["unsupported"]), (&json!(0), &json!(0)), "{audited}");
}

/// Nobody knows what day it was: what is said of days is not contradicted, and the output says that it is not judged.
#[test]
fn days_are_not_contradicted_without_a_date() {
    let folder = scratch("audit_undated");
    let file = folder.join("log.jsonl");
    let messages = [
        said("user", "When was it sent?"),
        said("assistant", "Your parcel of 2 March was sent 13 days ago, on Wednesday 11 June."),
    ];
    fs::write(&file, format!("{}\n", json!({"messages": messages}))).unwrap();
    let audited = parsed(&audit(&[file.to_str().unwrap(), "--json"]));
    assert_eq!(audited["summary"]["claims"]["contradicted"], 0, "{audited}");
    assert!(audited["episodes"][0]["not_judged"].as_array().unwrap().contains(&json!("date")));
}
