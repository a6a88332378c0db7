//! `probity serve --mcp-http`: an episode at each path `/e/NAME/mcp`.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::scores::Scores;
use crate::failure::Failure;
use crate::http::{self, Listener, Request, RequestLimits, Unheard};
use probity_bench::Stop;
use probity_doors::mcp::{LEGACY, MODERN, McpServer};
use probity_doors::{MAX_LINE, Opening, Stage};

/// What a request may be, and how long a client may take for it.
const LIMITS: RequestLimits = RequestLimits { head: 16 << 10, body: MAX_LINE, patience: Duration::from_secs(30) };
/// Most episodes of one server.
const MAX_EPISODES: usize = 10_000;
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
    stage: Stage<'static>,
    opening: Opening,
    admission: Admission,
    scores: Scores,
    rooms: Mutex<BTreeMap<String, Arc<Mutex<Room>>>>,
}

/// An episode, or the mark that it was left.
enum Room {
    Open(Box<McpServer<'static>>),
    Left,
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
    pub fn new(stage: Stage<'static>, opening: Opening, admission: Admission, scores: Scores) -> Arc<Rooms> {
        Arc::new(Rooms { stage, opening, admission, scores, rooms: Mutex::default() })
    }

    /// Answers until it is to stop. Then all that is open is left by its client.
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
                    let allowed = if status == 405 { "allow: POST, DELETE\r\n" } else { "" };
                    // A client that breaks off is its own affair.
                    let _ = http::write(&mut stream, status, allowed, &body);
                }
                Err(Unheard::Refused(status, what)) => http::refuse(&mut stream, status, what),
                Err(Unheard::Gone) => {}
            });
        let served = listener.serve(stop, &answer, &|| {});
        listener.rest(LAST);
        let names: Vec<String> = locked(&self.rooms).keys().cloned().collect();
        for name in names {
            self.leave(&name);
        }
        served
    }

    fn answer(&self, request: &Request) -> HttpAnswer {
        if let Some(refusal) = self.admission.refusal(request) {
            return refusal;
        }
        let name = request.path().strip_prefix("/e/").and_then(|rest| rest.strip_suffix("/mcp"));
        let is_name = |name: &&str| {
            (1..=64).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        let Some(name) = name.filter(is_name) else {
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
        if let Some(refusal) = header_refusal(request) {
            return refusal;
        }
        let room = match self.room(name) {
            Ok(room) => room,
            Err(refusal) => return refusal,
        };
        let mut room = locked(&room);
        let Room::Open(server) = &mut *room else { return refused(410, "the episode was left") };
        let was_over = server.episode().is_over();
        let answer = server.answer(&request.body);
        if server.episode().is_over() && !was_over {
            self.scores.add(name, server.episode());
        }
        match answer {
            Some(answer) => {
                let is_bad = answer
                    .pointer("/error/code")
                    .and_then(Value::as_i64)
                    .is_some_and(|code| matches!(code, -32700 | -32600 | -32022));
                (if is_bad { 400 } else { 200 }, answer)
            }
            None => (202, Value::Null),
        }
    }

    fn room(&self, name: &str) -> Result<Arc<Mutex<Room>>, HttpAnswer> {
        let mut rooms = locked(&self.rooms);
        if let Some(room) = rooms.get(name) {
            return Ok(Arc::clone(room));
        }
        if rooms.len() >= MAX_EPISODES {
            return Err(refused(503, "there are as many episodes as one server has"));
        }
        let episode = self.stage.open(&self.opening).map_err(|refusal| refused(500, &refusal.message))?;
        let server =
            McpServer::new(episode).ok_or_else(|| refused(500, "a tool is called as the one that speaks is"))?;
        let room = Arc::new(Mutex::new(Room::Open(Box::new(server))));
        rooms.insert(name.to_owned(), Arc::clone(&room));
        Ok(room)
    }

    /// A client leaves: what was not over is scored as left. False where nothing of that name is open.
    fn leave(&self, name: &str) -> bool {
        let room = locked(&self.rooms).get(name).cloned();
        let Some(room) = room else { return false };
        let Room::Open(server) = std::mem::replace(&mut *locked(&room), Room::Left) else { return false };
        let was_over = server.episode().is_over();
        let episode = server.leave();
        if !was_over {
            self.scores.add(name, &episode);
        }
        true
    }
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
        let given = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        let is_admitted = self.token.as_deref().is_none_or(|token| given.is_some_and(|given| is_same(given, token)));
        (!is_admitted).then(|| refused(401, "`authorization: Bearer TOKEN` is missing or wrong"))
    }
}

/// Whether two texts are the same, found out in a time that does not tell where they part.
fn is_same(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// What is wrong with the headers of the protocol, where they are there.
fn header_refusal(request: &Request) -> Option<HttpAnswer> {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let told = body.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion").and_then(Value::as_str);
    let version = request.header("mcp-protocol-version");
    if version.is_some_and(|version| version != MODERN && !LEGACY.contains(&version)) {
        return Some(refused(400, "this version of the protocol is not spoken here"));
    }
    let other = |header: &str, own: Option<&str>| {
        request.header(header).is_some_and(|value| own.is_some_and(|own| own != value))
    };
    let named = body.pointer("/params/name").or_else(|| body.pointer("/params/uri")).and_then(Value::as_str);
    let differs = other("mcp-protocol-version", told)
        || other("mcp-method", body.get("method").and_then(Value::as_str))
        || other("mcp-name", named);
    differs.then(|| refused(400, "the headers say something else than the body"))
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
