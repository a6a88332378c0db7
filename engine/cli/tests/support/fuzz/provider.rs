//! The reader of what a provider answers. The first line of an input says what the rest is, and may name a wire form
//! behind it (`http gemini`):
//!
//! - `http`: the bytes of an answer as they come from the network;
//! - `native`, `prompt`: answers one after the other, each after a line `@STATUS` or `@STATUS WAIT`, given to an agent
//!   in that mode that plays a task;
//! - `cassette`: the text of a cassette;
//! - anything else: the text of a call's arguments.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::{Arc, LazyLock, Mutex};

use serde_json::Value;

use super::first_line;
use super::suite::SUITE;
use probity_behaviour::benchmark::record;
use probity_behaviour::episode::play::{Setting, play};
use probity_behaviour::episode::user::ScriptedUser;
use probity_behaviour::model::variant::Variant;
use probity_bench::provider::cassette;
use probity_bench::provider::cassette::FORMAT;
use probity_bench::provider::trouble::judge;
use probity_bench::{
    Answer, ApiKey, Broken, ChatAgent, Client, Completion, Entry, Form, Http, Limits, Outgoing, Player, ProviderConfig,
    ReplayAgent, Reply, Stop, ToolMode, Trace, Transport,
};
use probity_engine::{Hash, arguments, canonical, plain};

const TASK: &str = "shop/counter/more_teapots";
const KEY: &str = "sk-not-to-be-told";
/// Answers of one input at most.
const MOST: usize = 8;

pub fn run(data: &[u8]) {
    if let Some((form, bytes)) = over_network(data) {
        return http(form, bytes);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (first, rest) = first_line(text);
    let (first, form) = with_form(first).unwrap_or((first, Form::default()));
    match first {
        "native" => dialogue((ToolMode::Native, form), rest),
        "prompt" => dialogue((ToolMode::Prompt, form), rest),
        "cassette" => read_cassette(rest),
        _ => read_arguments(text),
    }
}

fn over_network(data: &[u8]) -> Option<(Form, &[u8])> {
    let end = data.iter().take(40).position(|byte| *byte == b'\n')?;
    let (first, form) = with_form(std::str::from_utf8(&data[..end]).ok()?)?;
    (first == "http").then_some((form, &data[end + 1..]))
}

fn with_form(line: &str) -> Option<(&str, Form)> {
    match line.split_once(' ') {
        None => Some((line, Form::default())),
        Some((first, form)) => Some((first, form.parse().ok()?)),
    }
}

/// A server that answers every request with the bytes that are there.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static PORT: LazyLock<u16> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = Vec::new();
            let mut buffer = [0; 1024];
            while !request.ends_with(b"{}") {
                match stream.read(&mut buffer) {
                    Ok(read @ 1..) => request.extend(&buffer[..read]),
                    Ok(0) | Err(_) => break,
                }
            }
            // Whoever asked may have had enough.
            let answer = ANSWER.lock().unwrap().clone();
            let _ = stream.write_all(&answer).and_then(|()| stream.shutdown(Shutdown::Write));
        }
    });
    port
});

/// An answer as bytes becomes a reply or a reason why there is none; the key is never told.
fn http(form: Form, bytes: &[u8]) {
    *ANSWER.lock().unwrap() = bytes.to_vec();
    let config = ProviderConfig { form, timeout: 5, ..ProviderConfig::at(format!("http://127.0.0.1:{}/v1", *PORT)) };
    let stop: Stop = Arc::new(|| false);
    let http = Http::new(&config, ApiKey::new(KEY).ok(), stop);
    let answer = http.send(Outgoing { unit: "unit", number: 0, model: None, body: "{}" });
    if let Ok(reply) = &answer {
        assert!(!reply.body.contains(KEY));
        let entry = entry(0, Hash::of_bytes(b"{}"), Answer::Reply(reply.clone()));
        assert_eq!(cassette::read(&line(&entry)).unwrap().into_values().next(), Some(entry));
    }
    assert_ne!(answer, Err(Broken::Timeout(5)), "a connection that is closed is not waited for");
    let _ = judge(form, answer);
}

fn entry(number: u64, request: Hash, answer: Answer) -> Entry {
    Entry { format: FORMAT, unit: "unit".to_owned(), number, request, answer }
}

fn line(entry: &Entry) -> String {
    serde_json::to_string(entry).unwrap() + "\n"
}

