//! All wire forms against shapes that were written down by hand, against each other, and against what is none.

use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Form, ModelName};
use crate::provider::body;
use crate::provider::client::{Client, Fault};
use crate::provider::completion::Completion;
use crate::provider::config::ProviderConfig;
use crate::provider::transport::{Broken, Outgoing, Reply};
use crate::usage::Usage;

fn form(name: &str) -> Form {
    name.parse().unwrap()
}

fn read(form: Form, body: &Value) -> Result<Completion, String> {
    Completion::of((form.answered)(body)?, 0)
}

/// One request as it stands in a form.
fn request(form: Form) -> Value {
    serde_json::from_str(form.0.request).unwrap()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    form: Form,
    body: Value,
    text: Option<String>,
    calls: Vec<(Option<String>, String, Value)>,
    finish: String,
    tokens: Option<[u64; 3]>,
}

fn cases() -> Vec<Case> {
    include_str!("cases.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn one_request_stands_in_each_form_and_is_heard_alike() {
    let meant = request(Form::default());
    for form in Form::all() {
        let asked = (form.ask)(&meant);
        assert_eq!(asked, request(form), "{form}");
        let heard = (form.asked)(&asked);
        assert_eq!(heard["tools"], meant["tools"], "{form}");
        let plain = |message: &Value| {
            let (calls, content) = (message["tool_calls"].as_array().cloned(), message["content"].clone());
            let call = |call: &Value| (call["id"].clone(), call["function"].clone());
            (message["role"].clone(), content, calls.map(|calls| calls.iter().map(call).collect::<Vec<_>>()))
        };
        let all = |chat: &Value| chat["messages"].as_array().unwrap().iter().map(plain).collect::<Vec<_>>();
        assert_eq!(all(&heard), all(&meant), "{form}");
    }
}

#[test]
fn what_is_written_down_of_a_request_is_where_its_form_says() {
    for form in Form::all() {
        let body = request(form);
        let [turns, system, tools] = form.places.map(|places| places.iter().find_map(|at| body.pointer(at)));
        let turns = turns.and_then(Value::as_array).unwrap();
        let has = |held: &str, word: &str| assert!(held.contains(word), "{form} {word}: {held}");
        has(&json!(turns).to_string(), "Move K7 and K8.");
        has(&json!([system, turns.first()]).to_string(), "Desk rules.");
        has(&json!(tools).to_string(), "get_booking");
    }
}

#[test]
fn answers_of_every_form_are_read() {
    for case in cases() {
        let said = read(case.form, &case.body).unwrap();
        let calls: Vec<_> =
            said.calls.iter().map(|call| (call.id.clone(), call.name.clone(), call.arguments.clone())).collect();
        let tokens = said.usage.map(|usage| [usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens]);
        assert_eq!((&said.text, &calls, tokens), (&case.text, &case.calls, case.tokens), "{}", case.body);
        assert_eq!(said.finish.as_deref(), Some(case.finish.as_str()), "{}", case.body);
        assert_eq!(said.is_cut_off(), case.finish == "length");
    }
}

#[test]
fn what_was_said_goes_back_as_it_came() {
    for case in cases().iter().filter(|case| case.finish == "tool_calls" || case.calls.len() > 1) {
        let said = read(case.form, &case.body).unwrap();
        let echo = |name: &dyn Fn(usize) -> String| {
            let call = |(at, call): (usize, &crate::provider::completion::Called)| {
                let arguments = if call.arguments.is_object() {
                    call.arguments.to_string()
                } else {
                    "{\"no_object\":1}".to_owned()
                };
                json!({"id": name(at), "function": {"name": call.name, "arguments": arguments}})
            };
            let calls: Vec<Value> = said.calls.iter().enumerate().map(call).collect();
            let results = (0..calls.len()).map(|at| json!({"role": "tool", "tool_call_id": name(at), "content": "[]"}));
            let mut messages =
                vec![json!({"role": "assistant", "content": said.text, "said": said.said, "tool_calls": calls})];
            messages.extend(results);
            (case.form.ask)(&json!({"messages": messages})).to_string()
        };
        let own = |at: usize| said.calls[at].id.clone().unwrap_or_else(|| "none".to_owned());
        let back = echo(&own);
        let blocks = said.said.as_ref().unwrap().as_array().unwrap();
        let is_call = |block: &&Value| block.to_string().contains("get_booking");
        for block in blocks
            .iter()
            .filter(|block| !is_call(block) || case.calls[0].0.is_some() && !block.to_string().contains("[1]"))
        {
            // Calls whose arguments can be read, thoughts and words: letter by letter.
            let is_sound = !block.to_string().contains("K8\\\"}");
            assert!(!is_sound || back.contains(&block.to_string()), "{block} in {back}");
        }
        let signed =
            ["Eq1", "redacted_thinking", "gAB", "Sg"].iter().filter(|mark| case.body.to_string().contains(**mark));
        assert!(signed.clone().count() > 0 && signed.clone().all(|mark| back.contains(mark)));
        assert!(!back.contains("[1]"), "arguments that are no object do not go back: {back}");
        // Under other ids, because they came twice: calls and results still belong together.
        let other = echo(&|at| format!("other_{at}"));
        let times = |id: &str| other.matches(id).count();
        let had_ids = case.calls.iter().map(|(id, ..)| if id.is_some() { 2 } else { 0 });
        for (at, times_wanted) in had_ids.enumerate() {
            assert_eq!(times(&format!("other_{at}")), times_wanted, "{other}");
        }
    }
}

#[test]
fn arguments_go_back_as_objects_where_nothing_else_is_taken() {
    let twice = "{\"id\":1,\"id\":2}";
    let chat = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
        {"id": "a", "function": {"name": "f", "arguments": twice}},
        {"id": "b", "function": {"name": "f", "arguments": "{\"x\": \"\\ud83d\"}"}},
    ]}}]});
    for form in Form::all() {
        let event =
            |event: &Value| format!("data: {}\n\n", event.as_str().map_or_else(|| event.to_string(), str::to_owned));
        let text: String = (form.events)(&(form.answer)(&chat)).iter().map(event).collect();
        let said = read(form, &body::gathered(&text, form).unwrap()).unwrap();
        assert_eq!(said.calls[0].arguments, twice, "{form}");
        let call = |call: &crate::provider::completion::Called| {
            let arguments = call.arguments.as_str().map_or_else(|| call.arguments.to_string(), str::to_owned);
            json!({"id": call.id, "function": {"name": call.name, "arguments": arguments}})
        };
        let calls: Vec<Value> = said.calls.iter().map(call).collect();
        for echo in [said.said.clone(), None] {
            let message = json!({"role": "assistant", "content": null, "tool_calls": calls, "said": echo});
            let body = (form.ask)(&json!({"messages": [message]})).to_string();
            let is_text = ["openai", "responses"].contains(&form.name);
            assert_eq!(!is_text, body.contains("no_object"), "{form} {body}");
        }
    }
}

