//! `probity annotate`: users of logs from anywhere, labelled by rules and by judges.

use std::fs;

use serde_json::{Value, json};

use crate::support::{code, contents, err, json, models, out, probity, probity_at, root, scratch};

#[test]
fn rules_find_the_behaviours_of_our_own_users() {
    let output = probity_at(&root(), &["annotate", "-q"]);
    let text = out(&output);
    let table = text.split_once("\nplanted ").map(|(_, table)| format!("planted {table}")).unwrap();
    let docs = contents(root().join("docs/SCORING.md"));
    assert!(docs.contains(table.trim_end()), "docs/SCORING.md has another table:\n{table}");
    let found = json(&probity_at(&root(), &["annotate", "-q", "--json"]));
    let rows = found["confusion"].as_array().unwrap();
    let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert!(sum("recovered") * 4 >= sum("dialogues") * 3, "{table}");
}

/// A judge that calls every first turn a contradiction, and every other nothing.
fn contradicts(asked: &Value) -> String {
    let about: Value = serde_json::from_str(asked["messages"][1]["content"].as_str().unwrap()).unwrap();
    let turns = about["user_turns"].as_u64().unwrap();
    let labels = (0..turns).map(|at| if at == 0 { json!(["contradictory_constraints"]) } else { json!([]) });
    match asked["model"].as_str() {
        Some("mute") => "I would rather not say.".to_owned(),
        _ => json!({"turns": labels.collect::<Vec<_>>()}).to_string(),
    }
}

#[test]
fn logs_from_elsewhere_are_labelled_by_rules_and_judges() {
    let folder = scratch("annotate");
    let logs = folder.join("logs.jsonl");
    let lines = [
        json!({"id": "plain", "model": "m", "messages": [
            {"role": "user", "content": "Please move my booking to Friday."}, {"role": "assistant", "content": "Done."}]}),
        json!({"id": "asked", "messages": [
            {"role": "user", "content": "Please move it."}, {"role": "assistant", "content": "Which booking do you mean?"},
            {"role": "user", "content": "The one in May."}, {"role": "assistant", "content": "Done."}]}),
    ];
    fs::write(&logs, lines.map(|line| format!("{line}\n")).concat()).unwrap();
    let (file, labels) = (logs.to_str().unwrap(), folder.join("labels.jsonl"));
    let output = probity(&["annotate", file, "-q", "--out", labels.to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{output:?}");
    let text = out(&output);
    let row =
        |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(row("ideal"), ["ideal", "2", "1", "-", "-"]);
    assert_eq!(row("underspecification"), ["underspecification", "1", "1", "100.0", "%", "63.1", "%"]);
    assert!(text.ends_with("labelled 2 dialogues\n") && !text.contains("planted"), "{text}");
    let refused = probity(&["annotate", file, "-q", "--out", file]);
    assert_eq!(code(&refused), 2, "{refused:?}");
    assert_eq!(contents(&logs).lines().count(), 2, "labels do not replace the logs");
    let kept = contents(&labels);
    let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(kept[0]["turns"], json!([[]]));
    assert_eq!(
        (&kept[1]["turns"], &kept[1]["primary"]),
        (&json!([["underspecification"], []]), &json!("underspecification"))
    );
    let url = models::serve(contradicts);
    let judges = ["--judge", "openai:one", "--judge", "openai:mute", "--base-url", &url];
    let output = probity(&[&["annotate", file, "--json"], &judges[..]].concat());
    assert_eq!(code(&output), 0, "{output:?}");
    let found = json(&output);
    assert_eq!(found["dialogues"][1]["judged"]["openai:one"], json!([["contradictory_constraints"], []]));
    assert!(found["dialogues"][1]["judged"].get("openai:mute").is_none());
    let on = |behaviour: &str| {
        let all = found["agreement"].as_array().unwrap();
        all.iter().find(|one| one["behaviour"] == behaviour && one["turns"] == 3).unwrap()["equal"].as_f64().unwrap()
    };
    assert!(
        (on("underspecification") - 2.0 / 3.0).abs() < 1e-9
            && (on("contradictory_constraints") - 1.0 / 3.0).abs() < 1e-9
    );
    let said = err(&output);
    assert!(said.contains("no label of openai:mute"), "{said}");
}

/// The same users in a form each.
#[test]
fn every_form_of_log_is_labelled() {
    let folder = root().join("engine/logs/tests/cases/same");
    for file in
        ["anthropic.json", "atif.jsonl", "chat.jsonl.gz", "codex.jsonl", "otel.json", "sharegpt.json", "tau2.json"]
    {
        let file = folder.join(file);
        let labelled = json(&probity(&["annotate", "-q", "--json", file.to_str().unwrap()]));
        let turns: Vec<usize> = labelled["dialogues"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["turns"].as_array().unwrap().len())
            .collect();
        assert_eq!(turns, [2, 1, 2], "{}", file.display());
    }
    let chat = folder.join("chat.jsonl");
    let named = json(&probity(&["annotate", "-q", "--json", "--format", "chat", chat.to_str().unwrap()]));
    assert_eq!(named["dialogues"].as_array().unwrap().len(), 3);
}
