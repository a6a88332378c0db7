//! `probity judge --dialogues` and `judge calibrate --dialogues`: dialogues from elsewhere, graded and held against
//! their labels.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::at;
use crate::support::mock::{Mock, mode};
use crate::support::{code, contents, json, probity, root, said, scratch};

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

fn calibrated(path: &Path, more: &[&str]) -> Output {
    let what = ["judge", "calibrate", "--dialogues", path.to_str().unwrap()];
    probity(&[&what[..], more].concat())
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
