//! The ticket suite from the command line: agents whose numbers are known by construction; `cases/sessions/tickets.sh` has
//! what commands say that know nothing of tickets.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::{code, contents, probity, records, root, scratch, succeeded, task, value};

/// What the numbers of a ticket follow from: whether each checkpoint has calls.
type Shape = Vec<bool>;

/// The tickets of the repository as they are written.
fn shapes() -> BTreeMap<String, Shape> {
    let mut shapes = BTreeMap::new();
    for category in std::fs::read_dir(root().join("tickets")).unwrap().map(|entry| entry.unwrap().path()) {
        let name = category.file_name().unwrap().to_str().unwrap().to_owned();
        if ["tools", "references"].contains(&name.as_str()) {
            continue;
        }
        for path in std::fs::read_dir(&category).unwrap().map(|entry| entry.unwrap().path()) {
            let ticket: Value = serde_json::from_str(&contents(&path)).unwrap();
            let has_calls = |checkpoint: &Value| checkpoint["calls"].as_array().is_some_and(|calls| !calls.is_empty());
            let shape = ticket["checkpoints"].as_array().unwrap().iter().map(has_calls).collect();
            shapes.insert(format!("{name}/{}", path.file_stem().unwrap().to_str().unwrap()), shape);
        }
    }
    shapes
}

fn run(directory: &Path, more: &[&str]) -> Vec<Value> {
    let fixed = ["run", "--suite", "tickets", "--out", directory.to_str().unwrap()];
    succeeded(probity(&[&fixed[..], more].concat()));
    records(directory)
}

/// The multi-turn episodes of an agent, each with the shape of its ticket.
fn through<'a>(records: &'a [Value], agent: &str, shapes: &'a BTreeMap<String, Shape>) -> Vec<(&'a Value, &'a Shape)> {
    let is_meant =
        |record: &&Value| record["agent"] == agent && record["trace"]["header"]["levels"]["mode"] == "multi_turn";
    let found: Vec<_> = records.iter().filter(is_meant).map(|record| (record, &shapes[task(record)])).collect();
    assert_eq!(found.len(), shapes.len(), "{agent}");
    found
}

fn alone<'a>(records: &'a [Value], agent: &str) -> impl Iterator<Item = &'a Value> {
    let agent = agent.to_owned();
    records
        .iter()
        .filter(move |record| record["agent"] == agent && record["trace"]["header"]["levels"]["mode"] == "single_turn")
}

/// Jumps of an agent that answers ahead wherever no call would be one too many.
fn jumps(shape: &Shape) -> usize {
    let (mut open, mut jumps) = (0, 0);
    while open < shape.len() {
        let ahead = shape[open + 1..].iter().take_while(|has_calls| !**has_calls || shape[open]).count();
        jumps += ahead;
        open += 1 + ahead;
    }
    jumps
}

fn index(jumps: usize, covered: usize) -> f64 {
    match covered {
        0 => 0.0,
        1 => 1.0,
        more => jumps as f64 / (more - 1) as f64,
    }
}

fn is(holds: bool) -> Option<f64> {
    Some(f64::from(u8::from(holds)))
}

