//! An opt-in test against a real model: six short tasks through the endpoint that the environment names.
//!
//! `PROBITY_TEST_BASE_URL` and `PROBITY_TEST_MODEL` name it, `PROBITY_TEST_KEY` holds its key, if it needs one. It
//! asserts the plumbing, not the model: every call is in the trace with what came of it, and the replay agrees.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{binary, code, err, probity, root, scratch, skipped, succeeded, text};

const MOST: Duration = Duration::from_secs(300);

#[test]
fn a_real_model_leaves_a_whole_trace() {
    let (Ok(url), Ok(model)) = (std::env::var("PROBITY_TEST_BASE_URL"), std::env::var("PROBITY_TEST_MODEL")) else {
        skipped("PROBITY_TEST_BASE_URL and PROBITY_TEST_MODEL name no endpoint");
        return;
    };
    let directory = scratch("endpoint").join("run");
    let started = Instant::now();
    let output = binary()
        .args(["--root", root().to_str().unwrap(), "run", "--out", directory.to_str().unwrap()])
        .args(["--agent", &format!("openai:{model}"), "--base-url", &url, "--api-key-env", "PROBITY_TEST_KEY"])
        .args(["--variant", "ideal", "--limit", "6", "--max-tokens", "128", "--max-messages", "6"])
        .args(["--request-timeout", "60", "--attempts", "2"])
        .output()
        .unwrap();
    let said = err(&output);
    assert_eq!(code(&output), 0, "{said}");
    assert!(started.elapsed() < MOST, "{:?}", started.elapsed());
    let lines = text(&directory, "episodes.jsonl");
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 6);
    for record in &records {
        let events = record["trace"]["events"].as_array().unwrap();
        assert!(events.last().unwrap()["type"] == "end" && record["usage"]["requests"].as_u64().unwrap() > 0);
        for step in events.iter().filter(|event| event["type"] == "step") {
            let outcome = &step["outcome"];
            assert!(outcome.get("observation").is_some() || outcome.get("rejection").is_some(), "{step}");
        }
    }
    succeeded(probity(&["replay", directory.to_str().unwrap()]));
}
