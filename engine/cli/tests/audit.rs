//! `probity audit`: logs from anywhere, held against their own ledger of calls.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{audit, binary, cases, code, contents, err, json as parsed, out, root, scratch, snapshots};

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

/// Each of these may be lost; the two beside it may not.
#[test]
fn a_hostile_dialogue_costs_itself_only() {
    let folder = scratch("audit_hostile");
    let good = contents(cases("sessions/audit_edges/plain.jsonl")).trim().replace("\"plain\"", "\"good\"");
    let mut long: Value = serde_json::from_str(&good).unwrap();
    long["messages"][3]["content"] = json!({"plot": "9".repeat(3 << 20)}).to_string().into();
    long["messages"][4]["content"] = "It costs 48.50 euros. ".repeat(20_000).into();
    let nested = format!("{}1{}", "{\"a\":[".repeat(50_000), "]}".repeat(50_000));
    let deep = good.replace("\"content\": \"Ines Moor has it.\"", &format!("\"content\":{nested}"));
    let calls: Vec<Value> = (0..6_000)
        .map(|_| json!({"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "cancel_plot", "arguments": "{}"}}]}))
        .collect();
    let hostile = [
        ("deep", deep),
        ("cut off", good[..good.len() / 2].to_owned()),
        ("half of a character", good.replace("Ines Moor has it.", "Ines \\ud800 has it.")),
        ("the same id", good.clone()),
        ("calls of one id", json!({"id": "calls", "messages": calls}).to_string()),
        ("no messages", json!({"id": "none", "messages": {"role": "user"}}).to_string()),
        ("many names", json!({"id": "names", "messages": [{"role": "assistant", "tool_calls": (0..5_000)
            .map(|at| json!({"id": at, "function": {"name": format!("t{at}"), "arguments": "{}"}})).collect::<Vec<_>>()}]}).to_string()),
        ("long", long.to_string()),
    ];
    for (what, line) in hostile {
        let file = folder.join("a.jsonl");
        fs::write(&file, format!("{good}\n{line}\n{good}\n")).unwrap();
        let begun = std::time::Instant::now();
        let output = audit(&[file.to_str().unwrap(), "--json"]);
        assert_eq!(code(&output), 0, "{what}: {}", err(&output));
        let audited = parsed(&output);
        let ids: Vec<&str> =
            audited["episodes"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert!(ids.iter().filter(|id| **id == "good").count() >= 2, "{what}: {ids:?}");
        let unread = audited["summary"]["unread"]["count"].as_u64().unwrap();
        assert!(ids.len() + usize::try_from(unread).unwrap() >= 3, "{what}: {ids:?}, {unread} unread");
        assert!(begun.elapsed().as_secs() < 60, "{what} takes {:?}", begun.elapsed());
    }
}