#[test]
fn halves_of_characters_in_a_stream_of_input_are_counted() {
    let delta = json!({"type": "content_block_delta", "delta": {"partial_json": "{\"x\":\"\\ud83d\"}"}});
    let block = json!({"type": "tool_use", "id": "a", "name": "f", "input": {}});
    let events = [
        json!({"type": "content_block_start", "content_block": block}),
        delta,
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
    ];
    let said = read(form("anthropic"), &(form("anthropic").gathered)(&events, false).unwrap()).unwrap();
    assert_eq!((said.calls[0].arguments.clone(), said.mended), (json!({"x": "\u{fffd}"}), 1));
}

#[test]
fn thoughts_go_back_only_with_what_is_in_them() {
    let sealed = json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "gAB", "summary": []});
    let said = json!([sealed, {"type": "reasoning", "id": "rs_2", "summary": []}]);
    let chat = json!({"messages": [{"role": "assistant", "content": null, "said": said}]});
    assert_eq!((form("responses").ask)(&chat)["input"], json!([sealed]));
    // More of them than can be kept are forgotten, as everywhere.
    let long = json!({"content": [{"type": "thinking", "thinking": "x".repeat(1 << 20), "signature": "s"}, {"type": "text", "text": "Hi"}]});
    let said = read(form("anthropic"), &long).unwrap();
    assert_eq!((said.text.as_deref(), said.said), (Some("Hi"), None));
}

