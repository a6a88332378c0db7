//! `probity judge` in every mode of the mock, and calibrated by rules; `cases/sessions/judge*.sh` have the rest.

#[path = "judge/labelled.rs"]
mod labelled;
#[path = "judge/unsupported.rs"]
mod unsupported;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use probity_local::mock::mode::{Expected, MODES};
use serde_json::Value;

use crate::support::mock::{Mock, PATIENCE};
use crate::support::{code, json, probity, run, said, scratch, succeeded, text};

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
    for mode in MODES.iter() {
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
}
