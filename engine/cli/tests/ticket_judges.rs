//! Judges of recorded tickets held against readers, and against each other.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{code, contents, models, out, probity, root, scratch};

/// Models on this machine: `yes` holds everything included, `mute` says nothing that can be read, and any other holds a
/// reply included that has an even number of letters.
fn provider() -> String {
    models::serve(|asked| {
        let told: Value = serde_json::from_str(asked["messages"][1]["content"].as_str().unwrap()).unwrap();
        let is_even = told["reply_b"].as_str().unwrap().len().is_multiple_of(2);
        let verdict = match asked["model"].as_str().unwrap() {
            "yes" => "<result>Included</result>",
            "mute" => "Well, it depends.",
            _ if is_even => "<result>Included</result>",
            _ => "<result>Not Included</result>",
        };
        verdict.to_owned()
    })
}

fn calibrate(more: &[&str]) -> (i32, Value) {
    let fixed = ["judge", "calibrate", "--json", "--replies"];
    let output = probity(&[&fixed[..], more].concat());
    (code(&output), serde_json::from_slice(&output.stdout).unwrap_or_default())
}

fn labels() -> String {
    root().join("labels/tickets.jsonl").to_str().unwrap().to_owned()
}

#[test]
fn the_facts_agree_with_a_reader_as_the_docs_say() {
    let (exit, found) = calibrate(&[&labels()]);
    let facts = &found["judges"][0];
    let count = |what: &str| facts["replies"][what].as_u64().unwrap();
    let share = |what: &str| facts[what].as_f64().unwrap();
    let told = format!(
        "| | judge: included | judge: not included |\n|---|---|---|\n\
         | reader: included | {} | {} |\n| reader: not included | {} | {} |\n\n",
        count("both"),
        count("reader"),
        count("judge"),
        count("neither"),
    );
    let docs = contents(root().join("docs/TICKETS.md"));
    assert!(docs.contains(&told), "docs/TICKETS.md says otherwise:\n{told}");
    let told = format!("Accuracy {:.3}, kappa {:.3}.", share("accuracy"), share("kappa"));
    assert!(docs.contains(&told), "docs/TICKETS.md says otherwise:\n{told}");
    assert!(share("accuracy") >= 0.9, "{facts}");
    assert_eq!((exit, count("unjudged")), (0, 0));
    assert_eq!(found["missed_by_facts"].as_array().unwrap().len() as u64, count("reader") + count("judge"));
}

#[test]
fn models_stand_beside_the_facts_and_each_other() {
    let out = scratch("ticket-judges").join("kept");
    let url = provider();
    let models = ["--judge", "openai:yes", "--judge", "openai:even", "--judge", "openai:mute", "--jobs", "4"];
    let labels = labels();
    let asked = [&[labels.as_str(), "--base-url", &url, "--out", out.to_str().unwrap()], &models[..]].concat();
    let (exit, found) = calibrate(&asked);
    assert_eq!(exit, 0);
    let replies: Vec<Value> = contents(&labels).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_included = |reply: &Value| reply["label"] == "included";
    let is_even = |reply: &Value| reply["reply"].as_str().unwrap().len().is_multiple_of(2);
    let count = |is_meant: &dyn Fn(&Value) -> bool| replies.iter().filter(|reply| is_meant(reply)).count();
    let row = |name: &str| {
        let rows = found["judges"].as_array().unwrap().iter().chain(found["between"].as_array().unwrap());
        rows.into_iter().find(|row| row["name"] == name).unwrap().clone()
    };
    let (all, included) = (replies.len(), count(&is_included));
    let counted = |both, reader, judge, neither, unjudged| json!({"both": both, "reader": reader, "judge": judge, "neither": neither, "unjudged": unjudged});
    assert_eq!(row("openai:yes")["replies"], counted(included, 0, all - included, 0, 0));
    assert_eq!(row("openai:mute")["replies"], counted(0, 0, 0, 0, all));
    assert_eq!((&row("openai:mute")["accuracy"], &row("openai:mute")["kappa"]), (&Value::Null, &Value::Null));
    let both = count(&|reply| is_included(reply) && is_even(reply));
    let even = count(&is_even);
    let of_even = counted(both, included - both, even - both, all + both - included - even, 0);
    assert_eq!(row("openai:even")["replies"], of_even);
    assert_eq!(row("openai:even and openai:yes")["replies"], counted(even, 0, all - even, 0, 0));

    let cassette: PathBuf = out.join("judge-cassette.jsonl");
    let again = [&[labels.as_str(), "--cassette", cassette.to_str().unwrap()], &models[..]].concat();
    assert_eq!(calibrate(&again), (0, found));
}

#[test]
fn a_suite_is_checked_and_counted_by_its_card() {
    let docs = contents(root().join("docs/TICKETS.md"));
    let output = probity(&["check", "--suite", "tickets", "--stats"]);
    let text = out(&output);
    let start = text.find("Reply type").unwrap();
    let told = text[start..].trim_end_matches("0 errors, 0 warnings\n").trim_end();
    assert!(docs.contains(told), "docs/TICKETS.md says otherwise:\n{told}");
}