#[test]
fn blank_words_do_not_go_back() {
    let said = json!([{"text": " "}, {"text": "So."}, {"text": "", "thoughtSignature": "Sg"}]);
    let chat = json!({"messages": [{"role": "user", "content": ""}, {"role": "assistant", "said": said}]});
    let asked = (form("bedrock").ask)(&chat)["messages"].clone();
    assert_eq!(asked[0]["content"], json!([{"text": "(nothing)"}]));
    assert_eq!(asked[1]["content"], json!([{"text": "So."}, {"text": "", "thoughtSignature": "Sg"}]));
    let greeting = json!({"messages": [{"role": "assistant", "content": "Hello."}]});
    assert_eq!((form("anthropic").ask)(&greeting)["messages"][0]["role"], "user", "the user begins");
}

#[test]
fn the_mocks_end_and_ours_understand_each_other() {
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": arguments}});
    let usage = json!({"prompt_tokens": 20, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 5}});
    let messages = [
        (json!({"content": "Done."}), "stop"),
        (
            json!({"content": null, "tool_calls": [call("a", "{\"x\":1}"), call("b", "{}")], "reasoning_content": "hm"}),
            "tool_calls",
        ),
        (json!({"content": "Let me", "tool_calls": [call("a", "{\"x\":{\"y\":[1,\"\\\"\"]}}")]}), "tool_calls"),
        (json!({"content": "Do"}), "length"),
    ];
    for (message, finish) in messages {
        let chat = json!({"choices": [{"message": message, "finish_reason": finish}], "usage": usage});
        let meant = Completion::read(&chat).unwrap();
        for form in Form::all() {
            let body = (form.answer)(&chat);
            let event = |event: &Value| {
                format!("data: {}\n\n", event.as_str().map_or_else(|| event.to_string(), str::to_owned))
            };
            let text: String = (form.events)(&body).iter().map(event).collect();
            let streamed = body::gathered(&text, form).unwrap();
            for body in [body, streamed] {
                let said = read(form, &body).unwrap();
                assert_eq!(
                    (&said.text, &said.calls, said.usage),
                    (&meant.text, &meant.calls, meant.usage),
                    "{form} {body}"
                );
                assert_eq!(said.is_cut_off(), meant.is_cut_off(), "{form} {body}");
            }
            if form.name != "bedrock" {
                let half = text.len() / 2;
                let half = text.get(..half).unwrap();
                assert!(body::gathered(half, form).is_err(), "{form}: {half}");
            }
        }
    }
}

/// A provider that answers one request after the other, and what it was asked.
fn script(form: &str, answers: Vec<Value>) -> (Client, Arc<Mutex<Vec<String>>>) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let tape = Arc::clone(&asked);
    let answer = move |request: Outgoing<'_>| {
        let mut tape = tape.lock().unwrap();
        tape.push(request.body.to_owned());
        let body = answers.get(tape.len() - 1).ok_or(Broken::Timeout(1))?.to_string();
        Ok(Reply { status: 200, body, ..Reply::default() })
    };
    let config = ProviderConfig { form: self::form(form), ..ProviderConfig::at("http://127.0.0.1") };
    (Client::new(config, Box::new(answer), Arc::new(|| false)), asked)
}

