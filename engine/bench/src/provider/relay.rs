//! Requests of others, passed on to one provider as they came, and its answers, piece by piece as they come.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use probity_wire::lenient;
use serde_json::Value;
use ureq::http::{HeaderMap, Request};

use super::body::read_body;
use super::config::ProviderConfig;
use super::form::Form;
use super::http::{broken, broken_io, is_loopback, text};
use super::transport::{Broken, Reply};
use super::trouble::{Attempt, judge};

/// Requests whose answers are waited for at most.
const MAX_OPEN: usize = 512;
/// Requests that are open at the provider at most: who lets go of one cannot end it there.
const MAX_SENT: usize = 8 * MAX_OPEN;
/// Pieces of an answer that wait for whoever asked: one that is slow slows its own answer only.
const WAITING: usize = 8;
/// Bytes of a piece at most.
const PIECE: usize = 16 << 10;
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(30);
/// Headers that are about one connection, and those that are written anew.
const OWN_HEADERS: [&str; 14] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "host",
    "content-length",
    "expect",
    // What is packed in an unknown way could not be read.
    "accept-encoding",
    "origin",
];

/// One provider, and nobody else, for whom requests are passed on.
pub struct Relay {
    agent: ureq::Agent,
    /// Scheme and host.
    origin: String,
    /// The path below which it is spoken.
    path: String,
    open: Arc<AtomicUsize>,
    sent: Arc<AtomicUsize>,
    timeout: u64,
}

/// One of so many, free again when this is dropped.
struct Slot(Arc<AtomicUsize>);

impl Slot {
    fn take(taken: &Arc<AtomicUsize>, most: usize) -> Result<Slot, String> {
        let slot = Slot(Arc::clone(taken));
        let is_free = taken.fetch_add(1, Ordering::SeqCst) < most;
        is_free.then_some(slot).ok_or_else(|| "too many requests wait for the provider".to_owned())
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Where an answer is heard. Who hears no more lets go of it, and makes room for another request.
pub struct Hearing {
    chunks: Receiver<Chunk>,
    _slot: Option<Slot>,
}

impl Hearing {
    /// The next that comes of it within this time.
    ///
    /// # Errors
    /// Nothing came, or nothing will.
    pub fn next(&self, most: Duration) -> Result<Chunk, RecvTimeoutError> {
        self.chunks.recv_timeout(most)
    }
}

/// A request as somebody sent it.
pub struct Forwarded<'a> {
    /// The method.
    pub method: &'a str,
    /// The path with its query.
    pub target: &'a str,
    /// All headers.
    pub headers: &'a [(String, Vec<u8>)],
    /// The body.
    pub body: Vec<u8>,
}

/// What comes of an answer.
#[derive(Debug)]
pub enum Chunk {
    /// Its beginning.
    Head {
        /// The status.
        status: u16,
        /// The headers, without those of the connection.
        headers: Vec<(String, Vec<u8>)>,
        /// How long its body is, where that is told.
        length: Option<u64>,
    },
    /// More of its body.
    Bytes(Vec<u8>),
    /// That this was all.
    End,
    /// Why there is no more.
    Cut(Broken),
}

impl Relay {
    /// The provider at a URL, asked directly or through a proxy unless it is on this machine. A request waits so many
    /// seconds for each piece of its answer.
    ///
    /// # Errors
    /// It is no URL of one.
    pub fn new(to: &str, timeout: u64, proxy: Option<&str>) -> Result<Relay, String> {
        ProviderConfig::at(to).check()?;
        let host = to.find("://").map_or(0, |at| at + 3);
        let end = to.get(host..).and_then(|rest| rest.find('/')).map_or(to.len(), |at| host + at);
        let (origin, path) = to.split_at_checked(end).unwrap_or_default();
        if to.contains('?') {
            return Err("the URL has a query, and each request brings its own".to_owned());
        }
        // It may hold a password, so it is not said again.
        let proxy = proxy.map(|proxy| ureq::Proxy::new(proxy).map_err(|_| "the proxy is not `http://HOST:PORT`"));
        let agent = ureq::Agent::config_builder()
            .timeout_connect(Some(CONNECT))
            .timeout_per_read(Some(Duration::from_secs(timeout)))
            .timeout_per_write(Some(Duration::from_secs(timeout)))
            .http_status_as_error(false)
            // A key is never taken along to another host: where to go is for whoever asked.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(ureq::config::AutoHeaderValue::None)
            .accept(ureq::config::AutoHeaderValue::None)
            .accept_encoding(ureq::config::AutoHeaderValue::Provided(Arc::new("identity".to_owned())))
            .proxy(proxy.transpose()?.filter(|_| !is_loopback(to)));
        Ok(Relay {
            agent: agent.build().into(),
            origin: origin.to_owned(),
            path: path.trim_end_matches('/').to_owned(),
            open: Arc::default(),
            sent: Arc::default(),
            timeout,
        })
    }

