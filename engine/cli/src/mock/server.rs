//! The mock as a server on loopback.

use std::collections::BTreeMap;
use std::io::Result;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::mode::{Deed, Mode};
use super::speaker::Speaker;
use super::{answer, grader, user, wire};
use probity_behaviour::judge::prompt;
use probity_bench::{AgentMessage, Stop};
use probity_engine::Hash;

/// Connections served at the same time; more are closed at once.
const MAX_CONNECTIONS: usize = 256;
/// How often a server that nobody asks looks whether it is to stop.
const POLL: Duration = Duration::from_millis(5);
/// What the mock says in a dialogue that it does not know.
const LOST: &str = "I am sorry, I do not know how to go on from here.";

pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

struct Shared {
    mode: &'static Mode,
    speaker: Speaker,
    /// How often each request came.
    seen: Mutex<BTreeMap<Hash, usize>>,
    open: AtomicUsize,
    requests: AtomicUsize,
}

impl Server {
    /// A mock in this mode on this port of loopback; 0 takes any that is free.
    pub fn bind(port: u16, mode: &'static Mode, speaker: Speaker) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let (open, requests) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let shared = Arc::new(Shared { mode, speaker, seen: Mutex::default(), open, requests });
        Ok(Server { listener, shared })
    }

    pub fn address(&self) -> Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub fn base_url(&self) -> Result<String> {
        Ok(format!("http://{}/v1", self.address()?))
    }

    /// Answers until it is to stop; `on_request` hears the number of each request.
    pub fn serve(&self, stop: &Stop, on_request: &dyn Fn(usize)) -> Result<()> {
        let mut told = 0;
        while !stop() {
            match self.listener.accept() {
                Ok((stream, _)) => self.take(stream),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => std::thread::sleep(POLL),
                Err(error) => return Err(error),
            }
            let requests = self.shared.requests.load(Ordering::Relaxed);
            (told + 1..=requests).for_each(on_request);
            told = requests;
        }
        Ok(())
    }

