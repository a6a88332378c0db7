//! The mock as a server on loopback, and answers that are broken on purpose.

use std::collections::BTreeMap;
use std::io::{Read, Result, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::mode::{Deed, Mode};
use super::speaker::Speaker;
use super::{answer, grader, speaker};
use crate::http::{self, Answering, Listener, Request, RequestLimits, head};
use probity_behaviour::judge::prompt;
use probity_bench::{AgentMessage, Form, Stop};
use probity_engine::Hash;

/// What a request may be, and how long a client may take for it.
const LIMITS: RequestLimits = RequestLimits { head: 64 << 10, body: 32 << 20, patience: Duration::from_secs(30) };
/// The headers that may hold a key.
const KEYS: [&str; 3] = ["authorization", "x-api-key", "x-goog-api-key"];
/// How long a late answer takes.
const LATE: Duration = Duration::from_millis(150);
/// What the mock says in a dialogue that it does not know.
const LOST: &str = "I am sorry, I do not know how to go on from here.";

pub struct Server {
    listener: Listener,
    shared: Arc<Shared>,
}

struct Shared {
    mode: &'static Mode,
    speaker: Speaker,
    /// How often each request came.
    seen: Mutex<BTreeMap<Hash, usize>>,
    /// How many requests came, counted before they are answered.
    requests: AtomicUsize,
}

impl Server {
    /// A mock in this mode on this port of loopback; 0 takes any that is free.
    pub fn bind(port: u16, mode: &'static Mode, speaker: Speaker) -> Result<Self> {
        let listener = Listener::bind((Ipv4Addr::LOCALHOST, port).into())?;
        let shared = Arc::new(Shared { mode, speaker, seen: Mutex::default(), requests: AtomicUsize::new(0) });
        Ok(Server { listener, shared })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.address()
    }

    pub fn base_url(&self) -> Result<String> {
        Ok(format!("http://{}/v1", self.address()?))
    }

    /// Answers until it is to stop.
    pub fn serve(&self, stop: &Stop) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        let answer: Answering = Arc::new(move |mut guest| {
            // A client that breaks off is its own affair.
            let Ok(request) = Request::read(&mut guest, &LIMITS) else { return };
            let _ = shared.answer(&guest, &request);
        });
        self.listener.serve(stop, &answer, &|| {})
    }
}

