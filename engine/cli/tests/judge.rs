//! `probity judge` end to end against the mock: grades, refusals to grade, going on, labels, agreement, calibration.

#[path = "judge/edges.rs"]
mod edges;
#[path = "judge/labelled.rs"]
mod labelled;
#[path = "judge/run.rs"]
mod run_judge;
#[path = "judge/unsupported.rs"]
mod unsupported;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use probity_local::mock::mode::{Expected, MODES};
use serde_json::Value;

use crate::support::mock::{Mock, PATIENCE, mode};
use crate::support::{code, copy, json, probity, records, run, said, scratch, succeeded, text};

/// A run of two agents on two task instances: four episodes.
fn judged_run(name: &str) -> PathBuf {
    let directory = scratch(name).join("run");
    let agents = ["--agent", "oracle", "--agent", "fault:unknown_tool@mild", "--variant", "ideal", "--limit", "2"];
    assert_eq!(code(&run(&directory, &agents)), 0);
    directory
}

fn judge(directory: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["judge", directory.to_str().unwrap(), "--json"];
    arguments.extend(more);
    probity(&arguments)
}

/// The flags by which a mock judges.
fn at(mock: &Mock) -> Vec<&str> {
    [&["--judge", "openai:mock", "--base-url", &mock.url][..], &PATIENCE[..]].concat()
}

fn asked(mock: &Mock, directory: &Path, more: &[&str]) -> Output {
    judge(directory, &[&at(mock), more].concat())
}

fn judgements(directory: &Path) -> Vec<Value> {
    text(directory, "judgements.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_mode_gives_grades_or_the_reason_why_there_are_none() {
    let directory = judged_run("judge-modes");
    for mode in &MODES {
        let _ = fs::remove_file(directory.join("judgements.jsonl"));
        let mock = Mock::start(mode);
        let output = asked(&mock, &directory, &["--jobs", "4"]);
        let is_unreachable = mode.judge == Expected::Unreachable;
        assert_eq!(code(&output), if is_unreachable { 3 } else { 0 }, "{}: {}", mode.name, said(&output));
        let judgements = judgements(&directory);
        assert_eq!(judgements.len(), 4, "{}", mode.name);
        let reason = match (mode.judge, mode.name) {
            (Expected::Works | Expected::Stumbles, _) => None,
            (Expected::Unreachable, _) => Some("judge_unreachable"),
            (Expected::Fails, "context_overflow") => Some("judge_overflow"),
            (Expected::Fails, _) => Some("judge_unreadable"),
        };
        for judgement in &judgements {
            let judged = &judgement["judged"];
            assert_eq!(judged["reason"].as_str(), reason, "{}: {judgement}", mode.name);
            assert_eq!(judged["status"] == "graded", reason.is_none(), "{}: {judgement}", mode.name);
            if mode.judge == Expected::Stumbles {
                assert_eq!(judgement["usage"]["requests"], 2, "{}", mode.name);
            }
            if mode.name == "judge_never" {
                assert_eq!(judgement["usage"]["requests"], 3);
                assert!(judged["reply"].as_str().unwrap().starts_with("The agent did well"));
            }
        }
        // What is not graded is in no mean: neither as zero nor in the denominator.
        let oracle = &json(&output)["judges"][0]["agents"]["oracle"]["discipline"];
        let expected = match reason {
            None => serde_json::json!({"mean": 1.0, "numerator": 6, "denominator": 6, "graded": 2}),
            Some(reason) => serde_json::json!({
                "mean": null, "numerator": 0, "denominator": 0, "graded": 0, "not_scored": {reason: 2}
            }),
        };
        assert_eq!(*oracle, expected, "{}", mode.name);
    }
}

#[test]
fn judgements_say_who_judged_what_and_how() {
    let directory = judged_run("judge-line");
    let mock = Mock::start(mode("plain"));
    succeeded(asked(&mock, &directory, &["--temperature", "0.5", "--extra-body", r#"{"seed": 3}"#]));
    let episodes = records(&directory);
    for (judgement, episode) in judgements(&directory).iter().zip(&episodes) {
        assert_eq!(judgement["judge"]["id"], "openai:mock");
        assert_eq!(judgement["judge"]["prompt"]["id"], "reliability-1");
        assert!(judgement["judge"]["prompt"]["hash"].as_str().unwrap().starts_with("sha256:"));
        let sampling = serde_json::json!({"temperature": 0.5, "max_tokens": 1024, "extra_body": {"seed": 3}});
        assert_eq!(judgement["judge"]["sampling"], sampling);
        assert_eq!(judgement["episode"]["digest"], episode["digest"]);
        assert_eq!(judgement["episode"]["agent"], episode["agent"]);
        let grades = &judgement["judged"]["grades"];
        let refused = if episode["agent"] == "oracle" { 0 } else { 1 };
        assert_eq!(grades["discipline"]["grade"], 3 - refused, "{judgement}");
        assert!(grades["faithfulness"]["reason"].as_str().unwrap().contains("mock"));
    }
    // Another way of asking is another judge: what is there does not count for it.
    let output = asked(&mock, &directory, &[]);
    assert_eq!(json(&output)["judges"].as_array().unwrap().len(), 2);
    assert_eq!(judgements(&directory).len(), 8);
}

#[test]
fn a_judge_is_not_told_who_played() {
    let directory = scratch("judge-blind").join("run");
    let agents = ["--agent", "oracle", "--as", "good", "--agent", "oracle", "--as", "bad"];
    assert_eq!(code(&run(&directory, &[&agents[..], &["--variant", "ideal", "--limit", "1"]].concat())), 0);
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&asked(&mock, &directory, &[])), 0);
    let cassette = text(&directory, "judge-cassette.jsonl");
    let entries: Vec<Value> = cassette.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), 2);
    assert_ne!(entries[0]["unit"], entries[1]["unit"]);
    assert_eq!(entries[0]["request"], entries[1]["request"]);
}

