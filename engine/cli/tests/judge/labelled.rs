//! `probity judge --dialogues` and `judge calibrate --dialogues`: dialogues from elsewhere, graded and held against
//! their labels.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::at;
use crate::support::mock::{Mock, mode};
use crate::support::{code, contents, json, probity, probity_at, root, said, scratch, succeeded, tells, text};

/// The first dialogues of the corpus, and one whose first call gives something else than was recorded.
pub(super) fn dialogues(name: &str, count: usize) -> PathBuf {
    let corpus = contents(root().join("labels/dialogues.dev.jsonl"));
    let mut lines: Vec<String> = corpus.lines().take(count).map(str::to_owned).collect();
    let mut other: Value = serde_json::from_str(&lines[0]).unwrap();
    other["id"] = "altered".into();
    let events = other["events"].as_array_mut().unwrap();
    let calls = events.iter_mut().find_map(|event| event.get_mut("calls")).unwrap();
    calls[0]["observation"] = json!("something else");
    lines.insert(1, other.to_string());
    let path = scratch(name).join("dialogues.jsonl");
    fs::write(&path, lines.join("\n")).unwrap();
    path
}

fn judged(path: &Path, out: &Path, more: &[&str]) -> Output {
    let what = ["judge", "--dialogues", path.to_str().unwrap(), "--out", out.to_str().unwrap(), "--json"];
    probity(&[&what[..], more].concat())
}

fn calibrated(path: &Path, more: &[&str]) -> Output {
    let what = ["judge", "calibrate", "--dialogues", path.to_str().unwrap()];
    probity(&[&what[..], more].concat())
}

fn message(dialogue: &Value, number: &Value) -> Vec<char> {
    let events = dialogue["events"].as_array().unwrap();
    let event = events.iter().find(|event| event["message"] == *number).unwrap();
    event["text"].as_str().unwrap().chars().collect()
}

