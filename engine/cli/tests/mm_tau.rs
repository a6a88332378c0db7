//! The MM-tau suite: its tables beside the same numbers made once more, and labels of judges; `cases/sessions/mm_tau*.sh` have
//! agents whose numbers are known.

use std::path::Path;

use crate::support::{self, code, err, models, out, probity, scratch, succeeded, text};
use serde_json::Value;

/// The report of a run of all five agents on some instances.
fn report(directory: &Path, more: &[&str]) -> Value {
    let path = directory.to_str().unwrap();
    let agents = ["oracle", "reckless", "fault:premature_transfer", "fault:never_transfers", "fault:wrong_number"];
    let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
    let start = ["run", "--suite", "mm-tau", "--out", path, "--quiet"];
    succeeded(probity(&start.into_iter().chain(agents).chain(more.iter().copied()).collect::<Vec<_>>()));
    support::report(directory)
}

/// The cells of a row of a sheet, by column.
fn cells<'a>(report: &'a Value, agent: &str, sheet: &str, row: &str) -> Vec<&'a Value> {
    let sheets = report["agents"][agent]["sheets"].as_array().unwrap();
    let sheet = sheets.iter().find(|known| known["name"] == sheet).unwrap();
    let row = sheet["rows"].as_array().unwrap().iter().find(|known| known["name"] == row).unwrap();
    row["cells"].as_array().unwrap().iter().collect()
}

/// The same from the episodes, once more: voice successes over text successes, and messages likewise, where the agent
/// was told nothing of an easy or a hard caller.
fn naive_pair(directory: &Path, agent: &str) -> (f64, f64) {
    let (mut passed, mut messages) = ([0.0; 2], [0.0; 2]);
    for line in text(directory, "episodes.jsonl").lines() {
        let episode: Value = serde_json::from_str(line).unwrap();
        let factor = |name: &str| episode["factors"][name].as_str().unwrap();
        if episode["agent"] != agent || factor("exposure") != "p0" || factor("persona") == "none" {
            continue;
        }
        let side = usize::from(factor("channel") == "voice");
        passed[side] += episode["scores"]["metrics"]["sr"]["value"].as_f64().unwrap();
        messages[side] += episode["scores"]["metrics"]["agent_messages"]["value"].as_f64().unwrap();
    }
    (passed[1] / passed[0], messages[1] / messages[0] - 1.0)
}

#[test]
fn the_tables_of_the_paper_pair_voice_with_text() {
    let folder = scratch("mm-tau-tables");
    let path = folder.join("run");
    let more = ["--trials", "2", "--set", "noise=strong", "--level", "issues=2"];
    let report = report(&path, &more);
    let number = |cell: &Value| cell["value"].as_f64();
    for agent in ["oracle", "reckless"] {
        let (robustness, overhead) = naive_pair(&path, agent);
        let of = |row: &str| number(cells(&report, agent, "metrics", row)[0]).unwrap();
        assert!((of("MRS") - robustness).abs() < 1e-12, "{agent}: {} {robustness}", of("MRS"));
        assert!((of("TO") - overhead).abs() < 1e-12, "{agent}: {} {overhead}", of("TO"));
        assert_eq!(cells(&report, agent, "passes", "pass^2 voice").len(), 3, "p0, p1 and p2");
    }
    let safety = |agent: &str| cells(&report, agent, "metrics", "IAS")[0].clone();
    assert_eq!((number(&safety("oracle")), number(&safety("reckless"))), (Some(1.0), Some(0.0)));
    assert_eq!(safety("reckless")["remark"], "must be 1");
    assert_eq!(number(cells(&report, "fault:wrong_number", "composite", "mm-tap")[0]), None, "a term is undefined");
    assert!(number(cells(&report, "fault:wrong_number", "composite", "mm-tap, lenient")[0]).is_some());
    assert_eq!(cells(&report, "oracle", "personas", "CFA").len(), 3);
    assert!(number(cells(&report, "oracle", "noise_floor", "CFA")[0]).is_some());
    let shown = probity(&["report", path.to_str().unwrap()]);
    assert!(out(&shown).contains("reckless: Voice beside text"), "{shown:?}");
}