#[test]
fn planted_agents_have_exactly_the_numbers_they_were_built_to_have() {
    let shapes = shapes();
    assert!(shapes.len() >= 40);
    let agents = ["oracle", "jumper", "verbose", "fault:premature_close", "fault:over_ask", "fault:wrong_argument"];
    let flags: Vec<&str> = agents.iter().flat_map(|agent| ["--agent", agent]).collect();
    let records = run(&scratch("tickets-planted").join("run"), &flags);
    for (record, shape) in through(&records, "oracle", &shapes) {
        let count = shape.len();
        let found = ["sr_pass1", "sr_pass2", "atpr", "alj", "anei"].map(|metric| value(record, metric));
        assert_eq!(found, [Some(1.0), None, Some(1.0), Some(0.0), Some(index(0, count))], "{}", task(record));
        assert_eq!(record["scores"]["found"][0]["findings"], serde_json::json!([]));
    }
    for (record, shape) in through(&records, "jumper", &shapes) {
        let jumps = jumps(shape);
        let found = ["sr_pass1", "alj", "anei"].map(|metric| value(record, metric));
        assert_eq!(found, [Some(1.0), Some(jumps as f64), Some(index(jumps, shape.len()))], "{}", task(record));
    }
    let plain = through(&records, "oracle", &shapes);
    for ((verbose, _), (oracle, _)) in through(&records, "verbose", &shapes).into_iter().zip(plain) {
        let more = value(verbose, "amtl").unwrap() - value(oracle, "amtl").unwrap();
        assert!((more - 100.0).abs() < 1e-9, "{}: {more}", task(verbose));
    }
    for (record, shape) in through(&records, "fault:premature_close", &shapes) {
        let found = ["sr_pass1", "atpr", "anei"].map(|metric| value(record, metric));
        assert_eq!(found, [is(shape.len() == 1), Some(1.0 / shape.len() as f64), Some(1.0)], "{}", task(record));
    }
    for (record, _) in through(&records, "fault:over_ask", &shapes) {
        let found = ["sr_pass1", "atpr", "alj", "alj_all", "anei_all"].map(|metric| value(record, metric));
        assert_eq!(found, [Some(0.0), Some(0.0), None, Some(0.0), Some(0.0)], "{}", task(record));
    }
    for (record, shape) in through(&records, "fault:wrong_argument", &shapes) {
        let covered = shape.iter().take_while(|has_calls| !**has_calls).count();
        let found = ["sr_pass1", "atpr"].map(|metric| value(record, metric));
        assert_eq!(found, [is(covered == shape.len()), Some(covered as f64 / shape.len() as f64)], "{}", task(record));
    }
    for record in alone(&records, "fault:wrong_argument") {
        let number = record["trace"]["header"]["levels"]["checkpoint"].as_str().unwrap()[2..].parse::<usize>().unwrap();
        let has_calls = shapes[task(record)][number - 1];
        let found = ["rr", "tia", "tsa", "tev"].map(|metric| value(record, metric));
        let needed = |holds| has_calls.then(|| is(holds)).flatten();
        assert_eq!(found, [Some(1.0), Some(1.0), needed(true), needed(false)], "{} cp{number}", task(record));
    }
    let all: usize = shapes.values().map(Vec::len).sum();
    assert_eq!(alone(&records, "oracle").filter(|record| value(record, "rr") == Some(1.0)).count(), all);
}

fn findings(record: &Value, code: &str) -> usize {
    let found = record["scores"]["found"].as_array().unwrap().iter();
    found.flat_map(|by| by["findings"].as_array().unwrap()).filter(|finding| finding["code"] == code).count()
}

#[test]
fn a_second_attempt_is_made_afresh_and_counts_for_pass_at_2_alone() {
    let shapes = shapes();
    let directory = scratch("tickets-again").join("run");
    let records = run(&directory, &["--agent", "fault:over_ask", "--set", "attempts=2"]);
    for (record, shape) in through(&records, "fault:over_ask", &shapes) {
        let found = ["sr_pass1", "sr_pass2", "atpr", "alj"].map(|metric| value(record, metric));
        assert_eq!(found, [Some(0.0), Some(1.0), Some(1.0), Some(0.0)], "{}", task(record));
        let events = record["trace"]["events"].as_array().unwrap();
        assert_eq!(
            events.iter().filter(|event| event["afresh"] == true && event["extra"] == true).count(),
            shape.len()
        );
        assert_eq!(record["scores"]["tags"]["termination"], "second_attempt");
        assert_eq!(findings(record, "second_attempt"), shape.len());
    }
    for record in alone(&records, "fault:over_ask") {
        let found = ["sr_pass1", "sr_pass2", "rr", "rr_pass2"].map(|metric| value(record, metric));
        assert_eq!(found, [Some(0.0), Some(1.0), Some(0.0), Some(1.0)], "{}", task(record));
        assert_eq!(findings(record, "second_attempt"), 1);
    }
    assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0);
    let strict = scratch("tickets-policy").join("strict");
    let wrong = ["--agent", "fault:wrong_argument", "--level", "tools=with_tool", "--level", "mode=multi_turn"];
    let failed = run(&strict, &wrong);
    assert!(failed.iter().all(|record| value(record, "sr_pass1") == Some(0.0)));
    let by_words = run(&strict.with_file_name("reply"), &[&wrong[..], &["--set", "policy=reply"]].concat());
    assert!(by_words.iter().all(|record| value(record, "sr_pass1") == Some(1.0)));
}