#[test]
fn results_depend_neither_on_jobs_nor_on_the_network() {
    let first = judged_run("judge-jobs");
    let (second, third) = (first.with_file_name("second"), first.with_file_name("third"));
    copy(&first, &second);
    copy(&first, &third);
    let mock = Mock::start(mode("plain"));
    let two = ["--judge", "openai:other", "--repeats", "2"];
    let live = succeeded(asked(&mock, &first, &[&two[..], &["--jobs", "4"]].concat()));
    let slow = asked(&mock, &second, &[&two[..], &["--jobs", "1"]].concat());
    drop(mock);
    let cassette = first.join("judge-cassette.jsonl");
    let played = ["--judge", "openai:mock", "--cassette", cassette.to_str().unwrap()];
    let offline = succeeded(judge(&third, &[&played[..], &two[..]].concat()));
    assert_eq!(judgements(&first).len(), 16);
    for (other, output) in [(&second, &slow), (&third, &offline)] {
        assert_eq!(text(other, "judgements.jsonl"), text(&first, "judgements.jsonl"));
        assert_eq!(output.stdout, live.stdout);
    }
    // Without a judge what is there is summed up, and nobody is asked.
    assert_eq!(judge(&first, &[]).stdout, live.stdout);
    let table = probity(&["judge", first.to_str().unwrap()]);
    assert!(said(&table).contains("faithfulness") && said(&table).contains("openai:mock / openai:other"));
    // A report has them in a block of their own, and its files stay what the rules say.
    let before = (text(&first, "report.json"), text(&first, "report.html"));
    let report = probity(&["report", first.to_str().unwrap()]);
    assert!(report.stdout.ends_with(&[b"\n", &table.stdout[..]].concat()), "{}", said(&report));
    assert_eq!((text(&first, "report.json"), text(&first, "report.html")), before);
}

