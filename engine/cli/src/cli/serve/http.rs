//! `probity serve --mcp-http`: an episode at each path `/e/NAME/mcp`.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::scores::Scores;
use crate::failure::Failure;
use crate::http::{self, Listener, Request, RequestLimits, Unheard};
use probity_bench::Stop;
use probity_doors::mcp::{LEGACY, MODERN, McpServer};
use probity_doors::{MAX_LINE, Offer, Opening};

/// What a request may be, and how long a client may take for it.
const LIMITS: RequestLimits = RequestLimits { head: 16 << 10, body: MAX_LINE, patience: Duration::from_secs(10) };
/// Most episodes of one server that are not over.
const MAX_OPEN: usize = 10_000;
/// Most episodes of one server in all.
const MAX_EPISODES: usize = 1_000_000;
const HEADER_MISMATCH: i64 = -32020;
/// How long the last answers are waited for when the server ends.
const LAST: Duration = Duration::from_secs(5);

/// Who may come in.
pub struct Admission {
    /// The token that each request has to bring.
    pub token: Option<String>,
    /// Whether it listens on this machine alone: then nobody comes in by another host's name.
    pub is_local: bool,
}

/// Episodes over HTTP, each by the name that its client gave it.
pub struct Rooms {
    offer: Offer<'static>,
    opening: Opening,
    admission: Admission,
    scores: Scores,
    rooms: Mutex<BTreeMap<String, Arc<Mutex<Room>>>>,
    /// How many of them are not over, and what they hold.
    open: AtomicUsize,
    held: Arc<AtomicUsize>,
}

