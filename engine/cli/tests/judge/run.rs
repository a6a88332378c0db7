//! `probity run --judge`: episodes graded as they end, in columns of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::judgements;
use crate::support::mock::{Mock, PATIENCE, mode};
use crate::support::{code, probity, run, said, scratch, tells, text};

const PLAYED: [&str; 8] =
    ["--agent", "oracle", "--agent", "fault:unknown_tool@mild", "--variant", "ideal", "--limit", "2"];

fn report(directory: &Path) -> Value {
    serde_json::from_str(&text(directory, "report.json")).unwrap()
}

fn graded(name: &str, more: &[&str]) -> (PathBuf, Output) {
    let directory = scratch(name).join("run");
    let output = run(&directory, &[&PLAYED[..], &["--judge", "openai:mock"], &PATIENCE[..], more].concat());
    (directory, output)
}

/// The report without what the judge says.
fn of_rules(directory: &Path) -> Value {
    let mut report = report(directory);
    report.as_object_mut().unwrap().remove("judged");
    report
}

#[test]
fn episodes_are_graded_as_they_end() {
    let mock = Mock::start(mode("plain"));
    let at = ["--judge-base-url", &mock.url, "--judge-prices", "2,8"];
    let (first, output) = graded("run-judge", &at);
    let told = said(&output);
    assert_eq!((code(&output), mock.count()), (0, 4), "{told}");
    for part in ["(judge)", "(rules)", "judge openai:mock, prompt reliability-1", "asked: 4 requests", "; cost "] {
        assert!(told.contains(part), "{part}: {told}");
    }
    // In the report the judge has a block of its own, and the rules' numbers are what they are without it.
    let plain = first.with_file_name("plain");
    assert_eq!(code(&run(&plain, &PLAYED)), 0);
    assert_eq!(of_rules(&first), report(&plain));
    let judged = report(&first)["judged"].clone();
    assert_eq!(judged["scales"], json!(["faithfulness", "clarification", "discipline"]));
    let oracle = json!({"mean": 1.0, "numerator": 6, "denominator": 6, "graded": 2});
    assert_eq!(judged["agents"]["oracle"]["discipline"], oracle);
    assert_eq!(judged["agents"]["fault:unknown_tool@mild"]["discipline"]["numerator"], 4);
    assert!(text(&first, "report.html").contains("\"judged\":{"));
    // The file is the one that `probity judge` writes: nothing is asked again, and a report is the same.
    let judge = ["judge", first.to_str().unwrap(), "--judge", "openai:mock", "--base-url", &mock.url];
    let before = text(&first, "judgements.jsonl");
    let summed = probity(&judge);
    assert_eq!((code(&summed), mock.count()), (0, 4), "{}", said(&summed));
    assert_eq!(text(&first, "judgements.jsonl"), before);
    let files = (text(&first, "report.json"), text(&first, "report.html"));
    let again = probity(&["report", first.to_str().unwrap()]);
    assert!(said(&again).contains("(judge)"), "{}", said(&again));
    assert_eq!((text(&first, "report.json"), text(&first, "report.html")), files);
    assert_eq!(code(&probity(&["replay", first.to_str().unwrap()])), 0);
    // Its cassette gives all of it again.
    drop(mock);
    let cassette = first.join("judge-cassette.jsonl");
    let offline = ["--judge-cassette", cassette.to_str().unwrap(), "--jobs", "1", "--judge-prices", "2,8"];
    let (second, output) = graded("run-judge-offline", &offline);
    assert_eq!(code(&output), 0, "{}", said(&output));
    assert_eq!(text(&second, "judgements.jsonl"), before);
    assert_eq!(report(&second), report(&first));
}

#[test]
fn a_run_goes_on_with_its_judge() {
    let mock = Mock::start(mode("plain"));
    let (directory, output) = graded("run-judge-resume", &["--base-url", &mock.url, "--judge-wording", "statements-1"]);
    assert_eq!((code(&output), mock.count()), (0, 4), "{}", said(&output));
    let (whole, numbers) = (text(&directory, "judgements.jsonl"), report(&directory));
    assert!(judgements(&directory).iter().all(|judgement| judgement["judged"]["pointed"].is_object()));
    // As after a kill: one episode and two judgements are lost.
    for (name, kept) in [("episodes.jsonl", 3), ("judgements.jsonl", 2)] {
        let lines = text(&directory, name);
        fs::write(directory.join(name), lines.split_inclusive('\n').take(kept).collect::<String>()).unwrap();
    }
    let resumed = probity(&["run", "--resume", directory.to_str().unwrap()]);
    assert_eq!((code(&resumed), mock.count()), (0, 6), "{}", said(&resumed));
    assert_eq!((text(&directory, "judgements.jsonl"), report(&directory)), (whole, numbers));
    // A line that may have been paid for is not written over.
    fs::write(directory.join("judgements.jsonl"), "{}\n").unwrap();
    tells(probity(&["run", "--resume", directory.to_str().unwrap()]), 2, said, &["line 1 cannot be read"]);
}

#[test]
fn a_judge_that_fails_keeps_no_score_back() {
    let plain = scratch("run-judge-none").join("run");
    assert_eq!(code(&run(&plain, &PLAYED)), 0);
    let (away, output) = graded("run-judge-away", &["--judge-base-url", "http://127.0.0.1:9/v1"]);
    let told = said(&output);
    assert_eq!(code(&output), 3, "{told}");
    assert!(told.contains("openai:mock could not be reached for 4 of 4 judgements"), "{told}");
    assert!(
        told.contains("help: look at the provider's URL") && told.contains("` asks again for what is missing"),
        "{told}"
    );
    assert_eq!(of_rules(&away), report(&plain));
    let faithfulness = report(&away)["judged"]["agents"]["oracle"]["faithfulness"].clone();
    assert_eq!((&faithfulness["mean"], &faithfulness["not_graded"]["judge_unreachable"]), (&Value::Null, &json!(2)));
    let mock = Mock::start(mode("judge_never"));
    let (never, output) = graded("run-judge-never", &["--judge-base-url", &mock.url]);
    assert_eq!(code(&output), 0, "{}", said(&output));
    assert!(said(&output).contains("2 of 2 episodes not graded (judge_unreadable: 2)"), "{}", said(&output));
    assert_eq!(of_rules(&never), report(&plain));
}

#[test]
fn slips_about_a_judge_end_with_two() {
    for (arguments, part) in [
        (&["run", "--judge", "oracle"][..], "a model is `openai:MODEL`"),
        (&["run", "--judge-base-url", "http://x/v1"][..], "--judge"),
        (&["run", "--judge", "openai:m", "--judge-wording", "relibility-1"][..], "did you mean `reliability-1`?"),
        (&["run", "--judge", "openai:m", "--judge-cassette", "/no/such"][..], "/no/such"),
        (&["run", "--judge", "openai:m", "--judge-base-url", "x"][..], "--judge-base-url"),
        (&["run", "--resume", "r", "--judge", "openai:m"][..], "cannot be used with"),
    ] {
        tells(probity(arguments), 2, said, &[part]);
    }
}
