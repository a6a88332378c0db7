//! Requests with their answers, put together to dialogues: who goes on from whom.

use probity_logs::{Dialogue, Event, Remark};
use serde_json::{Value, json};

use crate::support::read;

/// Lines of a session.
struct Record {
    lines: Vec<Value>,
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn agent(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

impl Record {
    fn new() -> Record {
        Record { lines: Vec::new() }
    }

    /// A request with all of its history.
    fn asked(&mut self, turns: &[Value], more: &Value) -> &mut Record {
        let mut line =
            json!({"recorded": 1, "session": "s", "exchange": self.lines.len() + 1, "form": "openai", "turns": turns});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.lines.push(line);
        self
    }

    fn answered(&mut self, turns: &[Value], answer: &Value) -> &mut Record {
        self.asked(turns, &json!({"answer": [answer]}))
    }

    fn read(&self) -> Vec<Dialogue> {
        let text: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let (found, dialogues, unread) = read("record.jsonl", text.as_bytes());
        assert_eq!((found.map(|found| found.form), unread), (Some(probity_logs::Form::Recorded), vec![]));
        dialogues
    }
}

/// The words of a dialogue, and what there is to say of it.
type Told = (Vec<String>, Vec<(Remark, u32)>);

fn words(dialogue: &Dialogue) -> Told {
    let said = dialogue.events.iter().map(|event| match event {
        Event::User { text, .. } => format!("u {text}"),
        Event::Agent { text, .. } => format!("a {text}"),
        Event::Told { text, .. } => format!("t {text}"),
        Event::Call(call) | Event::UserCall(call) => {
            format!("c {} {}", call.tool, serde_json::to_string(&call.result).unwrap())
        }
    });
    (said.collect(), dialogue.remarks.iter().map(|(remark, count)| (*remark, *count)).collect())
}

fn all(record: &Record) -> Vec<Told> {
    record.read().iter().map(words).collect()
}

fn said(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_request_goes_on_from_what_it_tells_however_that_is_written() {
    let mut record = Record::new();
    let call = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "x", "type": "function", "function": {"name": "look", "arguments": "{\"a\": 1, \"b\": 2}"}}]});
    record.answered(&[user("Hi")], &call);
    let again = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "y", "name": "look", "input": {"b": 2, "a": 1}}]});
    let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "y", "content": "open", "cache_control": {}}]});
    let parts =
        json!({"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}]});
    record.answered(&[parts, again, result], &agent("It is open. "));
    let look = "c look {\"status\":\"ok\",\"observation\":\"open\"}";
    assert_eq!(all(&record), [(said(&["u Hi", look, "a It is open. "]), vec![])]);
}

#[test]
fn who_begins_alike_is_not_one() {
    let mut record = Record::new();
    let (hi, hello) = (user("Hi"), agent("Hello."));
    record.answered(std::slice::from_ref(&hi), &hello).answered(std::slice::from_ref(&hi), &hello);
    record.answered(&[hi.clone(), hello.clone(), user("I am Ann.")], &agent("Ann it is."));
    record.answered(&[hi.clone(), hello.clone(), user("I am Bo.")], &agent("Bo it is."));
    let shared = vec![(Remark::SharedHistory, 1)];
    let both = [
        (said(&["u Hi", "a Hello.", "u I am Ann.", "a Ann it is."]), vec![]),
        (said(&["u Hi", "a Hello.", "u I am Bo.", "a Bo it is."]), shared.clone()),
    ];
    assert_eq!(all(&record), both);
    // A branch: from a moment that is gone on from already.
    record.answered(&[hi.clone(), hello.clone(), user("I am Cy.")], &agent("Cy it is."));
    let third = (said(&["u Hi", "a Hello.", "u I am Cy.", "a Cy it is."]), shared);
    assert_eq!(all(&record), [both[0].clone(), both[1].clone(), third]);
}

#[test]
fn a_retry_with_another_answer_stands_beside_the_one_that_is_gone_on_with() {
    let mut record = Record::new();
    record.answered(&[user("Hi")], &agent("One.")).answered(&[user("Hi")], &agent("Two."));
    record.answered(&[user("Hi"), agent("Two."), user("Go on.")], &agent("Three."));
    let wanted = [
        (said(&["u Hi", "a One."]), vec![]),
        (said(&["u Hi", "a Two.", "u Go on.", "a Three."]), vec![(Remark::SharedHistory, 1)]),
    ];
    assert_eq!(all(&record), wanted);
}

#[test]
fn who_was_told_something_else_is_somebody_else_where_there_is_a_choice() {
    let mut record = Record::new();
    let (hi, hello) = (user("Hi"), agent("Hello."));
    for desk in ["Serve Alder.", "Serve Birch."] {
        record.asked(std::slice::from_ref(&hi), &json!({"system": desk, "answer": [hello]}));
    }
    for desk in ["Serve Birch.", "Serve Alder."] {
        record.asked(&[hi.clone(), hello.clone(), user(desk)], &json!({"system": desk, "answer": [agent("Yes.")]}));
    }
    let read = record.read();
    let briefs: Vec<(&str, usize)> = read.iter().map(|one| (one.brief.as_str(), one.events.len())).collect();
    assert_eq!(briefs, [("Serve Alder.", 4), ("Serve Birch.", 4)]);
    assert!(read.iter().all(|one| words(one).0.contains(&format!("u {}", one.brief))), "{read:?}");
}

#[test]
fn who_was_told_something_else_goes_on_only_where_something_ties_them() {
    let (hi, hello) = (user("Hi"), agent("Hello."));
    let lead = |text: &str| json!([{"role": "system", "content": text}]);
    let told = |text: &str, answer: &Value, more: Value| {
        let mut own = json!({"lead": lead(text), "answer": [answer]});
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        own
    };
    let both = |first: Value, second: Value, answer: &Value, result: Option<Value>| {
        let mut record = Record::new();
        record.asked(std::slice::from_ref(&hi), &told("It is ten.", answer, first));
        let turns = [Some(hi.clone()), Some(answer.clone()), result, Some(user("And now?"))];
        let turns: Vec<Value> = turns.into_iter().flatten().collect();
        record.asked(&turns, &told("It is eleven.", &agent("Eleven."), second));
        record
    };
    // Two users who begin alike, each with a desk of their own.
    let apart = [
        (said(&["u Hi", "a Hello."]), vec![]),
        (said(&["u Hi", "a Hello.", "u And now?", "a Eleven."]), vec![(Remark::SharedHistory, 1)]),
    ];
    assert_eq!(all(&both(json!({}), json!({}), &hello, None)), apart);
    // One conversation: its words change, and it is told so where they do.
    let one = json!({"conversation": "c1"});
    let record = both(one.clone(), one.clone(), &hello, None);
    let wanted = said(&["u Hi", "a Hello.", "t It is eleven.", "u And now?", "a Eleven."]);
    assert_eq!(all(&record), [(wanted, vec![])]);
    assert_eq!(record.read()[0].brief, "It is ten.");
    // So is one whose calls have the same ids, and not one in whose data the same ids stand.
    let call = |id: Option<&str>| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "look", "input": {"id": "o1"}}]});
    let result = |id: Option<&str>| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "open"}]});
    let count = |id| all(&both(json!({}), json!({}), &call(id), Some(result(id)))).len();
    assert_eq!((count(Some("call_x7")), count(None)), (1, 2));
    // Who names another conversation is somebody else, whatever they were told.
    let mut record = Record::new();
    for (turns, name) in [(&[hi.clone()][..], "c1"), (&[hi.clone(), hello.clone(), user("Go on.")], "c2")] {
        record.asked(turns, &json!({"system": "Serve.", "conversation": name, "answer": [hello]}));
    }
    assert_eq!(all(&record).len(), 2);
}