#[test]
fn what_is_judged_is_not_asked_again() {
    let directory = judged_run("judge-resume");
    let mock = Mock::start(mode("plain"));
    let whole_output = asked(&mock, &directory, &["--repeats", "2"]);
    assert_eq!((code(&whole_output), mock.count()), (0, 8));
    let whole = text(&directory, "judgements.jsonl");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // As after a kill: three judgements and half of the next.
    fs::write(directory.join("judgements.jsonl"), format!("{}{}", lines[..3].concat(), &lines[3][..40])).unwrap();
    let resumed = asked(&mock, &directory, &["--repeats", "2"]);
    assert_eq!((code(&resumed), mock.count()), (0, 13), "{}", said(&resumed));
    assert_eq!(text(&directory, "judgements.jsonl"), whole);
    assert_eq!(resumed.stdout, whole_output.stdout);
    assert_eq!((code(&asked(&mock, &directory, &["--repeats", "1"])), mock.count()), (0, 13));
    // A line that cannot be read may have been paid for.
    fs::write(directory.join("judgements.jsonl"), format!("{}{{}}\n{}", lines[0], lines[1])).unwrap();
    let refused = asked(&mock, &directory, &[]);
    assert_eq!((code(&refused), mock.count()), (2, 13));
    assert!(said(&refused).contains("line 2 cannot be read: missing field `format`"), "{}", said(&refused));
    // Nor does a grade come in that no judge may give.
    let (before, after) = lines[0].split_once("\"grade\":").unwrap();
    fs::write(directory.join("judgements.jsonl"), format!("{before}\"grade\":9{}", &after[1..])).unwrap();
    assert!(said(&judge(&directory, &[])).contains("is 9, not from 0 to "), "{}", lines[0]);
}

#[test]
fn who_was_away_is_asked_again() {
    let directory = judged_run("judge-away");
    let away = judge(&directory, &["--judge", "openai:mock", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1"]);
    assert_eq!(code(&away), 3, "{}", said(&away));
    assert_eq!(json(&away)["judges"][0]["agents"]["oracle"]["faithfulness"]["not_scored"]["judge_unreachable"], 2);
    let mock = Mock::start(mode("plain"));
    let back = asked(&mock, &directory, &[]);
    assert_eq!((code(&back), mock.count()), (0, 4));
    assert!(judgements(&directory).iter().all(|judgement| judgement["judged"]["status"] == "graded"));
}

#[test]
fn judgements_are_of_what_was_read() {
    let directory = judged_run("judge-stale");
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&asked(&mock, &directory, &[])), 0);
    // An episode that reads otherwise now is another episode, whatever its record says.
    let episodes = text(&directory, "episodes.jsonl");
    let changed = episodes.replacen("\"type\":\"reply\",\"message\":", "\"type\":\"reply\",\"message\":1", 1);
    assert_ne!(episodes, changed);
    fs::write(directory.join("episodes.jsonl"), changed).unwrap();
    let output = asked(&mock, &directory, &[]);
    assert_eq!((code(&output), mock.count()), (0, 5));
    assert!(said(&output).contains("1 judgement of episodes that this run does not hold"), "{}", said(&output));
    assert_eq!(judgements(&directory).len(), 5);
}

fn label(directory: &Path, at: usize, grades: &str) -> String {
    let line = text(directory, "episodes.jsonl").lines().nth(at).unwrap().to_owned();
    let record: Value = serde_json::from_str(&line).unwrap();
    let (agent, header) = (&record["agent"], &record["trace"]["header"]);
    let (task, variant) = (&header["task"], &header["levels"]["variant"]);
    format!(
        r#"{{"format": 1, "judge": "human:ann", "agent": {agent}, "task": {task}, "variant": {variant}, {grades}}}"#
    )
}

