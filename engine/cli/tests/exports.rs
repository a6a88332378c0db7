//! `probity export`: what is written is read back, by our own reader of logs and by the libraries of those whose forms
//! they are.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_logs::{Arguments, Call, CallResult, Dialogue, Event, Form, Reader};
use serde_json::{Value, json};

use crate::support::{
    binary, code, contents, err, files, json as parsed, keeps_bytecode, out, probity, python, records, run, scratch,
    succeeded, text,
};

const TASK: &str = "finance/bank/mislaid_card";
/// Agents of which some are refused calls, some make up tools, and some do nothing; in order.
const AGENTS: [&str; 4] = ["fault:claims_after_error", "fault:unknown_tool", "heuristic", "noop"];

/// A run of one task, and the folder that it stands in.
fn played(name: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    let path = folder.join("run");
    let agents = AGENTS.iter().flat_map(|agent| ["--agent", agent]);
    succeeded(run(&path, &agents.chain(["--task", TASK, "--trials", "2", "-q"]).collect::<Vec<_>>()));
    (folder, path)
}

/// Each way to write a run: its form, and the name of what is written.
const WAYS: [(&str, &str, Form); 5] = [
    ("inspect", "run.eval", Form::Inspect),
    ("inspect", "run.json", Form::Inspect),
    ("atif", "run.jsonl", Form::Atif),
    ("atif", "folder", Form::Atif),
    ("otel", "spans.jsonl", Form::Otel),
];

fn export(form: &str, run: &Path, out: &Path, more: &[&str]) -> Value {
    let start = ["--json", "export", form, run.to_str().unwrap(), "--out", out.to_str().unwrap()];
    parsed(&succeeded(probity(&[&start, more].concat())))
}

fn dialogues(path: &Path, form: Form) -> Vec<Dialogue> {
    let read = |path: PathBuf| {
        let mut reader = Reader::new("log", File::open(path).unwrap(), None);
        let all: Vec<Dialogue> = reader.by_ref().map(|read| read.unwrap_or_else(|unread| panic!("{unread}"))).collect();
        assert_eq!(reader.found().map(|found| found.form), Some(form));
        all
    };
    files(path).into_iter().flat_map(read).collect()
}

/// What was said and called, without where it stands; what was returned, where nothing was refused.
fn course(dialogue: &Dialogue) -> Vec<Value> {
    let call = |by: &str, call: &Call| {
        let arguments = match &call.arguments {
            Arguments::Named(map) => Value::Object(map.clone()),
            Arguments::Raw(text) => Value::from(text.as_str()),
        };
        let returned = match &call.result {
            // Only in a text is a number told from its digits.
            CallResult::Ok { observation } if observation.is_object() || observation.is_array() => observation.clone(),
            CallResult::Ok { observation } => observation.to_string().trim_matches('"').into(),
            CallResult::Error { .. } => json!("refused"),
            CallResult::Missing => json!("missing"),
        };
        let is_refused = returned.get("error").is_some();
        json!([by, call.tool, arguments, if is_refused { json!("refused") } else { returned }])
    };
    let of = |event: &Event| match event {
        Event::User { text, .. } => json!(["user", text]),
        Event::Agent { text, .. } => json!(["agent", text]),
        Event::Told { text, .. } => json!(["told", text]),
        Event::Call(made) => call("agent", made),
        Event::UserCall(made) => call("user", made),
    };
    dialogue.events.iter().map(of).collect()
}

#[test]
fn every_form_holds_the_same_dialogues() {
    let (folder, run) = played("exports-same");
    let own = dialogues(&run.join("episodes.jsonl"), Form::Probity);
    let calls = |dialogue: &Dialogue| dialogue.events.iter().filter(|event| matches!(event, Event::Call(_))).count();
    let refused = own.iter().flat_map(course).filter(|event| event.get(3) == Some(&json!("refused"))).count();
    assert!(own.len() >= 40 && own.iter().map(calls).sum::<usize>() > 40 && refused > 5, "{} {refused}", own.len());
    let prompt = parsed(&probity(&["show", TASK, "--prompt", "--json"]));
    for (form, name, wanted) in WAYS {
        let out = folder.join(name);
        let told = export(form, &run, &out, &[]);
        let read = dialogues(&out, wanted);
        assert_eq!(read.len(), own.len(), "{name}");
        assert_eq!(told["episodes"], own.len(), "{name}");
        assert_eq!(told["messages"], records(&run).iter().map(messages).sum::<usize>(), "{name}");
        assert_eq!(told["calls"], own.iter().map(calls).sum::<usize>(), "{name}");
        for (read, own) in read.iter().zip(&own) {
            assert_eq!(course(read), course(own), "{name}: {}", own.id);
            assert!(prompt["system"].as_str().unwrap().trim() == read.brief.trim(), "{name}: {}", read.brief);
            assert_eq!(read.tools.len(), prompt["tools"].as_array().unwrap().len(), "{name}");
            assert_eq!((&read.start, read.remarks.is_empty()), (&None, true), "{name}: {:?}", read.remarks);
        }
    }
}