/// A request is canonical JSON in which each call has one id and each result answers a call before it.
fn assert_sound(form: Form, body: &str) {
    let body_value: Value = serde_json::from_str(body).unwrap();
    assert_eq!(canonical::to_string(&body_value), body);
    // Gemini's calls have no ids where the model gave none: results go by the names of tools.
    let has_ids = form.name != "gemini";
    let chat = (form.asked)(&body_value);
    let mut open = Vec::new();
    for message in chat["messages"].as_array().unwrap() {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap();
            assert!(serde_json::from_str::<serde_json::Map<String, Value>>(arguments).is_ok(), "{arguments}");
            if has_ids {
                let id = call["id"].as_str().unwrap();
                assert!(!open.contains(&id), "{id} is there twice");
                open.push(id);
            }
        }
        if has_ids && message["role"] == "tool" {
            assert!(open.contains(&message["tool_call_id"].as_str().unwrap()));
        }
    }
}

/// Plays a task with an agent that is given the answers: again from its cassette, and from its trace, it is the same.
fn dialogue(asked: (ToolMode, Form), text: &str) {
    let replies = replies(text);
    if replies.is_empty() {
        return;
    }
    replies.iter().for_each(|reply| read_reply(asked.1, reply));
    let tape = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&tape);
    // Gives the answers in order, over and over, and keeps what was asked.
    let script = move |request: Outgoing<'_>| {
        assert_sound(asked.1, request.body);
        let at = usize::try_from(request.number).unwrap() % replies.len();
        kept.lock().unwrap().push(entry(request.number, request.hash(), Answer::Reply(replies[at].clone())));
        Ok(replies[at].clone())
    };
    let first = episode(asked, Box::new(script));
    let tape: String = tape.lock().unwrap().iter().map(line).collect();
    let entries = cassette::read(&tape).unwrap();
    let again = episode(asked, Box::new(Player::new(entries)));
    assert_eq!(first, again, "a cassette gives the same episode");
    let task = &SUITE.tasks[TASK].task;
    let turns = first.heard().map(|(_, text)| text.to_owned()).collect();
    let replayed = play(setting(), &mut ReplayAgent::new(&first), ScriptedUser::new(turns));
    assert_eq!(first, replayed, "a trace gives the same episode");
    assert!(record("model", 0, task, first.into()).is_some());
}

fn setting() -> Setting<'static> {
    let limits = Limits { max_messages: 6 };
    Setting { task: &SUITE.tasks[TASK].task, variant: Variant::Ideal, seed: 0, limits, user: "scripted" }
}

fn episode((tool_mode, form): (ToolMode, Form), transport: Box<dyn Transport>) -> Trace {
    let config = ProviderConfig { tool_mode, form, attempts: 3, ..ProviderConfig::at("http://127.0.0.1/v1") };
    let stop: Stop = Arc::new(|| false);
    let mut agent = ChatAgent::new(Arc::new(Client::new(config, transport, stop)), "model", "unit");
    let turns = setting().task.behaviour(Variant::Ideal).unwrap().turns.clone();
    play(setting(), &mut agent, ScriptedUser::new(turns))
}

fn replies(text: &str) -> Vec<Reply> {
    let mut replies: Vec<Reply> = Vec::new();
    for line in text.split_inclusive('\n') {
        let head = line.strip_prefix('@').and_then(head).filter(|_| replies.len() < MOST);
        if let Some((status, retry_after_ms)) = head {
            replies.push(Reply { status, retry_after_ms, ..Reply::default() });
        } else if let Some(reply) = replies.last_mut() {
            reply.body.push_str(line);
        }
    }
    replies
}

fn head(line: &str) -> Option<(u16, Option<u64>)> {
    let mut words = line.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next().and_then(|wait| wait.parse().ok())))
}

fn read_reply(form: Form, reply: &Reply) {
    let attempt = judge(form, Ok(reply.clone()));
    assert_eq!(attempt, judge(form, Ok(reply.clone())));
    if let Ok(body) = serde_json::from_str::<Value>(&reply.body)
        && let Ok(completion) = Completion::read(&body)
    {
        assert!(completion.text.is_none_or(|text| !text.trim().is_empty()));
    }
    assert!(!plain::plain(&reply.body).contains('\u{1b}'));
}

/// A cassette is read whole, or the line that is wrong is named; what was read and written again reads the same.
fn read_cassette(text: &str) {
    match cassette::read(text) {
        Ok(entries) => {
            let written: String = entries.values().map(line).collect();
            assert_eq!(cassette::read(&written), Ok(entries));
        }
        Err(why) => {
            let number = why.strip_prefix("line ").and_then(|rest| rest.split_once(':')).map(|(number, _)| number);
            let number: usize = number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{why}"));
            assert!((1..=text.split_inclusive('\n').count()).contains(&number), "{why}");
        }
    }
}

/// Arguments that can be read are JSON for everybody else too.
fn read_arguments(text: &str) {
    if let Ok(map) = arguments::read(text) {
        let value = Value::Object(map.clone());
        assert_eq!(arguments::read(&value.to_string()), Ok(map));
        if !text.trim().is_empty() {
            let theirs: Value = serde_json::from_str(text).unwrap();
            assert!(theirs == value || theirs.is_null());
        }
    }
}
