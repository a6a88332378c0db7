//! The ticket suite from the command line: agents whose numbers are known by construction, and every command that
//! knows nothing of tickets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{
    code, contents, err, out, probity, probity_at, records, report, root, scratch, snapshots, succeeded, task, text,
    value,
};

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

#[test]
fn an_agent_in_a_process_begins_within_the_recorded_dialogue() {
    let folder = scratch("tickets-process");
    let agent = folder.join("agent.py");
    let source = "\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told['type'] == 'start':
        kind = lambda past: past.get('type') or ('calls' if 'calls' in past else 'reply')
        said = [kind(past) for past in told.get('history', [])]
    if told['type'] == 'user':
        print(json.dumps({'text': ' '.join(said)}), flush=True)
";
    std::fs::write(&agent, source).unwrap();
    let agent = format!("exec:python3 {}", agent.display());
    let chosen = ["--agent", &agent, "--isolate", "never", "--task", "renewal_charged_twice"];
    let directory = folder.join("run");
    let records = run(&directory, &[&chosen[..], &["--level", "checkpoint=cp2", "--set", "attempts=2"]].concat());
    let events = records[0]["trace"]["events"].as_array().unwrap();
    let replies: Vec<&str> = events.iter().filter_map(|event| event["text"].as_str()).skip(1).step_by(2).collect();
    let expected = "user reply user reply user calls observations reply";
    assert_eq!(replies, [expected, expected], "both attempts begin alike");
    assert_eq!(code(&probity(&["replay", directory.to_str().unwrap()])), 0);
}

/// From a raw dialogue to a run.
#[test]
fn raw_dialogues_become_tickets_that_are_played() {
    let folder = scratch("tickets-import");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let messages = r#"[{"role":"user","content":"Is srv-1 up? I am Mira, mira@mail.example.com"},
        {"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"server#look","arguments":"{\"server\":\"srv-1\"}"}}]},
        {"role":"tool","tool_call_id":"c","content":"{\"state\":\"up\"}"},
        {"role":"assistant","content":"It is up since Monday."}]"#
        .replace('\n', "");
    let known = r#""checkpoints":[{"turn":1,"reply_type":"solution","facts":["monday"]}]"#;
    let raw = format!("{{\"id\":\"up_1\",\"category\":\"server\",\"messages\":{messages},{known}}}\n");
    let (raw, names) = (file("raw.jsonl", &raw), file("names.txt", "Mira\n"));
    let ours = folder.join("out");
    let ours = ours.to_str().unwrap();
    succeeded(probity(&["import", "tickets", "--dialogues", &raw, "--names", &names, "--out", ours]));
    let ticket = text(Path::new(ours), "tickets/server/up_1.json");
    assert!(ticket.contains("Mi***, mi***@***.com") && ticket.contains("server_look"), "{ticket}");
    let again = probity(&["import", "tickets", "--dialogues", &raw, "--out", ours]);
    assert_eq!(code(&again), 2, "nothing is overwritten");
    let list = file("list.jsonl", &format!("[\"up_1\", \"server\", {messages}]\n"));
    let listed = probity(&["import", "tickets", "--dialogues", &list, "--out", ours]);
    assert!(code(&listed) == 2 && err(&listed).contains("line 1: a line is one JSON object"), "{}", err(&listed));
    let run = folder.join("run");
    let played = ["run", "--suite", "tickets", "--agent", "oracle", "--out", run.to_str().unwrap()];
    succeeded(probity_at(Path::new(ours), &played));
    assert!(text(&run, "report.json").contains("\"sr_pass1\""));
}

#[test]
fn options_that_the_suite_does_not_have_are_refused() {
    let out = scratch("tickets-refused").join("run");
    let with = |more: &[&str]| {
        let output = probity(&[&["run", "--out", out.to_str().unwrap()], more].concat());
        (code(&output), err(&output))
    };
    let tickets = ["--suite", "tickets", "--set"];
    assert_eq!(with(&[&tickets[..], &["attempts=3"]].concat()).0, 2);
    let (exit, said) = with(&[&tickets[..], &["tries=2"]].concat());
    assert!(exit == 2 && said.contains("it has attempts, policy, match, pick"), "{said}");
    let (exit, said) = with(&["--set", "attempts=2"]);
    assert!(exit == 2 && said.contains("the suite `behaviour` has no option `attempts`"), "{said}");
    assert!(!out.exists());
}

#[test]
fn commands_that_know_nothing_of_tickets_tell_of_them() {
    let folder = scratch("tickets-commands");
    let path = |name: &str| -> PathBuf { folder.join(name) };
    let same = ["--as", "desk"];
    run(&path("base"), &[&["--agent", "oracle"], &same[..]].concat());
    run(&path("new"), &[&["--agent", "fault:premature_close"], &same[..]].concat());
    let (base, new) = (path("base"), path("new"));
    let (base, new) = (base.to_str().unwrap(), new.to_str().unwrap());
    let few = path("few");
    run(&few, &["--agent", "oracle", "--limit", "12"]);
    let few = few.to_str().unwrap();
    for command in [&["replay", few][..], &["score", few], &["report", few], &["run", "--resume", few]] {
        assert_eq!(code(&probity(command)), 0, "{command:?}");
    }
    let markdown = path("c.md");
    let gate = |new: &str| code(&probity(&["compare", base, new, "--gate", "--markdown", markdown.to_str().unwrap()]));
    assert_eq!((gate(base), gate(new)), (0, 1));
    assert!(text(&folder, "c.md").contains("sr_pass1"));
    let shown = probity(&["show", new, "--failed", "--task", "renewal_charged_twice", "--level", "mode=multi_turn"]);
    snapshots("tickets").bind(|| insta::assert_snapshot!("a_ticket_that_is_closed_too_soon", out(&shown)));
    let report = report(&path("base"));
    let desk = &report["agents"]["desk"];
    assert_eq!(desk["overall"]["metrics"]["atpr"]["n"], 44);
    assert_eq!(desk["overall"]["metrics"]["atpr"]["not_scored"], 0, "it is not asked for in single turns");
    let kinds = desk["factors"]["reply_type"].as_object().unwrap();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}