/// The messages of both sides in a record.
fn messages(record: &Value) -> usize {
    let events = record["trace"]["events"].as_array().unwrap();
    let users = events.iter().filter(|event| event["type"] == "user").count();
    let mut numbers: Vec<u64> = events
        .iter()
        .filter(|e| e["type"] == "reply" || e["type"] == "step")
        .filter_map(|e| e["message"].as_u64())
        .collect();
    numbers.dedup();
    users + numbers.len()
}

/// Findings by dialogue, without their words, which quote a refusal as it stands in the log.
fn findings(audited: &Value) -> Vec<Vec<String>> {
    let plain = |found: &Value| {
        let [code, verdict, step, start, end] = ["code", "verdict", "step", "start", "end"].map(|key| &found[key]);
        format!("{code} {verdict} step {step} {start}..{end}")
    };
    let of = |episode: &Value| episode["findings"].as_array().unwrap().iter().map(plain).collect();
    audited["episodes"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn an_audit_finds_the_same_in_every_form() {
    let (folder, run) = played("exports-audit");
    let prompt = parsed(&probity(&["show", TASK, "--prompt", "--json"]));
    let (tools, brief) = (folder.join("tools.json"), folder.join("brief.md"));
    fs::write(&tools, prompt["tools"].to_string()).unwrap();
    fs::write(&brief, prompt["system"].as_str().unwrap()).unwrap();
    let audit = |path: &Path, more: &[&str]| {
        findings(&parsed(&probity(&[&["audit", "-q", "--json", path.to_str().unwrap()], more].concat())))
    };
    // A trace holds the hash of what the agent was told.
    let given = ["--tools", tools.to_str().unwrap(), "--brief", brief.to_str().unwrap()];
    let own = audit(&run.join("episodes.jsonl"), &given);
    let found = own.concat().join("\n");
    assert!(
        ["tool_refused", "repeated_call", "unknown_tool", "unsupported"].iter().all(|code| found.contains(code)),
        "{found}"
    );
    for (form, name, _) in WAYS {
        let out = folder.join(name);
        export(form, &run, &out, &[]);
        assert_eq!(audit(&out, &[]), own, "{name}");
    }
}

#[test]
fn what_was_not_scored_has_no_score_and_the_same_run_the_same_bytes() {
    let (folder, run) = played("exports-bytes");
    for (form, name, _) in WAYS {
        let [one, two] = ["one", "two"].map(|at| folder.join(at).join(name));
        for out in [&one, &two] {
            fs::create_dir_all(out.parent().unwrap()).unwrap();
            export(form, &run, out, &[]);
        }
        let bytes = |path: &Path| files(path).iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>();
        assert!(bytes(&one) == bytes(&two), "{name}");
    }
    let log: Value = serde_json::from_str(&text(&folder, "one/run.json")).unwrap();
    let (mut scored, mut not) = (0, 0);
    for (record, sample) in records(&run).iter().zip(log["samples"].as_array().unwrap()) {
        for (metric, reading) in record["scores"]["metrics"].as_object().unwrap() {
            let (own, why) = (sample["scores"].get(metric), &sample["metadata"]["not_scored"][metric]);
            match reading["status"] == "scored" {
                true => assert_eq!(own.unwrap()["value"].as_f64(), reading["value"].as_f64()),
                false => assert!(own.is_none() && *why == reading["reason"], "{metric}: {sample}"),
            }
            *(if own.is_some() { &mut scored } else { &mut not }) += 1;
        }
        assert_eq!(sample["metadata"]["digest"], record["digest"]);
        assert_eq!(
            sample["metadata"]["end"]["reason"],
            record["trace"]["events"].as_array().unwrap().last().unwrap()["reason"]
        );
        let found = record["scores"]["found"].as_array().unwrap().iter();
        let found: usize = found.map(|found| found["findings"].as_array().unwrap().len()).sum();
        assert_eq!(sample["metadata"]["findings"].as_array().map_or(0, Vec::len), found);
    }
    assert!(scored > 100 && not > 10, "{scored} {not}");
    // Of one agent there is a mean, of several one each.
    let sr =
        |log: &Value| log["results"]["scores"][0]["metrics"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(sr(&log), AGENTS);
    let one = folder.join("noop.json");
    assert_eq!(export("inspect", &run, &one, &["--agent", "noop", "--variant", "ideal"])["episodes"], 2);
    assert_eq!(sr(&serde_json::from_str(&contents(&one)).unwrap()), ["mean"]);
}

/// Also where an episode was cut within its calls.
#[test]
fn the_output_of_a_sample_is_what_its_model_said_last() {
    let folder = scratch("exports-last");
    let (path, out) = (folder.join("run"), folder.join("run.json"));
    succeeded(run(&path, &["--agent", "heuristic", "--task", TASK, "--max-messages", "3", "-q"]));
    export("inspect", &path, &out, &[]);
    let log: Value = serde_json::from_str(&contents(&out)).unwrap();
    let mut cut = 0;
    for sample in log["samples"].as_array().unwrap() {
        let model = sample["events"].as_array().unwrap().iter().rfind(|event| event["event"] == "model");
        let choices = model.map_or(json!([]), |event| event["output"]["choices"].clone());
        assert_eq!(sample["output"]["choices"], choices);
        cut += usize::from(choices[0]["stop_reason"] == "tool_calls");
    }
    assert!(cut > 0);
}

/// What an agent was told is known in every suite, and the user's own calls are kept.
#[test]
fn every_suite_is_exported_with_its_briefs() {
    let folder = scratch("exports-suites");
    for (suite, agent) in [("tickets", "oracle"), ("mm-tau", "oracle")] {
        let path = folder.join(suite);
        succeeded(run(&path, &["--suite", suite, "--agent", agent, "--limit", "4", "-q"]));
        let out = folder.join(format!("{suite}.jsonl"));
        let told = export("atif", &path, &out, &[]);
        assert!(!told["no_place"].to_string().contains("brief"), "{told:#}");
        let user = |record: &Value| {
            record["trace"]["events"].as_array().unwrap().iter().filter(|event| event["actor"] == "user").count()
        };
        let lines: Vec<Value> = contents(&out).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let users: Vec<usize> = records(&path).iter().map(user).collect();
        let kept = lines.iter().map(|line| line["extra"]["user_calls"].as_array().map_or(0, Vec::len));
        assert_eq!(kept.collect::<Vec<usize>>(), users);
        assert_eq!(told["no_place"].to_string().contains("user's own"), users.iter().sum::<usize>() > 0, "{suite}");
        assert!(lines.iter().all(|line| line["steps"][0]["source"] == "system"));
        assert!(suite != "tickets" || lines.iter().any(|line| line["extra"]["history"].is_array()));
        assert!(suite != "mm-tau" || users.iter().sum::<usize>() > 0);
    }
}

/// A place for a virtual environment that is kept.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What a script says of some files, as JSON.
fn asked(python: &Path, script: &str, files: &[&Path]) -> Value {
    let output = keeps_bytecode(&mut Command::new(python)).args(["-c", script]).args(files).output().unwrap();
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    serde_json::from_str(&out(&output)).unwrap()
}

/// Digests, calls and messages of records, as the scripts below tell them; a form has one message more for the brief,
/// and where results stand alone one for each.
fn wanted(run: &Path, results_are_messages: bool) -> Value {
    let of = |record: &Value| {
        let steps = record["trace"]["events"].as_array().unwrap().iter().filter(|e| e["type"] == "step").count();
        let more = if results_are_messages { steps } else { 0 };
        json!({"digest": record["digest"], "calls": steps, "messages": messages(record) + 1 + more})
    };
    records(run).iter().map(of).collect()
}

const INSPECT: &str = include_str!("cases/readers/inspect_log.py");

#[test]
fn inspect_reads_its_logs() {
    let (folder, run) = played("exports-inspect");
    let Some(python) = python(&kept("venv-inspect"), (3, 10), &["inspect_ai"], &[], "inspect_ai.log") else { return };
    let [one, two] = ["run.eval", "run.json"].map(|name| folder.join(name));
    [&one, &two].into_iter().for_each(|out| drop(export("inspect", &run, out, &[])));
    let told = asked(&python, INSPECT, &[&one, &two]);
    for log in told.as_array().unwrap() {
        assert_eq!(sorted(&log["samples"]), sorted(&wanted(&run, true)));
        assert!(log["refused"].as_u64().unwrap() > 5 && log["sr"]["noop"] == 0.0, "{log}");
    }
    assert_eq!(sorted(&told[0]["scores"]), sorted(&told[1]["scores"]));
}

/// Inspect puts samples into an order of its own.
fn sorted(list: &Value) -> Vec<String> {
    let mut all: Vec<String> = list.as_array().unwrap().iter().map(Value::to_string).collect();
    all.sort();
    all
}

/// Of each form the packages of those whose it is, the least Python of theirs, their module, and what it is asked.
#[test]
fn harbor_and_opentelemetry_read_what_is_theirs() {
    let (folder, run) = played("exports-theirs");
    let (harbor, otlp) = (include_str!("cases/readers/harbor.py"), include_str!("cases/readers/otlp.py"));
    let traces = "opentelemetry.proto.trace.v1.trace_pb2";
    for (form, least, packages, bare, module, script) in [
        ("atif", (3, 12), &["pydantic"][..], &["harbor"][..], "harbor.models.trajectories", harbor),
        ("otel", (3, 9), &["opentelemetry-proto"], &[], traces, otlp),
    ] {
        let Some(python) = python(&kept(&format!("venv-{form}")), least, packages, bare, module) else { continue };
        let lines = folder.join(format!("{form}.jsonl"));
        export(form, &run, &lines, &[]);
        assert_eq!(asked(&python, script, &[&lines]), wanted(&run, false), "{form}");
    }
}

#[test]
fn the_help_names_every_form() {
    let help = out(&binary().args(["export", "--help"]).output().unwrap());
    for form in probity_export::FORMS {
        assert!(help.contains(form.name), "{help}");
    }
}
