//! Inputs at the edge: what is refused, what is undefined, and what the vectors at hand do not ask.

use super::kind::{SKIPPED_KINDS, conform, kinds};
use probity_mm_tau::measures::TraceEvent;
use serde_json::{Value, json};

fn answer(kind: &str, input: &Value) -> Result<Value, String> {
    conform(kind, input).unwrap_or_else(|| Err("skipped".to_owned()))
}

#[test]
fn no_kind_takes_anything_for_its_input() {
    for kind in kinds() {
        for input in [json!({}), json!(null), json!([]), json!("text"), json!({"total": -1})] {
            assert!(answer(kind, &input).is_err(), "{kind} {input}");
        }
    }
    for kind in SKIPPED_KINDS.into_iter().chain(["ref", "prop.tracing"]) {
        assert_eq!(conform(kind, &json!({})), None, "{kind}");
    }
}

#[test]
fn counts_are_whole_and_not_negative() {
    for total in [json!(-1), json!(2.5), json!("3"), json!(null)] {
        assert!(answer("ref.pass_at_k", &json!({"total": total, "correct": 1, "k": 1})).is_err(), "{total}");
    }
}

#[test]
fn a_fraction_without_value_is_kept_as_it_would_be_printed() {
    let tasks = |tasks: u64, errors: u64| {
        let names = ["tasks_identified", "tasks_with_agent_understanding_errors"];
        let [all, with] = names;
        answer("ref.arga", &json!({all: tasks, with: errors, "tasks_with_agent_understanding_errors_succeeded": 0}))
    };
    assert_eq!(tasks(3, 0), Ok(json!({"value": null, "undefined": "0/0"})));
    assert!(tasks(0, 0).is_err());
}

#[test]
fn sums_of_the_greatest_counts_do_not_wrap() {
    let most = json!({
        "agent_msg_counts": u64::MAX, "user_msg_counts": u64::MAX, "tasks_identified": u64::MAX,
        "tasks_succeeded": u64::MAX, "tasks_with_agent_understanding_errors": u64::MAX,
        "tasks_with_agent_understanding_errors_succeeded": u64::MAX,
    });
    let sums = answer("ref.consolidate_conversations", &json!({"conversations": [most, most]})).unwrap_or_default();
    assert_eq!((&sums["tasks_identified"], &sums["pass@1"]), (&json!(u64::MAX), &json!(1.0)));
}

/// A conversation with some agent messages and nothing else; every other count is zero.
fn voice(task: &str, pass: bool, messages: u64, optimal: Option<u64>) -> Value {
    let names = [
        "user_messages asr_mismatches critical_correct critical_total slots_correct slots_total user_effort",
        "errors_total errors_recovered recovery_turns clar_asked clar_needed_asks clar_required clar_met",
        "conf_asked conf_needed_asks conf_required conf_met irr irr_conf",
    ];
    let mut counts: serde_json::Map<String, Value> =
        names.iter().flat_map(|line| line.split(' ')).map(|name| (name.to_owned(), json!(0))).collect();
    counts.insert("agent_messages".to_owned(), json!(messages));
    counts.insert("errors_by_type".to_owned(), json!({"asr": 0, "tool_failure": 0, "wrong_slot": 0}));
    json!({"task": task, "pass": pass, "counts": counts, "optimal": optimal})
}

fn text(task: &str, pass: bool, messages: u64) -> Value {
    json!({"task": task, "pass": pass, "counts": {"agent_messages": messages}})
}

fn aggregate(voice: &[Value], text: &[Value]) -> Value {
    let input = json!({"voice": voice, "text": text, "weights": [0.35, 0.35, 0.2, 0.1]});
    answer("prop.aggregate", &input).unwrap_or_default()
}

#[test]
fn only_paired_tasks_are_compared() {
    let spoken = [voice("a", true, 6, Some(3)), voice("b", true, 9, None), voice("c", false, 1, Some(1))];
    let written = [text("a", true, 3), text("c", true, 1), text("d", false, 50)];
    let report = aggregate(&spoken, &written);
    let metrics = &report["metrics"];
    assert_eq!(report["paired_tasks"], json!(2));
    assert_eq!(metrics["MRS"], json!(0.5));
    assert_eq!(metrics["TO"], json!(0.75));
    assert_eq!(metrics["pass1_voice"], json!(2.0 / 3.0));
    assert_eq!(metrics["pass1_text"], json!(2.0 / 3.0));
    assert_eq!(metrics["TE"], json!(4.0 / 7.0));
}

