//! `probity audit`: the same ten dialogues, written once and rendered in every form of log, give the same findings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{cases, json as parsed, probity, scratch};

const START: &str = "2026-05-04T09:00:00Z";

/// What a form cannot say, or only beside it.
#[derive(Clone, Copy, Default)]
struct Lacks {
    /// Nothing marks a refusal: one that does not word itself as one is taken for an answer.
    refusals: bool,
    /// Definitions of tools and the brief are given with `--tools` and `--brief`.
    tools: bool,
    brief: bool,
}

/// One file of a form: its name and its text.
type Render = fn(&[Value]) -> String;

const ALL: Lacks = Lacks { refusals: false, tools: false, brief: false };
const MARKLESS: Lacks = Lacks { refusals: true, ..ALL };

/// Chat messages, items of the Responses API, steps of Harbor, ShareGPT and Codex have no mark of a refusal; sessions of
/// Claude Code hold neither brief nor tools, rollouts of Codex no tools.
const FORMS: [(&str, Lacks, Render); 13] = [
    ("anthropic", ALL, anthropic),
    ("atif", MARKLESS, atif),
    ("chat", MARKLESS, chat),
    ("claude-code", Lacks { tools: true, brief: true, ..ALL }, claude_code),
    ("codex", Lacks { tools: true, ..MARKLESS }, codex),
    ("inspect", ALL, inspect),
    ("langfuse", ALL, langfuse),
    ("langsmith", ALL, langsmith),
    ("otel", ALL, otel),
    ("probity", ALL, probity_dialogues),
    ("responses", MARKLESS, responses),
    ("sharegpt", MARKLESS, sharegpt),
    ("tau2", ALL, tau2),
];

/// What is not found where refusals are not marked: the one that is worded as none.
const UNMARKED: (&str, &str) = ("room_taken", "tool_refused");

/// A finding without where its message stands, which is each form's own.
fn plain(finding: &Value) -> String {
    let text = finding["text"].as_str().unwrap();
    let mut words = Vec::new();
    let mut is_number = false;
    for word in text.split(' ') {
        words.push(if is_number { "N" } else { word });
        is_number = word == "message";
    }
    let [code, verdict, step, start, end] = ["code", "verdict", "step", "start", "end"].map(|key| &finding[key]);
    format!("{code} {verdict} step {step} {start}..{end} {}", words.join(" "))
}

fn findings(audited: &Value) -> BTreeMap<String, Vec<String>> {
    let of = |episode: &Value| {
        let found = episode["findings"].as_array().unwrap().iter().map(plain).collect();
        let id = episode["id"].as_str().unwrap().trim_end_matches("/1").to_owned();
        (id, found)
    };
    audited["episodes"].as_array().unwrap().iter().map(of).collect()
}

/// The findings of ten dialogues in a form; what it lacks is given beside it, a dialogue at a time.
fn audited(folder: &Path, ten: &[Value], name: &str, lacks: Lacks, render: Render) -> BTreeMap<String, Vec<String>> {
    let audit = |dialogues: &[Value], more: &[&str]| {
        let file = folder.join(format!("{name}.log"));
        fs::write(&file, render(dialogues)).unwrap();
        let output = probity(&[&["audit", "-q", "--json", file.to_str().unwrap()], more].concat());
        let audited = parsed(&output);
        assert_eq!(audited["summary"]["unread"]["count"], 0, "{name}: {:#}", audited["summary"]["unread"]);
        assert_eq!(audited["summary"]["files"][0]["found"]["form"], name);
        findings(&audited)
    };
    if !lacks.tools && !lacks.brief {
        return audit(ten, &[]);
    }
    let mut all = BTreeMap::new();
    for dialogue in ten {
        let (tools, brief) = (folder.join("tools.json"), folder.join("brief.md"));
        fs::write(&tools, dialogue["tools"].to_string()).unwrap();
        fs::write(&brief, dialogue["brief"].as_str().unwrap()).unwrap();
        let mut more = vec!["--tools", tools.to_str().unwrap()];
        if lacks.brief {
            more.extend(["--brief", brief.to_str().unwrap()]);
        }
        all.extend(audit(std::slice::from_ref(dialogue), &more));
    }
    all
}