#[test]
fn a_model_that_pauses_goes_on() {
    let part = |text: &str, stop: &str| json!({"content": [{"type": "text", "text": text}], "stop_reason": stop, "usage": {"input_tokens": 1, "output_tokens": 2}});
    let parts = vec![part("It is ", "pause_turn"), part("still ", "pause_turn"), part("open.", "end_turn")];
    let (client, asked) = script("anthropic", parts);
    let mut usage = Usage::default();
    let said =
        client.session("u", &mut usage).complete("m", &[json!({"role": "user", "content": "Well?"})], None).unwrap();
    assert_eq!((said.text.as_deref(), said.finish.as_deref()), (Some("It is still open."), Some("stop")));
    assert_eq!((said.usage.unwrap().completion_tokens, usage.completion_tokens, usage.requests), (6, 6, 3));
    let ours = |form: &str, body: Value| {
        script(form, vec![body; 20]).0.session("u", &mut Usage::default()).complete("m", &[], None)
    };
    for text in ["", "So"] {
        let never = ours("anthropic", part(text, "pause_turn")).unwrap_err();
        assert!(matches!(&never, Fault::Unreachable(why) if why.contains("8 times")), "{never:?}");
    }
    // Where nothing goes back nobody can go on.
    let chat = |text: &str| json!({"choices": [{"message": {"content": text}, "finish_reason": "pause_turn"}]});
    assert_eq!(ours("openai", chat("So")).unwrap().text.as_deref(), Some("So"));
    assert!(matches!(ours("openai", chat("")), Err(Fault::Unreachable(_))));
    assert!(asked.lock().unwrap()[2].contains(r#"[{"text":"It is ","type":"text"},{"text":"still ","type":"text"}]"#));
}

/// A value with each of its parts in turn left out or made into something else.
fn spoiled(value: &Value, all: &mut dyn FnMut(Value)) {
    for other in [json!(null), json!(7), json!("x"), json!([]), json!([null]), json!({}), json!([{"type": "tool_use"}])]
    {
        all(other);
    }
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                spoiled(item, &mut |other| {
                    let mut items = items.clone();
                    items[at] = other;
                    all(items.into());
                });
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                let mut rest = map.clone();
                rest.remove(key);
                all(rest.into());
                spoiled(item, &mut |other| {
                    let mut map = map.clone();
                    map.insert(key.clone(), other);
                    all(map.into());
                });
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn what_is_no_answer_is_survived() {
    let mut tried = 0;
    for case in cases() {
        spoiled(&case.body, &mut |body| {
            tried += 1;
            if let Ok(said) = read(case.form, &body) {
                let back = json!({"messages": [{"role": "assistant", "said": said.said}]});
                drop((case.form.asked)(&(case.form.ask)(&back)));
            }
            drop((case.form.gathered)(&[body.clone(), case.body.clone(), body], false));
        });
        spoiled(&Value::Array((case.form.events)(&case.body)), &mut |events| {
            drop((case.form.gathered)(events.as_array().unwrap_or(&Vec::new()), false))
        });
    }
    for form in Form::all() {
        spoiled(&request(form), &mut |request| {
            tried += 1;
            drop((form.asked)(&request));
            drop((form.ask)(&request));
            drop((form.answer)(&request));
        });
    }
    assert!(tried > 3000, "{tried}");
}

#[test]
fn models_are_named_by_their_form_and_stand_in_paths() {
    for text in ["openai:m", "gemini:a/b", "bedrock:arn:aws:x/y", "anthropic:m:1"] {
        assert_eq!(text.parse::<ModelName>().unwrap().to_string(), text);
    }
    for text in ["m", "openai:", "gemini: ", "strange:m"] {
        assert!(text.parse::<ModelName>().unwrap_err().contains("`gemini:MODEL`"), "{text}");
    }
    let url = |name: &str, base: &str, model: &str| {
        ProviderConfig { form: form(name), ..ProviderConfig::at(base) }.url(model)
    };
    assert_eq!(url("gemini", "http://h/v1beta/?region=eu", "m"), "http://h/v1beta/models/m:generateContent?region=eu");
    assert_eq!(url("bedrock", "http://h", "a:b/c"), "http://h/model/a%3Ab%2Fc/converse");
    assert_eq!(Form::at("/v1/models/m:generateContent?x=1"), Some((form("gemini"), Some("m".to_owned()))));
    assert_eq!(Form::at("/model/a%3Ab%2fc%/converse"), Some((form("bedrock"), Some("a:b/c%".to_owned()))));
    assert_eq!(Form::at("/v1/messages"), Some((form("anthropic"), None)));
    assert_eq!(Form::at("/v1/models"), None);
    let hash = |model: Option<&str>| Outgoing { unit: "u", number: 0, model, body: "{}" }.hash();
    assert!(hash(None) != hash(Some("m")) && hash(Some("m")) != hash(Some("n")));
}
