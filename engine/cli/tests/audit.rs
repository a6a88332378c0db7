//! `probity audit`: logs from anywhere, held against their own ledger of calls.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{audit, cases, code, contents, err, files, json as parsed, out, path, root, scratch, snapshots};

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

/// Forms without a mark of a refusal: one that does not word itself as one is taken for an answer there.
const MARKLESS: [&str; 5] = ["atif", "chat", "codex", "responses", "sharegpt"];
/// What is not found there: the one refusal that is worded as none.
const UNMARKED: (&str, &str) = ("room_taken", "tool_refused");

/// A finding without where its message stands, which is each form's own.
fn plain(finding: &Value) -> String {
    let text = finding["text"].as_str().unwrap();
    let mut words = Vec::new();
    let mut is_number = false;
    for word in text.split(' ') {
        words.push(if is_number { "N" } else { word });
        is_number = word == "message";
    }
    let [code, verdict, step, start, end] = ["code", "verdict", "step", "start", "end"].map(|key| &finding[key]);
    format!("{code} {verdict} step {step} {start}..{end} {}", words.join(" "))
}

/// The findings of the ten dialogues in a form. Sessions of Claude Code hold neither brief nor tools, rollouts of Codex no
/// tools: these are given beside them, a dialogue at a time.
fn of_form(form: &str) -> BTreeMap<String, Vec<String>> {
    let audited = |file: &Path, more: &[&str]| {
        let audited = parsed(&audit(&[&[path(file), "--json"], more].concat()));
        assert_eq!(audited["summary"]["unread"]["count"], 0, "{form}: {:#}", audited["summary"]["unread"]);
        assert_eq!(audited["summary"]["files"][0]["found"]["form"], form);
        let of = |episode: &Value| {
            let found = episode["findings"].as_array().unwrap().iter().map(plain).collect::<Vec<String>>();
            (episode["id"].as_str().unwrap().trim_end_matches("/1").to_owned(), found)
        };
        audited["episodes"].as_array().unwrap().iter().map(of).collect::<BTreeMap<_, _>>()
    };
    let (ten, folder) = (cases("audit/ten"), scratch(&format!("audit_{form}")));
    let whole = ten.join(format!("{form}.jsonl"));
    if whole.exists() {
        return audited(&whole, &[]);
    }
    let (tools, brief) = (folder.join("tools.json"), folder.join("brief.md"));
    let mut more = vec!["--tools", path(&tools)];
    if form == "claude-code" {
        more.extend(["--brief", path(&brief)]);
    }
    let mut all = BTreeMap::new();
    for dialogue in contents(ten.join("probity.jsonl")).lines() {
        let dialogue: Value = serde_json::from_str(dialogue).unwrap();
        fs::write(&tools, dialogue["tools"].to_string()).unwrap();
        fs::write(&brief, dialogue["brief"].as_str().unwrap()).unwrap();
        all.extend(audited(&ten.join(form).join(format!("{}.jsonl", dialogue["id"].as_str().unwrap())), &more));
    }
    all
}

#[test]
fn ten_dialogues_give_the_same_findings_in_every_form() {
    let wanted = of_form("anthropic");
    let codes: Vec<String> = wanted
        .iter()
        .map(|(id, found)| {
            let codes: Vec<&str> = found.iter().map(|one| one.split('"').nth(1).unwrap()).collect();
            format!("{id}: {}", codes.join(" "))
        })
        .collect();
    let expected = [
        "ferry_deed: ungrounded_action ungrounded_action",
        "ferry_rule: misquoted_rule",
        "garage_batch: same_batch",
        "garage_final: no_consent",
        "loan_refused: claimed_after_error tool_refused",
        "press_price: wrong_value",
        "press_time: wrong_value",
        "room_taken: tool_refused",
        "tour_count: wrong_value wrong_value",
        "tour_twice: ungrounded_argument repeated_write ungrounded_argument",
    ];
    assert_eq!(codes, expected, "{wanted:#?}");
    let forms = files(&cases("audit/ten"));
    assert_eq!(forms.len(), 13);
    for form in forms.iter().map(|file| file.file_stem().unwrap().to_str().unwrap()) {
        let mut found = of_form(form);
        if MARKLESS.contains(&form) {
            let (id, code) = UNMARKED;
            assert!(!found[id].iter().any(|one| one.contains(code)), "{form} marks a refusal");
            let unmarked = wanted[id].iter().filter(|one| one.contains(code)).cloned();
            found.get_mut(id).unwrap().extend(unmarked);
        }
        assert_eq!(found, wanted, "{form}");
    }
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