#[test]
fn trials_of_a_task_count_as_one_task() {
    let spoken = [voice("a", true, 1, None), voice("a", false, 1, None), voice("b", true, 2, None)];
    let report = aggregate(&spoken, &[text("a", true, 2), text("b", true, 2)]);
    assert_eq!(report["metrics"]["pass1_voice"], json!(0.75));
    assert_eq!(report["paired_tasks"], json!(2));
    assert_eq!(report["metrics"]["TE"], json!(null));
}

#[test]
fn nothing_is_undefined_and_not_refused() {
    let report = aggregate(&[], &[]);
    assert_eq!(report["counts"]["agent_messages"], json!(0));
    for metric in ["CFA", "ARGA", "MRS", "TO", "TE", "pass1_voice", "pass1_text", "mm_tap", "mm_tap_lenient"] {
        assert_eq!(report["metrics"].get(metric), Some(&Value::Null), "{metric}");
    }
    // A voice run without a message has an overhead of -1, of which no composite is made.
    let silent = aggregate(&[voice("a", true, 0, None)], &[text("a", true, 1)]);
    assert_eq!((&silent["metrics"]["TO"], &silent["metrics"]["mm_tap_lenient"]), (&json!(-1.0), &Value::Null));
}

#[test]
fn an_event_says_neither_too_little_nor_too_much() {
    for event in [
        json!({"t": "user"}),
        json!({"t": "user", "said": "x", "corects": ["phone"]}),
        json!({"t": "need", "id": "n", "kind": "clarify", "key": "k"}),
        json!({"t": "need", "id": "n", "kind": "confirm", "key": "k", "field": "f"}),
        json!({"t": "reply", "key": "k", "value": "maybe"}),
        json!({"t": "agent", "acts": [{"act": "shout"}]}),
        json!({"t": "pause"}),
    ] {
        assert!(serde_json::from_value::<TraceEvent>(event.clone()).is_err(), "{event}");
    }
    let call = json!({"t": "tool", "name": "find", "args": {"a": 5, "b": null, "c": "5"}, "ok": true});
    let Ok(TraceEvent::Tool(call)) = serde_json::from_value(call) else { unreachable!("a call is a call") };
    assert_eq!(call.args.values().collect::<Vec<_>>(), ["5", "null", "5"]);
}

/// A trace of one critical phone number, voice, with what the events count.
fn counts(events: &Value) -> Value {
    let task = json!({"critical": {"phone": {"kind": "digits", "value": "555"}}});
    let input = json!({"task": task, "modality": "voice", "events": events, "optimal_agent_messages": null});
    answer("prop.trace", &input).ok().and_then(|answer| answer.get("counts").cloned()).unwrap_or_default()
}

#[test]
fn consent_is_for_one_call_and_can_be_taken_back() {
    let call = json!({"t": "tool", "name": "cut", "args": {}, "ok": true, "irreversible": true, "key": "cut"});
    let mut failed = call.clone();
    failed["ok"] = json!(false);
    let ask = json!({"t": "agent", "acts": [{"act": "confirm", "key": "cut"}]});
    let [yes, no] = ["yes", "no"].map(|value| json!({"t": "reply", "key": "cut", "value": value}));
    for (events, irreversible, confirmed) in [
        (json!([ask, yes, failed, call, call]), 2, 1),
        (json!([yes, call]), 1, 0),
        (json!([ask, yes, ask, call]), 1, 0),
        (json!([ask, yes, no, call]), 1, 0),
        (json!([ask, no, ask, yes, call]), 1, 1),
    ] {
        let counts = counts(&events);
        assert_eq!((&counts["irr"], &counts["irr_conf"]), (&json!(irreversible), &json!(confirmed)), "{events}");
    }
}

#[test]
fn errors_open_once_and_close_once() {
    let user = |heard: &str| json!({"t": "user", "said": "555", "heard": heard, "mentions": [{"field": "phone", "value": "5-5-5"}]});
    let call = |value: &str, ok: bool| json!({"t": "tool", "name": "find", "args": {"p": value}, "ok": ok, "slots": {"p": "phone"}});
    let agent = json!({"t": "agent", "acts": [], "text": "hm"});
    let counts = counts(&json!([
        user("554"),
        agent,
        user("five double five"),
        call("554", false),
        agent,
        call("555", false),
        agent,
        call("555", true),
        call("556", true),
    ]));
    let types = json!({"asr": 1, "tool_failure": 1, "wrong_slot": 1});
    assert_eq!((&counts["errors_by_type"], &counts["errors_total"]), (&types, &json!(3)));
    assert_eq!((&counts["errors_recovered"], &counts["recovery_turns"]), (&json!(2), &json!(3)));
    assert_eq!((&counts["slots_correct"], &counts["critical_correct"]), (&json!(2), &json!(0)));
    assert_eq!((&counts["asr_mismatches"], &counts["user_effort"]), (&json!(1), &json!(1)));
}