enum Room {
    /// Nobody has asked anything yet.
    New,
    Open(Box<McpServer<'static>>),
    /// The dialogue is over, or its client has left.
    Over,
}

/// An answer: a status and a body.
type HttpAnswer = (u16, Value);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn refused(status: u16, what: &str) -> HttpAnswer {
    (status, json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": what}}))
}

impl Rooms {
    /// No episode is open yet; each will begin as `opening` says.
    pub fn new(offer: Offer<'static>, opening: Opening, admission: Admission, scores: Scores) -> Arc<Rooms> {
        Arc::new(Rooms {
            offer,
            opening,
            admission,
            scores,
            rooms: Mutex::default(),
            open: AtomicUsize::new(0),
            held: Arc::default(),
        })
    }

    /// Answers until it is to stop. What is not over then has no reward: nobody left.
    ///
    /// # Errors
    /// It can listen no more.
    pub fn serve(self: &Arc<Self>, listener: &Listener, stop: &Stop) -> std::io::Result<()> {
        let rooms = Arc::clone(self);
        let answer: Arc<dyn Fn(TcpStream) + Send + Sync> =
            Arc::new(move |mut stream| match Request::read(&mut stream, &LIMITS) {
                Ok(request) => {
                    let (status, body) = rooms.answer(&request);
                    let body = if body.is_null() { String::new() } else { body.to_string() };
                    let allowed = match status {
                        401 => "www-authenticate: Bearer\r\n".to_owned(),
                        405 => "allow: POST, DELETE\r\n".to_owned(),
                        // Who begins by a handshake leaves by its session.
                        200 if is_handshake(&request) => {
                            format!("mcp-session-id: {}\r\n", name_of(&request).unwrap_or_default())
                        }
                        _ => String::new(),
                    };
                    // A client that breaks off is its own affair.
                    let _ = http::write(&mut stream, status, &allowed, &body);
                }
                Err(Unheard::Refused(status, what)) => http::refuse(&mut stream, status, what),
                Err(Unheard::Gone) => {}
            });
        let served = listener.serve(stop, &answer, &|| {});
        listener.rest(LAST);
        let names: Vec<String> = locked(&self.rooms).keys().cloned().collect();
        for name in names {
            let room = locked(&self.rooms).get(&name).cloned();
            if let Some(Room::Open(server)) = room.as_deref().map(locked).as_deref() {
                self.scores.add(&name, server.episode());
            }
        }
        served
    }

    /// Whether all scores were written.
    ///
    /// # Errors
    /// They were not.
    pub fn finished(&self) -> Result<(), Failure> {
        self.scores.finished()
    }

    fn answer(&self, request: &Request) -> HttpAnswer {
        if let Some(refusal) = self.admission.refusal(request) {
            return refusal;
        }
        let Some(name) = name_of(request) else {
            return refused(404, "an episode is at /e/NAME/mcp; a name has 1 to 64 letters, digits, `-` and `_`");
        };
        match request.method.as_str() {
            "POST" => self.post(name, request),
            "DELETE" => match self.leave(name) {
                true => (204, Value::Null),
                false => refused(404, "no such episode is open"),
            },
            _ => refused(405, "this door is asked by POST, and left by DELETE"),
        }
    }

    fn post(&self, name: &str, request: &Request) -> HttpAnswer {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        // What is no message of the protocol begins nothing.
        if !body.is_array() && body.get("method").is_none() {
            return refused(400, "the body is not one JSON-RPC 2.0 request or notification");
        }
        if let Some(refusal) = header_refusal(request, &body) {
            return refusal;
        }
        let room = match self.room(name) {
            Ok(room) => room,
            Err(refusal) => return refusal,
        };
        let mut room = locked(&room);
        if let Room::New = &*room {
            let opened = self.offer.open(&self.opening, &self.held).and_then(McpServer::new);
            match opened {
                Ok(server) => *room = Room::Open(Box::new(server)),
                Err(refusal) => return refused(500, &refusal.message),
            }
            self.open.fetch_add(1, Ordering::SeqCst);
        }
        let Room::Open(server) = &mut *room else { return refused(410, "the dialogue of this episode is over") };
        let answer = server.answer(&request.body);
        if server.episode().is_over() {
            self.scores.add(name, server.episode());
            self.open.fetch_sub(1, Ordering::SeqCst);
            *room = Room::Over;
        }
        let Some(answer) = answer else { return (202, Value::Null) };
        let code = answer.pointer("/error/code").and_then(Value::as_i64);
        let is_bad = code.is_some_and(|code| matches!(code, -32700 | -32600 | -32022))
            || code == Some(-32602)
                && answer.pointer("/error/message").is_some_and(|what| what.to_string().contains("`_meta` lacks"));
        (if is_bad { 400 } else { 200 }, answer)
    }

    fn room(&self, name: &str) -> Result<Arc<Mutex<Room>>, HttpAnswer> {
        let mut rooms = locked(&self.rooms);
        if let Some(room) = rooms.get(name) {
            return Ok(Arc::clone(room));
        }
        if rooms.len() >= MAX_EPISODES || self.open.load(Ordering::SeqCst) >= MAX_OPEN {
            return Err(refused(503, "there are as many open episodes as one server has"));
        }
        let room = Arc::new(Mutex::new(Room::New));
        rooms.insert(name.to_owned(), Arc::clone(&room));
        Ok(room)
    }

    /// A client leaves: what was not over is scored as left. False where nothing of that name is open.
    fn leave(&self, name: &str) -> bool {
        let room = locked(&self.rooms).get(name).cloned();
        let Some(room) = room else { return false };
        let Room::Open(server) = std::mem::replace(&mut *locked(&room), Room::Over) else { return false };
        self.open.fetch_sub(1, Ordering::SeqCst);
        self.scores.add(name, &server.leave());
        true
    }
}

/// The episode that a request's path names.
fn name_of(request: &Request) -> Option<&str> {
    let name = request.path().strip_prefix("/e/").and_then(|rest| rest.strip_suffix("/mcp"))?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    ((1..=64).contains(&name.len()) && is_plain).then_some(name)
}

fn is_handshake(request: &Request) -> bool {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    body.get("method").and_then(Value::as_str) == Some("initialize")
}

impl Admission {
    /// Why a request is not let in, if it is not.
    fn refusal(&self, request: &Request) -> Option<HttpAnswer> {
        let is_here = |host: &str| {
            let host = host.rsplit_once("://").map_or(host, |(_, host)| host);
            let name = if host.starts_with('[') { host.split(']').next() } else { host.split(':').next() };
            matches!(name.unwrap_or_default(), "localhost" | "127.0.0.1" | "[::1")
        };
        // A page of another site may not use a browser on this machine, nor a name that leads here.
        let origin = request.header("origin");
        let is_own = |origin: &str| request.header("host").is_some_and(|host| origin.ends_with(&format!("://{host}")));
        if origin.is_some_and(|origin| !(if self.is_local { is_here(origin) } else { is_own(origin) })) {
            return Some(refused(403, "requests of other origins are not answered"));
        }
        if self.is_local && !request.header("host").is_none_or(is_here) {
            return Some(refused(403, "this server is asked as localhost alone"));
        }
        let given = request.header("authorization").and_then(|value| value.split_once(' '));
        let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        let is_admitted = self.token.as_deref().is_none_or(|token| given.is_some_and(|given| is_same(given, token)));
        (!is_admitted).then(|| refused(401, "`authorization: Bearer TOKEN` is missing or wrong"))
    }
}

/// Whether two texts are the same, found out in a time that does not tell where they part.
fn is_same(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// What is wrong with the headers of the protocol. The revision without a handshake wants them to say what the body says.
fn header_refusal(request: &Request, body: &Value) -> Option<HttpAnswer> {
    let told = body.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").and_then(Value::as_str);
    let version = request.header("mcp-protocol-version");
    if version.is_some_and(|version| version != MODERN && !LEGACY.contains(&version)) {
        return Some(refused(400, "this version of the protocol is not spoken here"));
    }
    let is_modern = told == Some(MODERN);
    let differs = |header: &str, own: Option<&str>, is_needed: bool| match request.header(header) {
        Some(value) => own.is_some_and(|own| own != value),
        None => is_needed,
    };
    let method = body.get("method").and_then(Value::as_str);
    let named = body.pointer("/params/name").or_else(|| body.pointer("/params/uri")).and_then(Value::as_str);
    let is_wrong = differs("mcp-protocol-version", told, is_modern)
        || differs("mcp-method", method, is_modern)
        || differs("mcp-name", named, false);
    let what = "`MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` do not say what the body says";
    let error = json!({"code": HEADER_MISMATCH, "message": what});
    is_wrong.then(|| (400, json!({"jsonrpc": "2.0", "id": body.get("id"), "error": error})))
}

/// Listens where it is told to.
///
/// # Errors
/// It cannot, or not without a token.
pub fn listener(address: SocketAddr, token: Option<&str>) -> Result<Listener, Failure> {
    if !address.ip().is_loopback() && token.is_none() {
        let message = format!("{address} is open to others, and nobody would be asked for a token");
        return Err(Failure::new(message, "name a variable that holds one with `--token-env`, or take 127.0.0.1"));
    }
    Listener::bind(address)
        .map_err(|error| Failure::new(format!("cannot listen at {address}: {error}"), "name another address"))
}