impl Shared {
    fn answer(&self, stream: &TcpStream, request: &Request) -> Result<()> {
        let number = self.requests.fetch_add(1, Ordering::SeqCst) + 1;
        if request.method == "GET" && request.target.ends_with("/models") {
            return http::write(
                stream,
                200,
                "",
                &json!({"object": "list", "data": [{"id": "mock", "object": "model"}, {"id": "user", "object": "model"}]}).to_string(),
            );
        }
        let spoken = if request.method == "POST" { Form::at(&request.target) } else { None };
        let Some((form, model)) = spoken else {
            let what = "the mock answers POST /v1/chat/completions, the paths of other wire forms, and GET /v1/models";
            return Caller { stream, form: Form::default() }.fail(404, "not_found", what);
        };
        let mut caller = Caller { stream, form };
        let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
            return caller.fail(500, "server_error", "the request is not JSON");
        };
        let mut chat = (form.asked)(&body);
        if let (Some(model), Some(chat)) = (model, chat.as_object_mut()) {
            chat.insert("model".to_owned(), model.into());
        }
        if !has_sound_calls(&chat) {
            return caller.fail(400, "invalid_request_error", "the arguments of a call are no object");
        }
        if self.mode.deed == Deed::EchoKey {
            let (status, body) = form.trouble(401, "invalid_api_key", "");
            let key = KEYS.iter().find_map(|name| request.header(name)).unwrap_or_default();
            let said = key.trim_start_matches("Bearer ");
            let words = json!({"error": body, "message": format!("wrong key {said}")});
            return http::write(caller.stream, status, "", &words.to_string());
        }
        let is_first = self.is_first(&request.body);
        self.misbehave(&mut caller, &chat, is_first, number)
    }

    fn is_first(&self, body: &[u8]) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let times = seen.entry(Hash::of_bytes(body)).or_default();
        *times += 1;
        // The same request may be the first of another trial: every second one is a second attempt.
        *times % 2 == 1
    }

    fn misbehave(&self, caller: &mut Caller, chat: &Value, is_first: bool, number: usize) -> Result<()> {
        let deed = self.mode.deed;
        match deed {
            Deed::Status(429) if is_first => {
                let (status, body) = caller.form.trouble(429, "rate_limit_exceeded", "too many requests");
                http::write(caller.stream, status, "retry-after: 0\r\n", &body.to_string())
            }
            Deed::Status(503) if is_first => caller.fail(503, "overloaded", "busy"),
            Deed::Status(status) if is_first => caller.fail(status, "server_error", "busy"),
            Deed::Inside if is_first => {
                let (_, body) = caller.form.trouble(500, "server_error", "busy");
                http::write(caller.stream, 200, "", &body.to_string())
            }
            Deed::Dropped if is_first => Ok(()),
            Deed::Truncated if is_first => {
                let body = (caller.form.answer)(&self.reply(chat, Deed::Plain, number));
                write_half(caller.stream, &body.to_string())
            }
            Deed::NotJson if is_first => http::write(caller.stream, 200, "", "<html><body>Bad gateway</body></html>"),
            Deed::NoChoices if is_first => caller.say(&json!({"choices": []})),
            Deed::Always(status) => caller.fail(status, "some_error", "this request is not answered"),
            Deed::Quota => caller.fail(429, "insufficient_quota", "the quota is used up"),
            Deed::Redirect => {
                http::write(caller.stream, 307, "location: http://127.0.0.1:9/v1/chat/completions\r\n", "{}")
            }
            Deed::Endless => write_endless(caller.stream, &[b' '; 1 << 16], Duration::ZERO),
            Deed::Silent => wait_for_end(caller.stream),
            Deed::Drip => write_endless(caller.stream, b" ", Duration::from_millis(200)),
            Deed::Empty | Deed::CutWords | Deed::Filtered => {
                caller.say(&answer::completion(&AgentMessage::default(), deed, number, false))
            }
            Deed::Unreadable => caller.fail(500, "unreadable", "Failed to parse input at pos 12: <tool_call>"),
            Deed::TooLong => caller.fail(400, "context_length_exceeded", "the dialogue is too long"),
            Deed::Reasoning if !is_echoed(caller.form, chat) => {
                caller.fail(400, "invalid_request_error", "a message of yours is without its reasoning")
            }
            _ => caller.give(&self.reply(chat, deed, number), deed, is_first),
        }
    }

    /// What the oracle, or a judge, would say, in the form of the deed.
    fn reply(&self, body: &Value, deed: Deed, number: usize) -> Value {
        let messages = body.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some((wording, document)) = prompt::asked(&messages) {
            let is_asked_again = messages.len() > 2;
            let deed = if is_asked_again && deed.is_once_of_judges() { Deed::Plain } else { deed };
            let model = body.get("model").and_then(Value::as_str).unwrap_or_default();
            let message = AgentMessage::reply(grader::words(model, wording, &document, deed));
            return answer::completion(&message, deed, number, false);
        }
        if body.get("model").and_then(Value::as_str) == Some(speaker::MODEL) {
            let words = speaker::users_words(&messages, deed, &self.speaker).unwrap_or_else(|| LOST.to_owned());
            return answer::completion(&AgentMessage::reply(words), deed, number, true);
        }
        let deed = if deed.is_of_judges() { Deed::Plain } else { deed };
        let kept: Vec<Value> = messages.iter().filter(|message| !is_told_off(message)).cloned().collect();
        let message = self.speaker.next(&kept).unwrap_or_else(|| AgentMessage::reply(LOST));
        let has_stumbled = kept.len() < messages.len();
        let deed = if has_stumbled && deed.is_once() { Deed::Plain } else { deed };
        let is_prompted = body.get("tools").is_none();
        answer::completion(&answer::stumble(message, deed), deed, number, is_prompted)
    }
}

