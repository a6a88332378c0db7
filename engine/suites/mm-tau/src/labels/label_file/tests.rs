//! Tests of the label format.

use super::super::metric::LabelMetric;
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
    known().with_file(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn a_line_is_read_and_written_the_same() {
    let second = line("ann", "e2", &[unread("user")], Value::Null);
    let read = known().with_file(&format!("\n{}\r\n\n{second}", good())).unwrap();
    let (judge, labels) = read.judges().next().unwrap();
    assert_eq!((judge, labels.len(), read.judges().count()), ("ann", 2, 1));
    let counts = labels["e1"].messages[1].counts.as_ref().unwrap();
    assert_eq!((counts.get(LabelMetric::ErrorRecovered), counts.get(LabelMetric::UserEffort)), (Some(7), None));
    assert_eq!((&labels["e2"].messages[0].counts, &labels["e2"].conversation), (&None, &None));
    let text: Vec<String> = labels.values().map(ConversationLabels::line).collect();
    assert_eq!(known().with_file(&text.join("\n")).unwrap(), read);
}

#[test]
fn several_files_add_up() {
    let read = known().with_file(&good()).unwrap().with_file(&good().replace("ann", "bob")).unwrap();
    assert_eq!(read.judges().map(|(judge, _)| judge).collect::<Vec<_>>(), ["ann", "bob"]);
    let again = read.with_file(&good()).unwrap_err();
    let told = "line 1: error[duplicate_label]: judge \"ann\" has labelled episode \"e1\" before\n  \
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
        "line 1, /messages/0/counts: error[wrong_type]: `user_effort` is a truth value, a fraction or a negative number, not a whole number from 0 up\n  help: write a whole number from 0 up",
        "line 1, /messages/1/counts: error[bad_value]: `error_recovered` is 1001, more than 1000\n  help: write a number from 0 to 1000",
        "line 2, /messages/1/counts: error[unknown_key]: \"tone\" is not counted in a message of the agent\n  help: known: critical_field_accuracy, clarification_required, clarification_asked, clarification_true_positives, confirmation_required, confirmation_asked, confirmation_true_positives, message_necessity, error_committed, error_identified, error_recovered",
        "line 2, /messages/1/counts: error[bad_value]: `critical_field_accuracy` is 2, more than 1\n  help: write a number from 0 to 1",
        "line 3: error[unknown_key]: unknown key \"whole\"\n  help: known: judge, episode, messages, conversation",
        "line 3: error[missing_key]: `conversation` is missing\n  help: add `conversation`",
        "line 3, /messages/1/index: error[bad_value]: `index` is not 1\n  help: count the messages of the episode from 0",
        "line 4, /episode: error[unknown_episode]: the run has no episode \"e9\"\n  help: name an episode of this run",
        "line 5, /judge: error[bad_value]: a name has 1 to 200 characters\n  help: write the name that the run uses",
        "line 5, /messages/1/role: error[bad_value]: \"tool\" is no party\n  help: write `agent` or `user`",
        "line 6: error[duplicate_key]: `judge` stands there twice\n  help: leave one of the two out",
        "line 7: error[bad_json]: this is no JSON: EOF while parsing an object at line 1 column 1\n  help: write one JSON object a line",
    ];
    assert_eq!(refused(&text), expected);
}

#[test]
fn the_messages_are_those_of_the_episode() {
    let short = line("ann", "e1", &[user(0)], Value::Null);
    let turned = line("ann", "e1", &[agent(&[]), user(0)], Value::Null);
    let expected = [
        "line 1, /messages: error[other_messages]: the episode has 2 messages, the label 1\n  help: list every message, with `null` as its `counts` if there are none",
        "line 2, /messages: error[other_messages]: message 0 is of the other party\n  help: list the messages as the episode has them",
    ];
    assert_eq!(refused(&format!("{short}\n{turned}")), expected);
}

#[test]
fn a_file_is_taken_as_it_is_only_within_bounds() {
    // Inconsistent, as nothing kept the judges of the paper from being.
    let more = agent(&[("clarification_true_positives", 3)]);
    assert!(known().with_file(&line("ann", "e1", &[user(2), more], tasks([1, 2, 0, 0]))).is_ok());
    assert_eq!(refused(" \n\n"), ["error[no_labels]: the file holds no label\n  help: write one JSON object a line"]);
    assert!(refused(&" ".repeat(10).replace(' ', "[]"))[0].starts_with("line 1: error[bad_json]"));
    assert!(refused("[]")[0].starts_with("line 1: error[wrong_type]: expected an object, found a list"));
    assert!(refused(&"x".repeat(MOST_BYTES + 1))[0].starts_with("line 1: error[too_long]"));
    let empty = refused(&good().replace("{\"user_effort\":1}", "{}"));
    let told = "line 1, /messages/0/counts: error[missing_key]: `user_effort` is missing\n  \
                help: add it, or write null for the whole object";
    assert_eq!(empty, [told]);
    let many: Vec<Value> = (0..=MOST_MESSAGES).map(|_| user(0)).collect();
    assert!(refused(&line("ann", "e1", &many, Value::Null))[0].contains("there are 1001 messages, more than 1000"));
    let lines = "{}\n".repeat(MOST_LINES + 2);
    assert!(refused(&lines).last().unwrap().starts_with("line 100001: error[too_long]"));
}