    /// The path below which the provider is spoken to; empty where it is the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where a request goes: its path stands below the provider's, whether or not it says that again. Nowhere else than
    /// to the provider.
    fn url(&self, target: &str) -> Option<String> {
        let is_plain = target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
        let path = target.split('?').next().unwrap_or_default();
        if !is_plain || path.split('/').any(|part| part == "..") {
            return None;
        }
        let below = target.strip_prefix(&self.path).filter(|rest| rest.starts_with(['/', '?']) || rest.is_empty());
        Some(format!("{}{}{}", self.origin, self.path, below.unwrap_or(target)))
    }

    /// Passes a request on; what comes of it is heard there until the end.
    pub fn send(&self, passed: Forwarded) -> Hearing {
        let (out, chunks) = sync_channel(WAITING);
        let told = out.clone();
        let begun = self.request(passed).and_then(|request| {
            let (open, sent) = (Slot::take(&self.open, MAX_OPEN)?, Slot::take(&self.sent, MAX_SENT)?);
            let (agent, timeout) = (self.agent.clone(), self.timeout);
            let work = move || {
                let _sent = sent;
                let last = match exchange(&agent, request, &out) {
                    Ok(()) => Chunk::End,
                    Err(error) => Chunk::Cut(broken(&error, timeout)),
                };
                // Nobody may listen any more.
                let _ = out.send(last);
            };
            let thread = std::thread::Builder::new().name("relay".to_owned()).spawn(work);
            thread.map(|_| open).map_err(|error| error.to_string())
        });
        let slot = begun.map_err(|why| drop(told.send(Chunk::Cut(Broken::Connection(why))))).ok();
        Hearing { chunks, _slot: slot }
    }

    fn request(&self, passed: Forwarded) -> Result<Request<Vec<u8>>, String> {
        let url = self.url(passed.target).ok_or("only paths of the provider are passed on")?;
        let named = passed.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("connection"));
        let named = named.map(|(_, value)| String::from_utf8_lossy(value).to_ascii_lowercase()).collect::<String>();
        let is_own = |name: &str| {
            let name = name.to_ascii_lowercase();
            OWN_HEADERS.contains(&name.as_str()) || named.split(',').any(|own| own.trim() == name)
        };
        let mut request = Request::builder().method(passed.method).uri(url);
        for (name, value) in passed.headers.iter().filter(|(name, _)| !is_own(name)) {
            request = request.header(name, value.as_slice());
        }
        if passed.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("origin")) {
            request = request.header("origin", &self.origin);
        }
        request.body(passed.body).map_err(|error| error.to_string())
    }
}