/// Whether a message tells the model that a call could not be taken as it was written.
fn is_told_off(message: &Value) -> bool {
    let content = message.get("content").and_then(Value::as_str).unwrap_or_default();
    let value: Option<Value> = serde_json::from_str(content).ok();
    let kind = value.as_ref().and_then(|value| value.pointer("/error/kind")?.as_str());
    matches!(kind, Some("invalid_arguments" | "unknown_tool"))
}

/// Whether all thoughts that a message of calls came with were sent back; chat completions do not ask for them.
fn is_echoed(form: Form, chat: &Value) -> bool {
    let messages = chat.get("messages").and_then(Value::as_array).into_iter().flatten();
    let is_echoed = |message: &Value| {
        message.get("tool_calls").is_none() || message.get("reasoning_content").is_some_and(|it| it == answer::THOUGHT)
    };
    form == Form::default() || messages.into_iter().all(is_echoed)
}

/// Whether what a model said comes back with objects as arguments: most take nothing else.
fn has_sound_calls(chat: &Value) -> bool {
    let items = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let calls = items(chat, "messages").into_iter().flat_map(|message| items(&message, "tool_calls"));
    let is_object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).is_ok();
    calls.into_iter().all(|call| call.pointer("/function/arguments").and_then(Value::as_str).is_none_or(is_object))
}

/// Who asks, and in which form.
struct Caller<'a> {
    stream: &'a TcpStream,
    form: Form,
}

impl Caller<'_> {
    fn say(&mut self, chat: &Value) -> Result<()> {
        http::write(self.stream, 200, "", &(self.form.answer)(chat).to_string())
    }

    fn fail(&mut self, status: u16, name: &str, message: &str) -> Result<()> {
        let (status, body) = self.form.trouble(status, name, message);
        http::write(self.stream, status, "", &body.to_string())
    }

    /// An answer in the way of a deed: as a stream, late, or under a wrong name.
    fn give(&mut self, chat: &Value, deed: Deed, is_first: bool) -> Result<()> {
        let event =
            |event: &Value| format!("data: {}\n\n", event.as_str().map_or_else(|| event.to_string(), str::to_owned));
        let kind = "content-type: text/event-stream\r\n";
        match deed {
            Deed::Stream | Deed::StreamCut => {
                let mut events: Vec<String> = (self.form.events)(&(self.form.answer)(chat)).iter().map(event).collect();
                if deed == Deed::StreamCut && is_first {
                    events.truncate(events.len().min(2).saturating_sub(1));
                }
                http::write(self.stream, 200, kind, &events.concat())
            }
            Deed::Late => {
                std::thread::sleep(LATE);
                self.say(chat)
            }
            Deed::WrongType => {
                let body = (self.form.answer)(chat).to_string();
                http::write(self.stream, 200, "content-type: text/html; charset=latin1\r\n", &body)
            }
            _ => self.say(chat),
        }
    }
}

/// Writes half of an answer that promises all of it.
pub(super) fn write_half(mut stream: &TcpStream, body: &str) -> Result<()> {
    stream.write_all(head(200, "", body.len()).as_bytes())?;
    stream.write_all(body.as_bytes().get(..body.len() / 2).unwrap_or_default())?;
    stream.flush()
}

/// Writes until the other side has had enough.
pub(super) fn write_endless(mut stream: &TcpStream, chunk: &[u8], pause: Duration) -> Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n")?;
    loop {
        stream.write_all(chunk)?;
        stream.flush()?;
        std::thread::sleep(pause);
    }
}

/// Says nothing until the other side has had enough.
pub(super) fn wait_for_end(mut stream: &TcpStream) -> Result<()> {
    stream.set_read_timeout(None)?;
    let mut buffer = [0; 64];
    while stream.read(&mut buffer)? > 0 {}
    Ok(())
}
