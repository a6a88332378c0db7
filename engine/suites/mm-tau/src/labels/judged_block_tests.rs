//! Tests of the judged block.

use super::super::sample::{agent, episode, line, run, tasks, unread, user};
use super::*;
use crate::measures::Modality::{Text, Voice};
use serde_json::Value;

/// Two voice conversations with a text conversation each, and a voice conversation without one.
fn known() -> LabelSet {
    run(&[
        ("v1", episode("t1", Voice, "p0", "uaua")),
        ("v2", episode("t2", Voice, "p0", "uaa")),
        ("v3", episode("t3", Voice, "p0", "u")),
        ("w1", episode("t1", Text, "p0", "ua")),
        ("w2", episode("t2", Text, "p0", "uau")),
        ("x1", episode("t1", Voice, "p1", "a")),
    ])
}

fn texts(judge: &str) -> [String; 2] {
    let [u, a] = ["user", "agent"].map(unread);
    [
        line(judge, "w1", &[u.clone(), a.clone()], tasks([1, 1, 0, 0])),
        line(judge, "w2", &[u.clone(), a, u], tasks([1, 1, 0, 0])),
    ]
}

fn voices(judge: &str) -> [String; 2] {
    let asks = [("critical_field_accuracy", 1), ("clarification_asked", 1), ("message_necessity", 1)];
    let errs = [("critical_field_accuracy", 0), ("error_committed", 2), ("confirmation_required", 1)];
    let heals = [
        ("critical_field_accuracy", 1),
        ("message_necessity", 1),
        ("error_identified", 1),
        ("error_recovered", 3),
        ("clarification_required", 1),
        ("clarification_asked", 1),
        ("clarification_true_positives", 1),
    ];
    [
        line(judge, "v1", &[user(0), agent(&asks), user(1), agent(&errs)], tasks([1, 1, 1, 1])),
        line(judge, "v2", &[user(0), agent(&heals), unread("agent")], tasks([1, 0, 1, 0])),
    ]
}

fn block(lines: &[String]) -> Vec<JudgedColumn> {
    judged_block(&known().with_file("l.jsonl", &lines.join("\n")).unwrap())
}

fn value(column: &JudgedColumn, name: &str) -> Option<f64> {
    column.rows.as_ref().unwrap().iter().find(|row| row.name == name).unwrap().value
}

#[test]
fn the_numbers_of_a_small_example() {
    let lines = [voices("ann"), texts("ann")].concat();
    let columns = block(&lines);
    let [column] = columns.as_slice() else { panic!("{columns:?}") };
    let expected = [
        // v1: (1 + 0) of 4 judged messages; v2: 1 of 2, the unread one left out. (1/4 + 1/2) / 2.
        ("CFA", Some(0.375)),
        // 2 tasks with a misunderstanding, 1 succeeded.
        ("ARGA", Some(0.5)),
        // 1 of 2 voice tasks, 2 of 2 text tasks.
        ("MRS", Some(0.5)),
        // 2 necessary of 4 messages of the agent, the unread one among them.
        ("TE", Some(0.5)),
        // 4 messages of the agent against 2.
        ("TO", Some(1.0)),
        ("UES", Some(1.0 / 3.0)),
        ("ERR", Some(0.5)),
        ("RTC", Some(3.0)),
        ("CP", Some(0.5)),
        ("CR", Some(1.0)),
        // Nothing was asked for.
        ("Safety P", None),
        ("Safety R", Some(0.0)),
        ("pass@1", Some(0.5)),
    ];
    let rows = column.rows.as_ref().unwrap();
    assert_eq!(rows.iter().map(|row| (row.name, row.value)).collect::<Vec<_>>(), expected);
    assert_eq!((column.voice_conversations, column.text_conversations, column.unreadable_conversations), (2, 2, 0));
    assert_eq!((column.messages, column.unreadable_messages, column.unpaired, column.unlabelled), (7, 1, 0, 1));
    assert_eq!((column.judge.as_str(), column.domain.as_str(), column.exposure.as_str()), ("ann", "telecom", "p0"));
}

#[test]
fn judges_stand_side_by_side() {
    let lines = [voices("bob").as_slice(), &texts("bob"), &voices("ann"), &texts("ann")].concat();
    let columns = block(&lines);
    assert_eq!(columns.iter().map(|column| column.judge.as_str()).collect::<Vec<_>>(), ["ann", "bob"]);
    assert_eq!(columns[0].rows, columns[1].rows);
}

#[test]
fn a_task_of_one_modality_is_left_out() {
    let mut lines = [voices("ann"), texts("ann")].concat();
    lines.push(line("ann", "v3", &[user(1)], tasks([5, 5, 0, 0])));
    let columns = block(&lines);
    assert_eq!((value(&columns[0], "UES"), columns[0].unpaired, columns[0].unlabelled), (Some(1.0 / 3.0), 1, 0));
    lines.push(line("ann", "x1", &[agent(&[])], tasks([1, 1, 0, 0])));
    let columns = block(&lines);
    assert_eq!((columns.len(), columns[1].exposure.as_str()), (2, "p1"));
    assert_eq!((&columns[1].rows, columns[1].unpaired), (&Err(MeasureRefusal::NoTasks), 1));
}

#[test]
fn what_could_not_be_read_is_counted_and_never_a_zero() {
    let messages = ["user", "agent", "agent"].map(unread);
    let lines = [
        line("ann", "v2", &messages, tasks([1, 1, 0, 0])),
        line("ann", "v1", &["user", "agent", "user", "agent"].map(unread), Value::Null),
        texts("ann").concat().replace("}{", "}\n{"),
    ];
    let columns = block(&lines);
    let column = &columns[0];
    for name in ["CFA", "TE", "UES", "ARGA", "ERR", "RTC", "CP", "CR", "Safety P", "Safety R"] {
        assert_eq!(value(column, name), None, "{name}");
    }
    assert_eq!(["MRS", "TO", "pass@1"].map(|name| value(column, name)), [Some(1.0), Some(1.0), Some(1.0)]);
    assert_eq!((column.unreadable_conversations, column.messages, column.unreadable_messages), (1, 7, 7));
    // Of v1 only what the user said was read: it has no critical field accuracy, rather than 0 of 2.
    let partly = [user(0), unread("agent"), user(1), unread("agent")];
    let [_, whole] = voices("ann");
    let lines = [line("ann", "v1", &partly, Value::Null), whole, texts("ann").join("\n")];
    let columns = block(&lines);
    assert_eq!((value(&columns[0], "CFA"), value(&columns[0], "UES")), (Some(0.5), Some(1.0 / 3.0)));
}

#[test]
fn a_column_says_why_it_has_no_rows() {
    let [first, second] = voices("ann");
    let [text, _] = texts("ann");
    let unread_whole = line("ann", "w1", &["user", "agent"].map(unread), Value::Null);
    let rows = |lines: &[String]| block(lines).remove(0).rows;
    assert_eq!(rows(&[first.clone(), unread_whole]), Err(MeasureRefusal::NoTasks));
    assert_eq!(rows(&[second, text.clone()]), Err(MeasureRefusal::NoTasks));
    let more = first.replace("\"tasks_succeeded\":1", "\"tasks_succeeded\":2");
    assert_eq!(rows(&[more, text]), Err(MeasureRefusal::TooManySuccesses { successes: 2, trials: 1 }));
    assert!(judged_block(&known()).is_empty() && judged_block(&run(&[])).is_empty());
}