/// Sends a request and tells what comes back; not the end, which its caller tells.
fn exchange(agent: &ureq::Agent, request: Request<Vec<u8>>, out: &SyncSender<Chunk>) -> Result<(), ureq::Error> {
    let has_body = !request.body().is_empty() || matches!(request.method().as_str(), "POST" | "PUT" | "PATCH");
    let response = match has_body {
        true => agent.run(request)?,
        false => agent.run(request.map(|_| ()))?,
    };
    let (parts, body) = response.into_parts();
    let length = parts.headers.get("content-length").and_then(|length| length.to_str().ok()?.parse().ok());
    let begun = Chunk::Head { status: parts.status.as_u16(), headers: kept(&parts.headers), length };
    let mut is_heard = out.send(begun).is_ok();
    let mut reader = body.into_reader();
    let mut piece = vec![0; PIECE];
    while is_heard {
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => is_heard = out.send(Chunk::Bytes(piece.get(..read).unwrap_or_default().to_vec())).is_ok(),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn kept(headers: &HeaderMap) -> Vec<(String, Vec<u8>)> {
    let kept = headers.iter().filter(|(name, _)| !OWN_HEADERS.contains(&name.as_str()));
    kept.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect()
}

/// An answer that was passed on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relayed {
    /// The status.
    pub status: u16,
    /// What its headers call its content.
    pub kind: Option<String>,
    /// How it is packed.
    pub encoding: Option<String>,
    /// Its body, as it came.
    pub bytes: Vec<u8>,
}

impl Relayed {
    /// What the model said: its messages or items as they stand in the answer, and the id of the answer.
    ///
    /// # Errors
    /// Why it is no answer of a model.
    pub fn said(&self, form: Form) -> Result<(Vec<Value>, Option<String>), String> {
        let is_success = (200..300).contains(&self.status);
        let bytes = unpacked(&self.bytes, self.encoding.as_deref()).map_err(|broken| broken.to_string())?;
        let body = text(form, self.kind.as_deref(), is_success, &bytes).map_err(|broken| broken.to_string())?;
        match judge(form, Ok(Reply { status: self.status, body: body.clone(), ..Reply::default() })) {
            Attempt::Said(_) => {}
            Attempt::Again { why, .. }
            | Attempt::TooLong(why)
            | Attempt::Unreadable(why)
            | Attempt::Refused(why)
            | Attempt::Closed(why) => return Err(why),
            Attempt::Interrupted => return Err(Broken::Interrupted.to_string()),
        }
        let body = lenient::read(body.as_bytes()).map_err(|error| error.to_string())?.value;
        // A stream may come as one list.
        let body = body.as_array().and_then(|events| (form.gathered)(events, true)).unwrap_or(body);
        let id = body.get("id").and_then(Value::as_str).map(str::to_owned);
        Ok(((form.said)(&body).ok_or("the answer holds no message")?, id))
    }
}

/// Bytes without their packing, within the limits of an answer.
///
/// # Errors
/// They cannot be unpacked, or are too long.
pub fn unpacked(bytes: &[u8], encoding: Option<&str>) -> Result<Vec<u8>, Broken> {
    read_body(bytes, encoding, None).map_err(|error| match error {
        super::body::Unread::Broken(broken) => broken,
        super::body::Unread::Read(error) => broken_io(error, 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_go_to_the_provider_and_nowhere_else() {
        let relay = Relay::new("https://api.example.org/v1/", 1, None).unwrap();
        let at = |target: &str| relay.url(target).unwrap_or_default();
        assert_eq!(at("/v1/chat/completions?a=1"), "https://api.example.org/v1/chat/completions?a=1");
        assert_eq!(at("/chat/completions"), "https://api.example.org/v1/chat/completions");
        assert_eq!(at("/v1beta/models"), "https://api.example.org/v1/v1beta/models");
        assert_eq!(at("//other.org/x"), "https://api.example.org/v1//other.org/x");
        assert_eq!(at("/@other.org/x"), "https://api.example.org/v1/@other.org/x");
        for target in ["http://other.org/", "other.org:443", "@other.org/", "/v1/../admin", "/a b", "/a#b", ""] {
            assert_eq!(at(target), "", "{target}");
        }
        let root = Relay::new("http://127.0.0.1:80", 1, None).unwrap();
        assert_eq!((root.path(), root.url("/v1/x").unwrap().as_str()), ("", "http://127.0.0.1:80/v1/x"));
        for to in ["api.example.org", "https://me:pw@h/v1", "https://h/v1?api-version=1", "https:///v1"] {
            assert!(Relay::new(to, 1, None).is_err(), "{to}");
        }
    }

    #[test]
    fn who_lets_go_of_an_answer_makes_room_for_another() {
        // It takes connections and says nothing.
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Relay::new(&format!("http://{}", silent.local_addr().unwrap()), 30, None).unwrap();
        let send = || relay.send(Forwarded { method: "GET", target: "/x", headers: &[], body: Vec::new() });
        relay.open.store(MAX_OPEN - 1, Ordering::SeqCst);
        let held = send();
        assert!(
            matches!(send().next(Duration::from_secs(5)), Ok(Chunk::Cut(Broken::Connection(why))) if why.contains("too many"))
        );
        drop(held);
        assert!(matches!(send().next(Duration::from_millis(200)), Err(RecvTimeoutError::Timeout)));
        assert_eq!(relay.open.load(Ordering::SeqCst), MAX_OPEN - 1);
    }

    #[test]
    fn headers_of_the_connection_stay_behind() {
        let relay = Relay::new("https://api.example.org/v1", 1, None).unwrap();
        let headers = [
            ("Host", "127.0.0.1:8787"),
            ("Connection", "close, X-Hop"),
            ("X-Hop", "1"),
            ("Authorization", "Bearer sk-1"),
            ("Accept-Encoding", "br"),
            ("Origin", "http://127.0.0.1:8787"),
            ("Content-Length", "2"),
            ("X-Stay", "1"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()));
        let passed = Forwarded { method: "POST", target: "/responses", headers: &headers, body: b"{}".to_vec() };
        let request = relay.request(passed).unwrap();
        let names: Vec<&str> = request.headers().keys().map(|name| name.as_str()).collect();
        assert_eq!(names, ["authorization", "x-stay", "origin"]);
        assert_eq!(request.headers()["origin"], "https://api.example.org");
        let bad = Forwarded { method: "NO METHOD", target: "/x", headers: &[], body: Vec::new() };
        assert!(relay.request(bad).is_err());
    }

    #[test]
    fn what_a_model_said_is_found_in_every_form_and_in_its_streams() {
        let chat = json!({"id": "r1", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": "One moment.",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"a\":1}"}}]}}]});
        for form in Form::all() {
            let body = (form.answer)(&chat);
            let events = (form.events)(&body).into_iter();
            let events = events.map(|event| event.as_str().map_or_else(|| event.to_string(), str::to_owned));
            let stream: String = events.map(|event| format!("data: {event}\n\n")).collect();
            let kinds = [(body.to_string(), "application/json"), (stream, "text/event-stream")];
            for (bytes, kind) in kinds {
                let answer =
                    Relayed { status: 200, kind: Some(kind.to_owned()), bytes: bytes.into(), ..Relayed::default() };
                let (said, _) = answer.said(form).unwrap();
                let said = Value::from(said).to_string();
                assert!(said.contains("One moment.") && said.contains("look"), "{form} {kind}: {said}");
                let cut = Relayed { bytes: answer.bytes[..answer.bytes.len() / 3].to_vec(), ..answer.clone() };
                assert!(cut.said(form).is_err(), "{form} {kind}");
                assert!(
                    Relayed { status: 500, ..answer }.said(form).unwrap_err().contains("HTTP 500"),
                    "{form} {kind}"
                );
            }
        }
    }
}