#[test]
fn ten_dialogues_give_the_same_findings_in_every_form() {
    let folder = scratch("audit_forms");
    let ten: Vec<Value> = serde_json::from_str(&fs::read_to_string(cases("audit").join("ten.json")).unwrap()).unwrap();
    assert_eq!(ten.len(), 10);
    let wanted = audited(&folder, &ten, "anthropic", ALL, anthropic);
    let codes = |id: &str| {
        let codes = wanted[id].iter().map(|one| one.split('"').nth(1).unwrap().to_owned());
        codes.collect::<Vec<String>>().join(" ")
    };
    for (id, expected) in [
        ("press_price", "wrong_value"),
        ("press_time", "wrong_value"),
        ("ferry_rule", "misquoted_rule"),
        ("ferry_deed", "ungrounded_action ungrounded_action"),
        ("loan_refused", "claimed_after_error tool_refused"),
        ("room_taken", "tool_refused"),
        ("garage_final", "no_consent"),
        ("garage_batch", "same_batch"),
        ("tour_count", "wrong_value wrong_value"),
        ("tour_twice", "ungrounded_argument repeated_write ungrounded_argument"),
    ] {
        assert_eq!(codes(id), expected, "{id}: {:#?}", wanted[id]);
    }
    let mut wrong = Vec::new();
    for (name, lacks, render) in FORMS {
        let mut found = audited(&folder, &ten, name, lacks, render);
        if lacks.refusals {
            let (id, code) = UNMARKED;
            let unmarked = found.get_mut(id).unwrap();
            assert!(!unmarked.iter().any(|one| one.contains(code)), "{name} marks a refusal");
            unmarked.extend(wanted[id].iter().filter(|one| one.contains(code)).cloned());
        }
        for (id, expected) in &wanted {
            if found.get(id) != Some(expected) {
                wrong.push(format!("{name}, {id}: {:#?} instead of {expected:#?}", found.get(id)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn lines(all: impl IntoIterator<Item = Value>) -> String {
    all.into_iter().map(|line| format!("{line}\n")).collect()
}

/// What a call returned, as a text, and whether it was refused.
fn told(call: &Value) -> (String, bool) {
    match call["refused"].as_str() {
        Some(reason) => (reason.to_owned(), true),
        None => (call["returns"].to_string(), false),
    }
}

/// The messages of a dialogue, its calls with an id.
fn messages(dialogue: &Value) -> Vec<Value> {
    let mut all = dialogue["messages"].as_array().unwrap().clone();
    let mut count = 0;
    for message in &mut all {
        for call in message["calls"].as_array_mut().into_iter().flatten() {
            count += 1;
            call["id"] = json!(format!("call_{count}"));
        }
    }
    all
}

/// The messages of a dialogue as a form has them: what the user says, what the agent says, and its calls together.
fn rendered(
    dialogue: &Value,
    user: impl Fn(&Value) -> Value,
    agent: impl Fn(&Value) -> Value,
    calls: impl Fn(&Value) -> Vec<Value>,
) -> Vec<Value> {
    let of = |message: Value| match (message.get("user"), message.get("agent")) {
        (Some(text), _) => vec![user(text)],
        (_, Some(text)) => vec![agent(text)],
        (None, None) => calls(&message),
    };
    messages(dialogue).into_iter().flat_map(of).collect()
}

fn calls(message: &Value) -> impl Iterator<Item = &Value> {
    message["calls"].as_array().into_iter().flatten()
}

fn functions(dialogue: &Value) -> Value {
    let tools = dialogue["tools"].as_array().unwrap().iter();
    tools.map(|tool| json!({"type": "function", "function": tool})).collect()
}

/// Messages of chat completions, the system's first; `result` writes a refusal or an answer.
fn chat_messages(dialogue: &Value, result: fn(&Value) -> Value) -> Vec<Value> {
    let said = |role: &'static str| move |text: &Value| json!({"role": role, "content": text});
    let made = |call: &Value| {
        let function = json!({"name": call["tool"], "arguments": call["arguments"].to_string()});
        json!({"id": call["id"], "type": "function", "function": function})
    };
    let turns = rendered(dialogue, said("user"), said("assistant"), |message| {
        let made: Vec<Value> = calls(message).map(made).collect();
        let asked = json!({"role": "assistant", "content": null, "tool_calls": made});
        std::iter::once(asked).chain(calls(message).map(result)).collect()
    });
    [vec![said("system")(&dialogue["brief"])], turns].concat()
}

fn unmarked(call: &Value) -> Value {
    json!({"role": "tool", "tool_call_id": call["id"], "content": told(call).0})
}

fn chat(ten: &[Value]) -> String {
    lines(ten.iter().map(|one| {
        json!({"id": one["id"], "created_at": START, "tools": functions(one), "messages": chat_messages(one, unmarked)})
    }))
}

fn anthropic(ten: &[Value]) -> String {
    let user = |text: &Value| json!({"role": "user", "content": text});
    let agent = |text: &Value| json!({"role": "assistant", "content": [{"type": "text", "text": text}]});
    let asked = |message: &Value| {
        let made = calls(message).map(
            |call| json!({"type": "tool_use", "id": call["id"], "name": call["tool"], "input": call["arguments"]}),
        );
        let results = calls(message).map(|call| {
            let (text, is_error) = told(call);
            json!({"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": is_error})
        });
        vec![
            json!({"role": "assistant", "content": made.collect::<Vec<Value>>()}),
            json!({"role": "user", "content": results.collect::<Vec<Value>>()}),
        ]
    };
    lines(ten.iter().map(|one| {
        let tools = one["tools"].as_array().unwrap().iter().map(
            |tool| json!({"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]}),
        );
        json!({"id": one["id"], "created_at": START, "system": one["brief"], "tools": tools.collect::<Vec<Value>>(),
            "messages": rendered(one, user, agent, asked)})
    }))
}

/// Items of the Responses API; Codex writes the same.
fn items(dialogue: &Value) -> Vec<Value> {
    let words = |role: &str, kind: &str, text: &Value| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let (user, agent) =
        (|text: &Value| words("user", "input_text", text), |text: &Value| words("assistant", "output_text", text));
    rendered(dialogue, user, agent, |message| {
        let made = calls(message).map(|call| {
            json!({"type": "function_call", "call_id": call["id"], "name": call["tool"],
                "arguments": call["arguments"].to_string()})
        });
        let results = calls(message)
            .map(|call| json!({"type": "function_call_output", "call_id": call["id"], "output": told(call).0}));
        made.chain(results).collect()
    })
}

fn responses(ten: &[Value]) -> String {
    lines(ten.iter().map(|one| {
        let tools = one["tools"].as_array().unwrap().iter().map(|tool| {
            json!({"type": "function", "name": tool["name"], "description": tool["description"],
                "parameters": tool["parameters"]})
        });
        json!({"id": one["id"], "created_at": START, "instructions": one["brief"], "tools": tools.collect::<Vec<Value>>(),
            "input": items(one)})
    }))
}

fn codex(ten: &[Value]) -> String {
    let of = |one: &Value| -> Vec<Value> {
        let line = |kind: &str, payload: Value| json!({"timestamp": START, "type": kind, "payload": payload});
        let about =
            json!({"id": one["id"], "timestamp": START, "cwd": "/desk", "base_instructions": {"text": one["brief"]}});
        let items = items(one).into_iter().map(|item| line("response_item", item));
        std::iter::once(line("session_meta", about)).chain(items).collect()
    };
    lines(ten.iter().flat_map(of))
}

fn atif(ten: &[Value]) -> String {
    let said = |source: &'static str| move |text: &Value| json!({"source": source, "message": text});
    let asked = |message: &Value| {
        let made = calls(message).map(
            |call| json!({"tool_call_id": call["id"], "function_name": call["tool"], "arguments": call["arguments"]}),
        );
        let results = calls(message).map(|call| json!({"source_call_id": call["id"], "content": told(call).0}));
        vec![json!({"source": "agent", "message": "", "tool_calls": made.collect::<Vec<Value>>(),
            "observation": {"results": results.collect::<Vec<Value>>()}})]
    };
    lines(ten.iter().map(|one| {
        let system = json!({"source": "system", "message": one["brief"], "timestamp": START});
        let steps = [vec![system], rendered(one, said("user"), said("agent"), asked)].concat();
        json!({"schema_version": "ATIF-v1.8", "session_id": one["id"], "steps": steps,
            "agent": {"name": "a", "version": "1", "tool_definitions": functions(one)}})
    }))
}

fn sharegpt(ten: &[Value]) -> String {
    let said = |from: &'static str| move |text: &Value| json!({"from": from, "value": text});
    let asked = |message: &Value| {
        let made: Value =
            calls(message).map(|call| json!({"name": call["tool"], "arguments": call["arguments"]})).collect();
        let results = calls(message).map(|call| json!({"from": "observation", "value": told(call).0}));
        std::iter::once(json!({"from": "function_call", "value": made.to_string()})).chain(results).collect()
    };
    lines(ten.iter().map(|one| {
        let list = rendered(one, said("human"), said("gpt"), asked);
        json!({"id": one["id"], "system": one["brief"], "tools": one["tools"].to_string(), "conversations": list})
    }))
}

fn inspect(ten: &[Value]) -> String {
    let result = |call: &Value| {
        let (text, is_error) = told(call);
        let error = is_error.then(|| json!({"type": "unknown", "message": text}));
        json!({"role": "tool", "tool_call_id": call["id"], "content": if is_error { "" } else { &text }, "error": error})
    };
    let samples = ten.iter().map(|one| {
        json!({"id": one["id"], "epoch": 1, "started_at": START, "messages": chat_messages(one, result),
            "events": [{"event": "model", "tools": one["tools"]}], "attachments": {}})
    });
    json!({"version": 2, "status": "success", "eval": {"task": "ten", "created": START},
        "samples": samples.collect::<Vec<Value>>()})
    .to_string()
}

fn tau2(ten: &[Value]) -> String {
    let result = |call: &Value| {
        let (text, is_error) = told(call);
        json!({"role": "tool", "id": call["id"], "content": text, "requestor": "assistant", "error": is_error})
    };
    lines(ten.iter().map(|one| {
        let about = json!({"policy": one["brief"], "tool_defs": one["tools"]});
        json!({"id": one["id"], "task_id": "t", "trial": 0, "start_time": START, "termination_reason": "user_stop",
            "environment_info": about, "messages": chat_messages(one, result).split_off(1)})
    }))
}

fn probity_dialogues(ten: &[Value]) -> String {
    lines(ten.iter().map(|one| {
        let mut number = 0;
        let events = messages(one).into_iter().map(|message| {
            if let Some(text) = message.get("user") {
                return json!({"user": text});
            }
            number += 1;
            if let Some(text) = message.get("agent") {
                return json!({"message": number, "text": text});
            }
            let made = calls(&message).map(|call| match call.get("refused") {
                Some(reason) => json!({"tool": call["tool"], "arguments": call["arguments"], "error": reason}),
                None => json!({"tool": call["tool"], "arguments": call["arguments"], "observation": call["returns"]}),
            });
            json!({"message": number, "calls": made.collect::<Vec<Value>>()})
        });
        let events: Vec<Value> = events.collect();
        json!({"id": one["id"], "agent": "a", "task": "t", "brief": one["brief"], "tools": one["tools"], "date": START,
            "events": events})
    }))
}

fn claude_code(ten: &[Value]) -> String {
    let of = |one: &Value| -> Vec<Value> {
        let id = one["id"].as_str().unwrap();
        let mut all: Vec<Value> = Vec::new();
        let mut add = |kind: &str, content: Value| {
            let parent = all.len().checked_sub(1).map(|at| format!("{id}-{at}"));
            let message = match kind {
                "assistant" => {
                    json!({"id": format!("msg_{}", all.len()), "role": kind, "type": "message", "content": content})
                }
                _ => json!({"role": kind, "content": content}),
            };
            all.push(json!({"parentUuid": parent, "isSidechain": false, "type": kind, "sessionId": id,
                "uuid": format!("{id}-{}", all.len()), "timestamp": START, "message": message}));
        };
        for message in messages(one) {
            if let Some(text) = message.get("user") {
                add("user", text.clone());
            } else if let Some(text) = message.get("agent") {
                add("assistant", json!([{"type": "text", "text": text}]));
            } else {
                let made = calls(&message).map(
                    |call| json!({"type": "tool_use", "id": call["id"], "name": call["tool"], "input": call["arguments"]}),
                );
                add("assistant", made.collect());
                for call in calls(&message) {
                    let (text, is_error) = told(call);
                    add(
                        "user",
                        json!([{"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": is_error}]),
                    );
                }
            }
        }
        all
    };
    lines(ten.iter().flat_map(of))
}

/// The requests to a model that a dialogue takes: what each was sent, and what it answered.
fn requests(dialogue: &Value, result: fn(&Value) -> Value) -> Vec<(Vec<Value>, Value)> {
    let all = chat_messages(dialogue, result);
    let is_agent = |at: &usize| all[*at]["role"] == "assistant";
    (0..all.len()).filter(is_agent).map(|at| (all[..at].to_vec(), all[at].clone())).collect()
}

fn marked(call: &Value) -> Value {
    let (text, is_error) = told(call);
    let mut result = json!({"role": "tool", "tool_call_id": call["id"], "content": text});
    if is_error {
        result["status"] = json!("error");
    }
    result
}

fn langsmith(ten: &[Value]) -> String {
    let of = |one: &Value| -> Vec<Value> {
        let id = one["id"].as_str().unwrap();
        let root = format!("20260504T090000000000Z{id}");
        let chain = json!({"id": id, "trace_id": id, "parent_run_id": null, "dotted_order": root, "run_type": "chain",
            "name": "agent", "start_time": START, "inputs": {}, "outputs": {}});
        let run = |(at, (sent, answer)): (usize, (Vec<Value>, Value))| {
            json!({"id": format!("{id}-{at}"), "trace_id": id, "parent_run_id": id, "run_type": "llm", "name": "model",
                "dotted_order": format!("{root}.2026050400{at:06}"), "start_time": START,
                "inputs": {"messages": sent, "tools": functions(one)}, "outputs": {"choices": [{"message": answer}]}})
        };
        std::iter::once(chain).chain(requests(one, marked).into_iter().enumerate().map(run)).collect()
    };
    lines(ten.iter().flat_map(of))
}

fn langfuse(ten: &[Value]) -> String {
    let of = |one: &Value| -> Vec<Value> {
        let id = one["id"].as_str().unwrap();
        let tools: BTreeMap<&str, &Value> =
            one["tools"].as_array().unwrap().iter().map(|tool| (tool["name"].as_str().unwrap(), tool)).collect();
        let observation = |(at, (sent, answer)): (usize, (Vec<Value>, Value))| {
            json!({"id": format!("{id}-{at}"), "trace_id": id, "parent_observation_id": null, "type": "GENERATION",
                "name": "model", "input": json!(sent).to_string(), "output": answer.to_string(), "level": "DEFAULT",
                "tool_definitions": tools, "start_time": format!("2026-05-04 09:00:00.{at:06}")})
        };
        requests(one, marked).into_iter().enumerate().map(observation).collect()
    };
    lines(ten.iter().flat_map(of))
}

fn otel(ten: &[Value]) -> String {
    let attribute = |key: &str, value: String| json!({"key": key, "value": {"stringValue": value}});
    let parted = |message: &Value| {
        let role = message["role"].as_str().unwrap();
        let mut parts = Vec::new();
        if role == "tool" {
            let mut response =
                json!({"type": "tool_call_response", "id": message["tool_call_id"], "response": message["content"]});
            if message.get("status").is_some() {
                response["is_error"] = json!(true);
            }
            parts.push(response);
        } else if let Some(text) = message["content"].as_str() {
            parts.push(json!({"type": "text", "content": text}));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
            parts.push(json!({"type": "tool_call", "id": call["id"], "name": call["function"]["name"], "arguments": arguments}));
        }
        json!({"role": role, "parts": parts})
    };
    let of = |(number, one): (usize, &Value)| -> Vec<Value> {
        let span = |(at, (sent, answer)): (usize, (Vec<Value>, Value))| {
            let sent: Vec<Value> = sent.iter().skip(1).map(parted).collect();
            let brief = json!([{"type": "text", "content": one["brief"]}]);
            json!({"traceId": format!("{number:032x}"), "spanId": format!("{:016x}", number * 100 + at + 1), "name": "chat m",
            "kind": 3, "startTimeUnixNano": format!("17778852000000{at:02}000"), "status": {}, "attributes": [
                attribute("gen_ai.operation.name", "chat".to_owned()),
                attribute("gen_ai.conversation.id", one["id"].as_str().unwrap().to_owned()),
                attribute("gen_ai.system_instructions", brief.to_string()),
                attribute("gen_ai.tool.definitions", one["tools"].to_string()),
                attribute("gen_ai.input.messages", json!(sent).to_string()),
                attribute("gen_ai.output.messages", json!([parted(&answer)]).to_string()),
            ]})
        };
        requests(one, marked).into_iter().enumerate().map(span).collect()
    };
    let spans: Vec<Value> = ten.iter().enumerate().flat_map(of).collect();
    json!({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "x"}, "spans": spans}]}]})
        .to_string()
}