    fn take(&self, mut stream: TcpStream) {
        let shared = Arc::clone(&self.shared);
        if shared.open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            shared.open.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        let work = move || {
            // A client that breaks off is its own affair.
            let _ = stream.set_nonblocking(false).and_then(|()| shared.answer(&mut stream));
            shared.open.fetch_sub(1, Ordering::SeqCst);
        };
        if std::thread::Builder::new().name("mock".to_owned()).spawn(work).is_err() {
            self.shared.open.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

impl Shared {
    fn answer(&self, stream: &mut TcpStream) -> Result<()> {
        let request = wire::read(stream)?;
        let number = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        if request.method == "GET" && request.path.ends_with("/models") {
            return wire::write(
                stream,
                200,
                "",
                &json!({"object": "list", "data": [{"id": "mock", "object": "model"}, {"id": "user", "object": "model"}]}).to_string(),
            );
        }
        if request.method != "POST" || !request.path.ends_with("/chat/completions") {
            return wire::write(
                stream,
                404,
                "",
                &error(404, "not_found", "the mock answers POST /v1/chat/completions and GET /v1/models"),
            );
        }
        let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
            return wire::write(stream, 500, "", &error(500, "server_error", "the request is not JSON"));
        };
        if self.mode.deed == Deed::EchoKey {
            let said = request.authorization.trim_start_matches("Bearer ");
            return wire::write(stream, 401, "", &error(401, "invalid_api_key", &format!("wrong key {said}")));
        }
        let is_first = self.is_first(&request.body);
        self.misbehave(stream, &body, is_first, number)
    }

    fn is_first(&self, body: &[u8]) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let times = seen.entry(Hash::of_bytes(body)).or_default();
        *times += 1;
        // The same request may be the first of another trial: every second one is a second attempt.
        *times % 2 == 1
    }

    fn misbehave(&self, stream: &mut TcpStream, body: &Value, is_first: bool, number: usize) -> Result<()> {
        let deed = self.mode.deed;
        match deed {
            Deed::Status(429) if is_first => {
                wire::write(stream, 429, "retry-after: 0\r\n", &error(429, "rate_limit_exceeded", "too many requests"))
            }
            Deed::Status(status) if is_first => wire::write(stream, status, "", &error(status, "server_error", "busy")),
            Deed::Dropped if is_first => Ok(()),
            Deed::Truncated if is_first => wire::write_half(stream, &self.reply(body, Deed::Plain, number)),
            Deed::NotJson if is_first => wire::write(stream, 200, "", "<html><body>Bad gateway</body></html>"),
            Deed::NoChoices if is_first => wire::write(stream, 200, "", "{\"choices\": []}"),
            Deed::Always(status) => {
                wire::write(stream, status, "", &error(status, "some_error", "this request is not answered"))
            }
            Deed::Quota => wire::write(stream, 429, "", &error(429, "insufficient_quota", "the quota is used up")),
            Deed::Redirect => wire::write(stream, 307, "location: http://127.0.0.1:9/v1/chat/completions\r\n", "{}"),
            Deed::Endless => wire::write_endless(stream, &[b' '; 1 << 16], Duration::ZERO),
            Deed::Silent => wire::wait_for_end(stream),
            Deed::Drip => wire::write_endless(stream, b" ", Duration::from_millis(200)),
            Deed::Empty => wire::write(
                stream,
                200,
                "",
                &answer::completion(&AgentMessage::default(), deed, number, false).to_string(),
            ),
            Deed::Unreadable => wire::write(
                stream,
                500,
                "",
                &error(500, "server_error", "Failed to parse input at pos 12: <tool_call>"),
            ),
            Deed::TooLong => {
                wire::write(stream, 400, "", &error(400, "context_length_exceeded", "the dialogue is too long"))
            }
            _ => wire::write(stream, 200, "", &self.reply(body, deed, number)),
        }
    }

    /// What the oracle, or a judge, would say, in the form of the deed.
    fn reply(&self, body: &Value, deed: Deed, number: usize) -> String {
        let messages = body.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some((wording, document)) = prompt::asked(&messages) {
            let is_asked_again = messages.len() > 2;
            let deed = if is_asked_again && deed.is_once_of_judges() { Deed::Plain } else { deed };
            let model = body.get("model").and_then(Value::as_str).unwrap_or_default();
            let message = AgentMessage::reply(grader::words(model, wording, &document, deed));
            return answer::completion(&message, deed, number, false).to_string();
        }
        if body.get("model").and_then(Value::as_str) == Some(user::MODEL) {
            let words = user::words(&messages, deed, &self.speaker).unwrap_or_else(|| LOST.to_owned());
            return answer::completion(&AgentMessage::reply(words), deed, number, true).to_string();
        }
        let deed = if deed.is_of_judges() { Deed::Plain } else { deed };
        let kept: Vec<Value> = messages.iter().filter(|message| !is_told_off(message)).cloned().collect();
        let message = self.speaker.next(&kept).unwrap_or_else(|| AgentMessage::reply(LOST));
        let has_stumbled = kept.len() < messages.len();
        let deed = if has_stumbled && deed.is_once() { Deed::Plain } else { deed };
        let is_prompted = body.get("tools").is_none();
        answer::completion(&answer::stumble(message, deed), deed, number, is_prompted).to_string()
    }
}

/// Whether a message tells the model that a call could not be taken as it was written.
fn is_told_off(message: &Value) -> bool {
    let content = message.get("content").and_then(Value::as_str).unwrap_or_default();
    let value: Option<Value> = serde_json::from_str(content).ok();
    let kind = value.as_ref().and_then(|value| value.pointer("/error/kind")?.as_str());
    matches!(kind, Some("invalid_arguments" | "unknown_tool"))
}

fn error(code: u16, kind: &str, message: &str) -> String {
    let name = if kind == "some_error" || kind == "server_error" { Value::from(code) } else { Value::from(kind) };
    json!({"error": {"code": name, "message": message, "type": kind}}).to_string()
}