#[test]
fn people_are_judges_too() {
    let directory = judged_run("judge-labels");
    let mock = Mock::start(mode("plain"));
    let labels = directory.with_file_name("labels.jsonl");
    // The mock grades discipline 2 2 3 3 (the fault comes first): ann agrees but for the last.
    let grades = [2, 2, 3, 2].map(|grade| format!("\"discipline\": {grade}"));
    let lines: Vec<String> = grades.iter().enumerate().map(|(at, grade)| label(&directory, at, grade)).collect();
    fs::write(&labels, lines.join("\n")).unwrap();
    let output = succeeded(asked(&mock, &directory, &["--labels", labels.to_str().unwrap()]));
    let summary = json(&output);
    let ann = &summary["judges"][0];
    assert_eq!(ann["judge"], serde_json::json!({"id": "human:ann"}));
    assert_eq!(ann["agents"]["oracle"]["discipline"]["numerator"], 5);
    assert_eq!(ann["agents"]["oracle"]["faithfulness"]["not_scored"], serde_json::json!({"unlabelled": 2}));
    let agreement = |scale: &str| {
        let all = summary["agreement"].as_array().unwrap();
        all.iter().find(|entry| entry["scale"] == scale).unwrap().clone()
    };
    let discipline = agreement("discipline");
    assert_eq!(discipline["raters"], serde_json::json!(["human:ann", "openai:mock"]));
    assert_eq!((&discipline["episodes"], &discipline["equal"]["numerator"]), (&Value::from(4), &Value::from(3.0)));
    // One of four differs; by chance 3/4 * 1/2 + 1/4 * 1/2 = 1/2 of them do.
    assert_eq!(discipline["kappa"]["value"], 0.5);
    assert_eq!(discipline["weighted_kappa"]["value"], 0.5);
    assert!((discipline["alpha"]["value"].as_f64().unwrap() - (1.0 - 7.0 * 2.0 / 30.0)).abs() < 1e-12);
    let faithfulness = agreement("faithfulness");
    assert_eq!(faithfulness["episodes"], 0);
    assert_eq!(faithfulness["kappa"]["undefined"], "no episode has two grades");
    // Labels alone need no network.
    assert_eq!(code(&judge(&directory, &["--labels", labels.to_str().unwrap()])), 0);
}

#[test]
fn labels_are_read_strictly() {
    let directory = judged_run("judge-strict");
    let labels = directory.with_file_name("labels.jsonl");
    let good = label(&directory, 0, "\"discipline\": 3");
    let lines = [good.clone(), good.replace("\"discipline\": 3", "\"discipline\": 4, \"mood\": 1"), good.clone()];
    fs::write(&labels, lines.join("\n")).unwrap();
    let output = probity(&["judge", directory.to_str().unwrap(), "--labels", labels.to_str().unwrap()]);
    let said = said(&output);
    assert_eq!(code(&output), 2, "{said}");
    for part in ["labels.jsonl:2:", "unknown key `mood`", "labels.jsonl:3:1: error[duplicate_label]", "help: "] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_judge_without_variance_agrees_with_itself_by_nothing() {
    let directory = judged_run("judge-repeats");
    let mock = Mock::start(mode("plain"));
    let output = asked(&mock, &directory, &["--repeats", "3"]);
    let summary = json(&output);
    assert_eq!(summary["judges"][0]["repeats"], 3);
    let discipline = summary["agreement"].as_array().unwrap().iter().find(|entry| entry["scale"] == "discipline");
    let discipline = discipline.unwrap();
    assert_eq!(discipline["raters"], serde_json::json!(["openai:mock #1", "openai:mock #2", "openai:mock #3"]));
    assert_eq!(discipline["equal"], serde_json::json!({"numerator": 12.0, "denominator": 12.0}));
    assert_eq!(discipline["alpha"]["value"], 1.0);
    assert_eq!(discipline["kappa"]["undefined"], "kappa compares two raters");
    // The oracle's discipline alone is always the same: that is no agreement beyond chance.
    let alone = scratch("judge-repeats-alone").join("run");
    assert_eq!(code(&run(&alone, &["--agent", "oracle", "--variant", "ideal", "--limit", "2"])), 0);
    let summary = json(&asked(&mock, &alone, &["--repeats", "2"]));
    let discipline = summary["agreement"].as_array().unwrap().iter().find(|entry| entry["scale"] == "discipline");
    for coefficient in ["kappa", "weighted_kappa", "alpha"] {
        assert_eq!(discipline.unwrap()[coefficient], serde_json::json!({"undefined": "all grades are the same"}));
    }
}

fn rater<'a>(calibration: &'a Value, name: &str) -> &'a Value {
    let raters = calibration["raters"].as_array().unwrap();
    raters.iter().find(|rater| rater["rater"] == name).unwrap()
}