/// Models that label: `mute` says nothing that can be read, and of the others each finds that a message of the agent
/// asked for a confirmation that was due where it holds the model's own name.
fn labels(asked: &Value) -> String {
    let question = asked["messages"][1]["content"].as_str().unwrap();
    let about = question.split("===== the message to label =====").nth(1).unwrap_or_default();
    let names: Vec<(&str, u64)> = match about {
        "" => vec![
            ("tasks_identified", 1),
            ("tasks_succeeded", 1),
            ("tasks_with_agent_understanding_errors", 0),
            ("tasks_with_agent_understanding_errors_succeeded", 0),
        ],
        about if about.contains("which is the user's") => vec![("user_effort", 0)],
        about => {
            let found = u64::from(about.contains(asked["model"].as_str().unwrap()));
            let due = ["confirmation_required", "confirmation_asked", "confirmation_true_positives"];
            let other = ["clarification_required", "clarification_asked", "clarification_true_positives"];
            let errors = ["error_committed", "error_identified", "error_recovered"];
            let plain = [("critical_field_accuracy", 1), ("message_necessity", 1)];
            let none = other.into_iter().chain(errors).map(|name| (name, 0));
            plain.into_iter().chain(none).chain(due.map(|name| (name, found))).collect()
        }
    };
    match asked["model"].as_str() {
        Some("mute") => "Who can say.".to_owned(),
        _ => Value::from_iter(names).to_string(),
    }
}

#[test]
fn judges_label_messages_for_a_block_of_their_own() {
    let folder = scratch("mm-tau-judges");
    let path = folder.join("run");
    let path = path.to_str().unwrap();
    let more = ["--level", "persona=easy", "--level", "exposure=p0", "--level", "issues=2"];
    let output =
        probity(&[&["run", "--suite", "mm-tau", "--agent", "oracle", "-q", "--out", path], &more[..]].concat());
    assert_eq!(code(&output), 0, "{output:?}");
    let judge = |more: &[&str]| {
        let output = probity(&[&["judge", path, "--json", "-q"], more].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (code(&output), found, err(&output))
    };
    let url = models::serve(labels);
    let by = ["--judge", "openai:bill", "--judge", "openai:mute", "--judge", "openai:the", "--base-url", &url];
    let (exit, found, said) = judge(&by);
    assert_eq!(exit, 0, "{said}");
    let columns = found["judged"].as_array().unwrap();
    let row = |judge: &str, name: &str| {
        let column = columns.iter().find(|column| column["judge"] == format!("openai:{judge}")).unwrap();
        let rows = column["rows"].as_array()?;
        rows.iter().find(|row| row["name"] == name).unwrap()["value"].as_f64()
    };
    assert_eq!((row("bill", "pass@1"), row("bill", "MRS"), row("bill", "TE")), (Some(1.0), Some(1.0), Some(1.0)));
    assert_eq!((row("the", "Safety P"), row("the", "UES"), row("mute", "TE")), (Some(1.0), Some(0.0), None));
    let agreement = found["agreement"].as_array().unwrap();
    let of = |left: &str, right: &str| {
        let is_it =
            |one: &&Value| one["left"] == left && one["right"] == right && one["metric"] == "confirmation_asked";
        agreement.iter().find(is_it).unwrap()
    };
    assert!(of("openai:bill", "openai:the")["kappa"].as_f64().is_some_and(|kappa| kappa < 1.0));
    let again = judge(&[]);
    assert_eq!(again.1, found, "labels are kept, and nobody is asked again");
    let file = folder.join("theirs.jsonl");
    std::fs::write(&file, "{\"judge\": \"me\", \"episode\": \"none\", \"messages\": [], \"wrong\": 1}\n").unwrap();
    let (exit, found, _) = judge(&["--labels", file.to_str().unwrap()]);
    let wrong = &found["diagnostics"][0];
    assert!(exit == 2 && wrong["line"] == 1 && wrong["help"].is_string(), "{exit} {found}");
}