#[test]
fn what_was_not_answered_is_a_remark_and_keeps_nothing_from_going_on() {
    let mut record = Record::new();
    let failed = json!({"unanswered": "HTTP 429: busy"});
    record.asked(&[user("Hi")], &failed).answered(&[user("Hi")], &agent("Hello."));
    let next = [user("Hi"), agent("Hello."), user("Go on.")];
    record.asked(&next, &failed).asked(&next, &failed);
    let unanswered = |count| vec![(Remark::Unanswered, count)];
    assert_eq!(all(&record), [(said(&["u Hi", "a Hello.", "u Go on."]), unanswered(3))]);
    record.answered(&next, &agent("Done."));
    assert_eq!(all(&record), [(said(&["u Hi", "a Hello.", "u Go on.", "a Done."]), unanswered(3))]);
    let alone = "{\"recorded\":1,\"session\":\"s\",\"exchange\":1,\"turns\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"unanswered\":\"HTTP 401: no\"}";
    let (_, dialogues, unread) = read("record.jsonl", alone.as_bytes());
    assert!(dialogues.is_empty() && unread[0].what == "the request was not answered: HTTP 401: no", "{unread:?}");
}

#[test]
fn what_was_written_once_is_found_where_it_is_named() {
    let whole = |exchange: u64, more: &Value| {
        let mut line = json!({"recorded": 1, "session": "s", "exchange": exchange});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line
    };
    let tools = json!([{"name": "look", "input_schema": {"type": "object"}}]);
    // The second was written before the first: what came first was asked first.
    let lines = [
        whole(
            2,
            &json!({"turns": [user("Hi"), agent("Hello."), user("Go on.")], "tools": tools, "system": "Serve.", "answer": [agent("Done.")]}),
        ),
        whole(
            1,
            &json!({"from": 2, "kept": 1, "same": {"tools": 2, "system": 2}, "turns": [], "answer": [agent("Hello.")]}),
        ),
        whole(
            3,
            &json!({"from": 2, "kept": 3, "same": {"tools": 2, "system": 2}, "turns": [agent("Done."), user("More.")], "answer": [agent("Bye.")]}),
        ),
    ];
    let record = Record { lines: lines.to_vec() };
    let read = record.read();
    let wanted = said(&["u Hi", "a Hello.", "u Go on.", "a Done.", "u More.", "a Bye."]);
    assert_eq!((read.len(), words(&read[0]).0), (1, wanted));
    assert_eq!((read[0].brief.as_str(), read[0].tools.len(), read[0].source.line), ("Serve.", 1, 2));
    // Answers that are named are gone on from, each time by a dialogue of its own.
    let linked = |exchange, after: Option<&str>, text: &str, id: &str| {
        whole(exchange, &json!({"turns": [user(text)], "after": after, "id": id, "answer": [agent(id)]}))
    };
    let lines =
        vec![linked(1, None, "Hi", "r1"), linked(2, Some("r1"), "Go on.", "r2"), linked(3, Some("r1"), "No.", "r3")];
    let wanted = [
        (said(&["u Hi", "a r1", "u Go on.", "a r2"]), vec![]),
        (said(&["u Hi", "a r1", "u No.", "a r3"]), vec![(Remark::SharedHistory, 1)]),
    ];
    assert_eq!(all(&Record { lines }), wanted);
    let lines = vec![linked(1, Some("r0"), "Go on.", "r1")];
    assert_eq!(all(&Record { lines }), [(said(&["u Go on.", "a r1"]), vec![(Remark::EarlierLog, 1)])]);
}

