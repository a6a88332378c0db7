//! Tests of the label format.

use super::super::sample::{agent, episode, line, run, tasks, unread, user};
use super::*;
use crate::measures::Modality;
use serde_json::Value;

fn known() -> LabelSet {
    run(&[("e1", episode("t1", Modality::Voice, "p0", "ua")), ("e2", episode("t1", Modality::Text, "p0", "u"))])
}

fn good() -> String {
    line("ann", "e1", &[user(1), agent(&[("error_recovered", 7)])], tasks([1, 1, 0, 0]))
}

fn refused(text: &str) -> Vec<String> {
    known().with_file("l.jsonl", text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn a_line_is_read_and_written_the_same() {
    let second = line("ann", "e2", &[unread("user")], Value::Null);
    let read = known().with_file("l.jsonl", &format!("\n{}\r\n\n{second}", good())).unwrap();
    let (judge, labels) = read.judges().next().unwrap();
    assert_eq!((judge, labels.len(), read.judges().count()), ("ann", 2, 1));
    let counts = labels["e1"].messages[1].counts.as_ref().unwrap();
    assert_eq!((counts.get("error_recovered"), counts.get("user_effort")), (Some(7), None));
    assert_eq!((&labels["e2"].messages[0].counts, &labels["e2"].conversation), (&None, &None));
    let text: Vec<String> = labels.values().map(|one| serde_json::to_string(one).unwrap()).collect();
    assert_eq!(known().with_file("l.jsonl", &text.join("\n")).unwrap(), read);
}

#[test]
fn several_files_add_up() {
    let read =
        known().with_file("l.jsonl", &good()).unwrap().with_file("l.jsonl", &good().replace("ann", "bob")).unwrap();
    assert_eq!(read.judges().map(|(judge, _)| judge).collect::<Vec<_>>(), ["ann", "bob"]);
    let again = read.with_file("l.jsonl", &good()).unwrap_err();
    let told = "l.jsonl:1:1: error[duplicate_label]: judge \"ann\" has labelled episode \"e1\" before\n  \
                help: leave one of the two out";
    assert_eq!(again[0].to_string(), told);
}

#[test]
fn every_problem_is_told_at_its_line() {
    let text = [
        good()
            .replace("\"user_effort\":1", "\"user_effort\":-1")
            .replace("\"error_recovered\":7", "\"error_recovered\":1001"),
        good().replace("\"critical_field_accuracy\":0", "\"critical_field_accuracy\":2,\"tone\":1"),
        good().replace("\"conversation\"", "\"whole\"").replace("\"index\":1", "\"index\":2"),
        good().replace("\"e1\"", "\"e9\""),
        good().replace("\"role\":\"agent\"", "\"role\":\"tool\"").replace("\"ann\"", "\" \""),
        good().replace("\"judge\":\"ann\"", "\"judge\":\"ann\",\"judge\":7"),
        "{".to_owned(),
    ]
    .join("\n");
    let expected = [
        "l.jsonl:1:220: error[wrong_type]: `user_effort` is a truth value, a fraction or a negative number, not a whole number from 0 up\n  help: write a whole number from 0 up",
        "l.jsonl:1:512: error[bad_value]: `error_recovered` is 1001, more than 1000\n  help: write a number from 0 to 1000",
        "l.jsonl:2:258: error[unknown_key]: \"tone\" is not counted in a message of the agent\n  help: known: critical_field_accuracy, clarification_required, clarification_asked, clarification_true_positives, confirmation_required, confirmation_asked, confirmation_true_positives, message_necessity, error_committed, error_identified, error_recovered",
        "l.jsonl:2:450: error[bad_value]: `critical_field_accuracy` is 2, more than 1\n  help: write a number from 0 to 1",
        "l.jsonl:3:1: error[missing_key]: missing key `conversation`\n  help: add it to this object",
        "l.jsonl:3:2: error[unknown_key]: unknown key `whole`\n  help: known: conversation, episode, judge, messages",
        "l.jsonl:4:164: error[unknown_episode]: the run has no episode \"e9\"\n  help: name an episode of this run",
        "l.jsonl:5:551: error[bad_value]: unknown variant `tool`, expected one of `user`, `agent`, `assistant`\n  help: write a value that is allowed here",
        "l.jsonl:6:183: error[duplicate_key]: the key `judge` is given twice in one object\n  help: it is first given at line 1, column 169",
        "l.jsonl:7:2: error[bad_json]: the file ends too early\n  help: what opens at line 1, column 1 is not closed",
    ];
    assert_eq!(refused(&text), expected);
}

#[test]
fn the_messages_are_those_of_the_episode() {
    let short = line("ann", "e1", &[user(0)], Value::Null);
    let turned = line("ann", "e1", &[agent(&[]), user(0)], Value::Null);
    let expected = [
        "l.jsonl:1:62: error[other_messages]: the episode has 2 messages, the label 1\n  help: list every message, with `null` as its `counts` if there are none",
        "l.jsonl:2:62: error[other_messages]: message 0 is of the other party\n  help: list the messages as the episode has them",
    ];
    assert_eq!(refused(&format!("{short}\n{turned}")), expected);
}

#[test]
fn a_file_is_taken_as_it_is_only_within_bounds() {
    // Inconsistent, as nothing kept the judges of the paper from being.
    let more = agent(&[("clarification_true_positives", 3)]);
    assert!(known().with_file("l.jsonl", &line("ann", "e1", &[user(2), more], tasks([1, 2, 0, 0]))).is_ok());
    assert_eq!(
        refused(" \n\n"),
        ["l.jsonl: error[no_labels]: the file holds no label\n  help: write one JSON object a line"]
    );
    assert!(refused("[]")[0].starts_with("l.jsonl:1:1: error[wrong_type]: expected an object, found an array"));
    let empty = refused(&good().replace("{\"user_effort\":1}", "{}"));
    let told = "l.jsonl:1:205: error[missing_key]: `user_effort` is missing\n  \
                help: add it, or write null for the whole object";
    assert_eq!(empty, [told]);
}