#[test]
fn rules_are_calibrated_without_a_network() {
    let output = succeeded(probity(&["judge", "calibrate", "--sample", "3", "--seed", "7", "--json"]));
    let calibration = json(&output);
    let rules = rater(&calibration, "rules");
    let faults = rules["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 25);
    for fault in faults {
        for (mark, rates) in fault["marks"].as_object().unwrap() {
            let (sensitivity, specificity) = (&rates["sensitivity"], &rates["specificity"]);
            let counted = sensitivity["denominator"].as_u64().unwrap() + sensitivity["not_scored"].as_u64().unwrap();
            assert_eq!(counted, 3, "{} {mark}", fault["fault"]);
            let is_words = ["misreports", "wrong_date"].contains(&fault["fault"].as_str().unwrap_or_default());
            if rates["is_expected"] == true && sensitivity["denominator"] != 0 && !is_words {
                assert!(sensitivity["numerator"].as_u64().unwrap() > 0, "{} {mark}: {rates}", fault["fault"]);
            }
            assert_eq!(specificity["numerator"], specificity["denominator"], "{} {mark}", fault["fault"]);
        }
    }
    let again = probity(&["judge", "calibrate", "--sample", "3", "--seed", "7", "--json", "--jobs", "1"]);
    assert_eq!(again.stdout, output.stdout);
    let text = probity(&["judge", "calibrate", "--sample", "1", "--fault", "misreports@mild"]);
    assert!(said(&text).contains("misreports@mild") && said(&text).contains("oracle, not flagged"), "{}", said(&text));
}

#[test]
fn judges_are_calibrated_by_the_same_faults() {
    let folder = scratch("judge-calibrate");
    let mock = Mock::start(mode("plain"));
    let out = folder.join("kept");
    let what = ["judge", "calibrate", "--json", "--sample", "4", "--fault", "unknown_tool", "--fault", "misreports"];
    let at = ["--judge", "openai:mock", "--out", out.to_str().unwrap(), "--base-url", &mock.url];
    let output = succeeded(probity(&[&what[..], &at[..]].concat()));
    let calibration = json(&output);
    let judge = rater(&calibration, "openai:mock");
    // The mock's discipline falls with refused calls, so it sees the one fault always and the other never.
    let share = |at: usize, mark: &str, part: &str| judge["faults"][at]["marks"][mark][part].clone();
    assert_eq!(judge["faults"][0]["fault"], "unknown_tool");
    assert_eq!(share(0, "discipline", "is_expected"), true);
    assert_eq!(share(0, "discipline", "sensitivity")["value"], 1.0);
    assert_eq!(share(0, "discipline", "specificity")["value"], 1.0);
    assert_eq!(share(1, "discipline", "is_expected"), false);
    assert_eq!(share(1, "discipline", "sensitivity")["value"], 0.0);
    assert_eq!(share(1, "faithfulness", "is_expected"), true);
    let interval = share(0, "discipline", "sensitivity")["interval"].clone();
    assert!((interval[0].as_f64().unwrap() - 0.5101).abs() < 1e-4 && interval[1] == 1.0, "{interval}");
    // What is kept is not asked for again.
    let before = mock.count();
    let again = probity(&[&what[..], &at[..]].concat());
    assert_eq!((mock.count(), &again.stdout), (before, &output.stdout));
    drop(mock);
    let cassette = out.join("judge-cassette.jsonl");
    let offline = ["--judge", "openai:mock", "--cassette", cassette.to_str().unwrap()];
    assert_eq!(probity(&[&what[..], &offline[..]].concat()).stdout, output.stdout);
    let away = ["--judge", "openai:mock", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1"];
    let away = probity(&[&what[..], &away[..]].concat());
    assert_eq!(code(&away), 3);
    assert_eq!(rater(&json(&away), "openai:mock")["oracle"]["any"]["value"], Value::Null);
}