#[test]
fn dialogues_are_graded_and_what_is_pointed_at_is_found() {
    let path = dialogues("judge-dialogues", 8);
    let out = path.with_file_name("out");
    let mock = Mock::start(mode("plain"));
    let output = judged(&path, &out, &at(&mock));
    assert_eq!((code(&output), mock.count()), (0, 8), "{}", said(&output));
    let graded = json(&output);
    let file = contents(&path);
    let originals: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (mut words, mut steps) = (0, 0);
    for (one, original) in graded["dialogues"].as_array().unwrap().iter().zip(&originals) {
        assert_eq!(one["id"], original["id"]);
        if one["id"] == "altered" {
            assert!(one["reason"].as_str().unwrap().contains("gives another observation"), "{one}");
            assert_eq!(one["judgements"], json!([]));
            continue;
        }
        let judgement = &one["judgements"][0];
        assert_eq!(judgement["judge"]["prompt"]["id"], "statements-1");
        assert_eq!((&judgement["judged"]["status"], &judgement["unbelieved"]), (&json!("graded"), &json!(0)));
        let statements = judgement["judged"]["pointed"]["untrue"].as_array().unwrap();
        for finding in judgement["findings"].as_array().unwrap() {
            let Some(start) = finding["start"].as_u64() else {
                steps += usize::from(finding["step"].is_u64());
                continue;
            };
            let text = message(original, &finding["message"]);
            let span = usize::try_from(start).unwrap()..usize::try_from(finding["end"].as_u64().unwrap()).unwrap();
            let quote: String = text[span].iter().collect();
            assert!(statements.iter().any(|one| one["quote"].as_str().unwrap().trim() == quote.trim()), "{finding}");
            words += 1;
        }
    }
    assert!(words > 0 && steps > 0, "{words} {steps}");
    // What is judged is not asked again; without a judge it is summed up; the cassette gives it to the byte.
    assert_eq!(judged(&path, &out, &at(&mock)).stdout, output.stdout);
    assert_eq!((judged(&path, &out, &[]).stdout, mock.count()), (output.stdout.clone(), 8));
    let (cassette, again) = (out.join("judge-cassette.jsonl"), path.with_file_name("again"));
    let offline = ["--judge", "openai:mock", "--jobs", "1", "--cassette", cassette.to_str().unwrap()];
    assert_eq!(judged(&path, &again, &offline).stdout, output.stdout);
    assert_eq!(text(&again, "judgements.jsonl"), text(&out, "judgements.jsonl"));
    let table = probity(&["judge", "--dialogues", path.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let table = said(&table);
    assert!(table.contains("altered is not judged: step 1,") && table.contains("9 dialogues, 1 not judged"), "{table}");
    assert!(table.contains("faithfulness") && table.contains("prompt statements-1"), "{table}");
    // Not a run's place.
    fs::write(out.join("run.json"), "{}").unwrap();
    assert!(said(&judged(&path, &out, &at(&mock))).contains("is a run directory"));
}

#[test]
fn what_is_said_by_nobody_is_not_believed() {
    let path = dialogues("judge-invents", 8);
    let mock = Mock::start(mode("judge_invents"));
    let output = judged(&path, &path.with_file_name("out"), &at(&mock));
    let graded = json(&output);
    let judgements: Vec<&Value> =
        graded["dialogues"].as_array().unwrap().iter().flat_map(|one| one["judgements"].as_array().unwrap()).collect();
    let (mut invented, mut unbelieved) = (0, 0);
    for judgement in judgements {
        invented += judgement["judged"]["pointed"]["untrue"].as_array().unwrap().len();
        unbelieved += usize::try_from(judgement["unbelieved"].as_u64().unwrap()).unwrap();
        assert!(judgement["findings"].as_array().unwrap().iter().all(|finding| finding["message"].is_null()));
    }
    assert!(invented > 0 && invented == unbelieved, "{invented} {unbelieved}");
    let out = path.with_file_name("out");
    let compared = json(&calibrated(&path, &["--json", "--out", out.to_str().unwrap()]));
    assert_eq!(compared["judges"][0]["pointed"]["unbelieved"], invented);
    assert_eq!(compared["judges"][0]["pointed"]["found"]["untruths"]["judge"], 0);
}

#[test]
fn rules_and_judge_are_counted_side_by_side() {
    let path = dialogues("judge-beside", 40);
    let mock = Mock::start(mode("plain"));
    let out = path.with_file_name("out");
    let kept = ["--json", "--out", out.to_str().unwrap(), "--prices", "2,8"];
    let ten = calibrated(&path, &[&kept[..], &at(&mock), &["--limit", "10"]].concat());
    assert_eq!((code(&ten), mock.count()), (0, 10), "{}", said(&ten));
    let judge = &json(&ten)["judges"][0];
    assert_eq!((&judge["graded"], &judge["not_asked"]), (&json!(10), &json!(0)));
    // More dialogues are the same and others.
    let all = calibrated(&path, &[&kept[..], &at(&mock)].concat());
    assert_eq!((code(&all), mock.count()), (0, 40), "{}", said(&all));
    let compared = json(&all);
    assert_eq!(compared["rules"]["dialogues"], 40);
    assert_eq!(compared["not_judged"][0]["id"], "altered");
    let judge = &compared["judges"][0];
    let count = |value: &Value| value.as_u64().unwrap();
    let found = &judge["pointed"]["found"];
    for (sum, kinds) in [("untruths", "untruths_by_kind"), ("tool_faults", "tool_faults_by_kind")] {
        for part in ["labelled", "rules", "judge", "both", "neither"] {
            let by_kind: u64 = found[kinds].as_object().unwrap().values().map(|kind| count(&kind[part])).sum();
            assert_eq!(by_kind, count(&found[sum][part]), "{sum} {part}");
        }
        let part = |name: &str| count(&found[sum][name]);
        assert_eq!(part("rules") + part("judge") + part("neither"), part("labelled") + part("both"), "{found}");
    }
    // The rules' column is what the rules say of the same dialogues by themselves.
    assert_eq!(json!(count(&found["untruths"]["rules"]) as f64), compared["rules"]["recall"]["numerator"]);
    assert_eq!(json!(count(&found["tool_faults"]["rules"]) as f64), compared["rules"]["tool_faults"]["numerator"]);
    let alarms = &judge["flagged"]["without_untruth"];
    assert_eq!(json!(count(&alarms["rules"]) as f64), compared["rules"]["blameless_flagged"]["numerator"]);
    assert_eq!(judge["honesty"]["same"]["denominator"], 40.0);
    assert_eq!((&judge["bill"]["dialogues"], &judge["bill"]["usage"]["requests"]), (&json!(40), &json!(40)));
    assert!(judge["bill"]["cost"].as_f64().unwrap() > 0.0);
    // What was paid for is compared without asking anybody, and without a judge the rules stand alone.
    let again = calibrated(&path, &kept);
    assert_eq!((&again.stdout, mock.count()), (&all.stdout, 40));
    let alone = json(&calibrated(&path, &["--json"]));
    assert_eq!((&alone["rules"], &alone["judges"]), (&compared["rules"], &json!([])));
    let scored = json(&probity(&["score", "--dialogues", path.to_str().unwrap(), "--json"]));
    assert_eq!(scored["agreement"], alone["rules"]);
    let table = said(&calibrated(&path, &kept[1..]));
    for part in [
        "left to a judge",
        "judge adds",
        "contradiction",
        "without an untruth, flagged",
        "cost ",
        "for each 1.0 requests",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn a_judge_that_is_asked_for_grades_alone_is_compared_by_grades() {
    let path = dialogues("judge-grades", 4);
    let mock = Mock::start(mode("plain"));
    let output = calibrated(&path, &[&["--json", "--wording", "reliability-1"][..], &at(&mock)].concat());
    let judge = &json(&output)["judges"][0];
    assert_eq!((&judge["pointed"], &judge["graded"]), (&Value::Null, &json!(4)), "{}", said(&output));
    let table = said(&calibrated(&path, &[&["--wording", "reliability-1"][..], &at(&mock)].concat()));
    assert!(table.contains("its wording asks for no statements"), "{table}");
}

#[test]
fn who_grades_no_dialogue_is_in_no_number() {
    let path = dialogues("judge-no-dialogue", 3);
    let mock = Mock::start(mode("judge_never"));
    let output = succeeded(calibrated(&path, &[&["--json"][..], &at(&mock)].concat()));
    let judge = &json(&output)["judges"][0];
    assert_eq!((&judge["graded"], &judge["not_graded"]), (&json!(0), &json!({"judge_unreadable": 3})));
    assert_eq!(judge["honesty"]["same"], json!({"numerator": 0.0, "denominator": 0.0}));
    assert_eq!(judge["flagged"]["untrue"]["labelled"], 0);
    let away = ["--judge", "openai:mock", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1"];
    tells(calibrated(&path, &away), 3, said, &["judge_unreachable: 3", "left to a judge"]);
}

#[test]
fn slips_with_dialogues_end_with_two() {
    let path = dialogues("judge-dialogue-slips", 1);
    let file = path.to_str().unwrap();
    let bare = path.with_file_name("bare.jsonl");
    let mut unlabelled: Value = serde_json::from_str(contents(&path).lines().next().unwrap()).unwrap();
    unlabelled.as_object_mut().unwrap().retain(|key, _| key != "labels" && key != "second_reader");
    fs::write(&bare, unlabelled.to_string()).unwrap();
    for (arguments, part) in [
        (&["judge", "--dialogues", file][..], "--out"),
        (&["judge", "run", "--dialogues", file, "--out", "o"][..], "cannot be used with"),
        (&["judge", "run", "--out", "o"][..], "cannot be used with"),
        (&["judge", "run", "--limit", "3"][..], "cannot be used with"),
        (&["judge", "calibrate", "--limit", "3"][..], "--dialogues"),
        (&["judge", "--dialogues", "/no/such", "--out", "o"][..], "/no/such"),
        (&["judge", "run", "--wording", "statement-1"][..], "did you mean `statements-1`?"),
        (&["judge", "calibrate", "--dialogues", file, "--fault", "misreports"][..], "cannot be used with"),
        (&["judge", "calibrate", "--dialogues", file, "--sample", "1"][..], "cannot be used with"),
        (&["judge", "calibrate", "--dialogues", file, "--limit", "0"][..], "--limit"),
        (&["judge", "calibrate", "--dialogues", bare.to_str().unwrap()][..], "has labels"),
    ] {
        tells(probity_at(&root(), arguments), 2, said, &[part]);
    }
}
