//! `probity export`: what is written is read back, by our own reader of logs and by the libraries of those whose forms
//! they are.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_logs::{Arguments, Call, CallResult, Dialogue, Event, Form, Reader};
use serde_json::{Value, json};

use crate::support::{
    binary, code, contents, copy, err, files, json as parsed, out, probity, python, records, run, said, scratch,
    succeeded, tells, text,
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

#[test]
fn what_cannot_be_written_is_refused_with_a_help_line() {
    let (folder, run) = played("exports-refused");
    let path = run.to_str().unwrap();
    let full = folder.join("full");
    copy(&run, &full);
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let cases: [(&[&str], &str); 12] = [
        (&["otell", path, "--out", &at("a.jsonl")], "did you mean `otel`"),
        (&["inspect", path, "--out", &at("a.txt")], "Inspect opens files that end in `.eval` or `.json`"),
        (&["atif", path, "--out", &at("a.json")], "let its name end in `.jsonl`"),
        (&["atif", path, "--out", &at("full")], "the folder is not empty"),
        (&["otel", path, "--out", &at("no/such/a.jsonl")], "help: name a file in a directory"),
        (&["otel", path, "--out", &at("run/episodes.jsonl")], "stays as it is"),
        (&["inspect", path, "--out", &at("run/run.json")], "stays as it is"),
        (&["otel", path, "--out", &at("full/../run/new.jsonl")], "stays as it is"),
        (&["atif", path, "--out", &at("run/inputs/new/folder")], "stays as it is"),
        (&["otel", path, "--out", &at("a.jsonl"), "--agent", "nobody"], "help: loosen the filters"),
        (&["otel", path, "--out", &at("a.jsonl"), "--level", "shape=round"], "has no factor `shape`"),
        (&["otel", &at("nowhere"), "--out", &at("a.jsonl")], "name a directory that `probity run` wrote"),
    ];
    for (arguments, wanted) in cases {
        tells(probity(&[&["export"], arguments].concat()), 2, err, &[wanted]);
    }
    assert!(!folder.join("a.jsonl").exists());
    assert_eq!(text(&run, "run.json"), text(&full, "run.json"));
    assert!(!run.join("new.jsonl").exists() && !run.join("inputs/new").exists());
    // What a record says of itself is not believed.
    let episodes = text(&full, "episodes.jsonl");
    fs::write(full.join("episodes.jsonl"), episodes.replacen("\"value\":0.0", "\"value\":1.0", 1)).unwrap();
    let out = folder.join("doubted.jsonl");
    let output = probity(&["export", "otel", full.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    tells(output, 1, said, &["diverged"]);
    export("otel", &run, &folder.join("sound.jsonl"), &[]);
    assert_eq!(contents(out), contents(folder.join("sound.jsonl")));
    // Nothing is overwritten, in no form; the same again is the same.
    for (form, name, _) in WAYS {
        let (own, made) = (folder.join(format!("own-{name}")), folder.join(name));
        match made.extension() {
            Some(_) => fs::write(&own, "mine").unwrap(),
            None => fs::create_dir(&own).and_then(|()| fs::write(own.join("mine"), "mine")).unwrap(),
        }
        let asked = |out: &Path| probity(&["export", form, path, "--out", out.to_str().unwrap()]);
        tells(asked(&own), 2, err, &["help: "]);
        assert!(files(&own).iter().all(|file| contents(file) == "mine"), "{form} {name}");
        succeeded(asked(&made));
        if made.is_file() {
            let before = fs::read(&made).unwrap();
            succeeded(asked(&made));
            assert_eq!(fs::read(&made).unwrap(), before, "{form} {name}");
            let fewer = [&["export", form, path, "--out", made.to_str().unwrap()][..], &["--agent", "noop"]].concat();
            tells(probity(&fewer), 2, err, &["exists already", "overwrites nothing"]);
            assert_eq!(fs::read(&made).unwrap(), before, "{form} {name}");
        }
    }
    assert!(fs::read_dir(&folder).unwrap().all(|entry| !entry.unwrap().file_name().to_str().unwrap().starts_with('.')));
    // Grades stand beside a run, and nobody is to think that it has none.
    let judged = |run: &Path| export("otel", run, &folder.join("judged.jsonl"), &[])["no_place"].to_string();
    assert!(!judged(&run).contains("judges"));
    fs::write(run.join("judgements.jsonl"), "{}\n").unwrap();
    assert!(judged(&run).contains("what judges said"));
}

/// A place for a virtual environment that is kept.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What a script says of some files, as JSON.
fn asked(python: &Path, script: &str, files: &[&Path]) -> Value {
    let output = Command::new(python).args(["-c", script]).args(files).output().unwrap();
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

const INSPECT: &str = r#"
import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
told = []
for path in sys.argv[1:]:
    log, header = read_eval_log(path), read_eval_log(path, header_only=True)
    assert log.status == "success" and len(read_eval_log_sample_summaries(path)) == len(log.samples)
    assert header.results.total_samples == len(log.samples)
    samples = []
    for s in log.samples:
        calls = sum(len(m.tool_calls or []) for m in s.messages if m.role == "assistant")
        models = [e for e in s.events if e.event == "model"]
        tools = [e for e in s.events if e.event == "tool"]
        assert all(e.tools for e in models) and len(tools) == calls
        assert not models or [m.text for m in models[-1].input] == [m.text for m in s.messages][:len(models[-1].input)]
        assert not models or models[-1].input
        assert [m.error is None for m in s.messages if m.role == "tool"] == [e.error is None for e in tools]
        samples.append({"digest": s.metadata["digest"], "calls": calls, "messages": len(s.messages)})
    told.append({"samples": samples, "scores": [sorted(s.scores) for s in log.samples],
        "refused": sum(m.role == "tool" and m.error is not None for s in log.samples for m in s.messages),
        "sr": {k: m.value for k, m in header.results.scores[0].metrics.items()}})
print(json.dumps(told))
"#;

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

const HARBOR: &str = r#"
import json, sys
from harbor.models.trajectories import Trajectory
told = []
for path in sys.argv[1:]:
    for line in open(path):
        t = Trajectory(**json.loads(line))
        assert t.agent.tool_definitions and t.steps[0].source == "system"
        calls = [c for s in t.steps for c in s.tool_calls or []]
        told.append({"digest": t.extra["digest"], "calls": len(calls), "messages": len(t.steps)})
print(json.dumps(told))
"#;

#[test]
fn harbor_reads_its_trajectories() {
    let (folder, run) = played("exports-harbor");
    let Some(python) = python(&kept("venv-harbor"), (3, 12), &["pydantic"], &["harbor"], "harbor.models.trajectories")
    else {
        return;
    };
    let lines = folder.join("run.jsonl");
    export("atif", &run, &lines, &[]);
    assert_eq!(asked(&python, HARBOR, &[&lines]), wanted(&run, false));
}

const OTLP: &str = r#"
import json, sys
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData, Status
told, traces = [], set()
for line in open(sys.argv[1]):
    data = json_format.Parse(line, TracesData())
    spans = data.resource_spans[0].scope_spans[0].spans
    values = [{a.key: getattr(a.value, a.value.WhichOneof("value")) for a in s.attributes} for s in spans]
    agent = values[0]
    assert agent["gen_ai.operation.name"] == "invoke_agent" and agent["gen_ai.tool.definitions"]
    assert len({s.span_id for s in spans}) == len(spans) and len({s.trace_id for s in spans}) == 1
    assert all(s.parent_span_id == spans[0].span_id for s in spans[1:])
    traces.add(spans[0].trace_id)
    calls = [v for v in values if v["gen_ai.operation.name"] == "execute_tool"]
    failed = [s for s in spans if s.status.code == Status.STATUS_CODE_ERROR]
    assert len(failed) == sum("error.type" in v for v in calls)
    messages = json.loads(agent["gen_ai.input.messages"]) + json.loads(agent.get("gen_ai.output.messages", "[]"))
    messages = 1 + sum(m["role"] != "tool" for m in messages)
    told.append({"digest": agent["probity.digest"], "calls": len(calls), "messages": messages})
assert len(traces) == len(told)
print(json.dumps(told))
"#;

#[test]
fn opentelemetry_reads_its_spans() {
    let (folder, run) = played("exports-otlp");
    let module = "opentelemetry.proto.trace.v1.trace_pb2";
    let Some(python) = python(&kept("venv-otlp"), (3, 9), &["opentelemetry-proto"], &[], module) else { return };
    let lines = folder.join("run.jsonl");
    export("otel", &run, &lines, &[]);
    assert_eq!(asked(&python, OTLP, &[&lines]), wanted(&run, false));
}

#[test]
fn the_help_names_every_form() {
    let help = out(&binary().args(["export", "--help"]).output().unwrap());
    for form in probity_export::FORMS {
        assert!(help.contains(form.name), "{help}");
    }
}