#[test]
fn lines_that_lead_nowhere_are_told_and_cost_themselves() {
    let good =
        json!({"recorded": 1, "session": "s", "exchange": 1, "turns": [user("Hi")], "answer": [agent("Hello.")]});
    let bad = [
        json!({"recorded": 2, "session": "s", "exchange": 2, "turns": [], "answer": []}),
        json!({"recorded": 1, "session": "s", "exchange": 3, "from": 9, "kept": 1, "turns": [], "answer": []}),
        json!({"recorded": 1, "session": "s", "exchange": 4, "from": 1, "kept": 2, "turns": [], "answer": []}),
        json!({"recorded": 1, "session": "t", "exchange": 5, "same": {"tools": 1}, "turns": [], "answer": []}),
        json!({"recorded": 1, "session": "s", "exchange": 6, "turns": []}),
        json!({"recorded": 1, "session": "s", "exchange": "7", "turns": [], "answer": []}),
        json!({"recorded": 1, "session": "s", "exchange": 8, "answer": []}),
    ];
    let text: String = std::iter::once(&good).chain(&bad).map(|line| format!("{line}\n")).collect();
    let (_, dialogues, unread) = read("record.jsonl", text.as_bytes());
    let lines: Vec<usize> = unread.iter().map(|one| one.line).collect();
    assert_eq!((dialogues.len(), lines), (1, vec![2, 3, 4, 5, 6, 7, 8]), "{unread:?}");
}

/// A record in which each request goes on from the one before, and none from an answer: all are dialogues.
#[test]
fn histories_that_are_told_again_and_again_have_an_end() {
    let long = "word ".repeat(1 << 16);
    let line = |n: u64| match n {
        1 => json!({"recorded": 1, "session": "s", "exchange": 1, "turns": [user(&long)], "answer": [agent("0")]}),
        n => {
            json!({"recorded": 1, "session": "s", "exchange": n, "from": n - 1, "kept": n - 1, "turns": [user("x")], "answer": [agent(&n.to_string())]})
        }
    };
    let text: String = (1..3000).map(|n| format!("{}\n", line(n))).collect();
    let (_, dialogues, unread) = read("record.jsonl", text.as_bytes());
    assert!(dialogues.len() > 700 && dialogues.len() < 2999, "{}", dialogues.len());
    assert!(unread.len() == 1 && unread[0].what.contains("again of each other"), "{unread:?}");
}
