//! The way from an agent to its provider and back.

use std::io::{ErrorKind, Result};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::asked::Asked;
use super::journal::{Came, Counts, Journal};
use crate::http::{Answering, Framing, Guest, Listener, Request, RequestLimits, Response, Unheard, refuse};
use probity_bench::{Broken, Chunk, Form, Forwarded, Hearing, Masks, Relay, Relayed, Stop, unpacked};

/// What a request may be, and how long a client may take for it.
const LIMITS: RequestLimits = RequestLimits { head: 64 << 10, body: 64 << 20, patience: Duration::from_secs(120) };
/// The longest answer that is written down; longer ones are passed on all the same.
const MAX_ANSWER: usize = 8 << 20;
/// How long a client may take for a piece of its answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often who waits for a provider looks whether it is still waited for.
const POLL: Duration = Duration::from_millis(50);
/// How long requests that are open may take when everything ends, and how long it takes to cut them off.
const GRACE: Duration = Duration::from_secs(5);
const CUTTING: Duration = Duration::from_secs(2);
/// What a request that is none for a dialogue is called by.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const ENDINGS: [&str; 16] = [
    "/chat/completions",
    "/completions",
    "/messages",
    "/messages/batches",
    "/responses",
    "/embeddings",
    "/models",
    "/moderations",
    "/files",
    "/batches",
    "/count_tokens",
    "/converse",
    "/converse-stream",
    ":generateContent",
    ":streamGenerateContent",
    ":countTokens",
];
/// Why an answer was not heard to its end.
const GONE: &str = "the client broke off";
/// Why a request was not heard to its end.
const GAVE_WAY: &str = "others came before the request was whole";

pub struct Proxy {
    listener: Listener,
    passing: Arc<Passing>,
}

struct Passing {
    relay: Relay,
    journal: Journal,
    counts: Mutex<Counts>,
    /// Whether no request is waited for any more.
    is_over: AtomicBool,
}

/// What of a request is kept until it is known what came of it.
struct Pending {
    came: Came,
    form: Form,
    model: Option<String>,
    body: Vec<u8>,
}

impl Proxy {
    pub fn bind(address: SocketAddr, relay: Relay, journal: Journal) -> Result<Proxy> {
        let passing = Passing { relay, journal, counts: Mutex::default(), is_over: AtomicBool::new(false) };
        Ok(Proxy { listener: Listener::bind(address)?, passing: Arc::new(passing) })
    }

    /// What an agent is given in place of its provider's URL.
    pub fn base_url(&self) -> Result<String> {
        Ok(format!("http://{}{}", self.listener.address()?, self.passing.relay.path()))
    }

    /// What passed so far.
    pub fn counts(&self) -> Counts {
        self.passing.counts().clone()
    }

    /// Passes requests on until it is to stop; those that are open then have a moment to end.
    pub fn serve(&self, stop: &Stop, on_poll: &dyn Fn()) -> Result<()> {
        let passing = Arc::clone(&self.passing);
        let answer: Answering = Arc::new(move |mut guest| passing.answer(&mut guest));
        let served = self.listener.serve(stop, &answer, on_poll);
        if !self.listener.rest(GRACE) {
            self.passing.is_over.store(true, Ordering::SeqCst);
            self.listener.rest(CUTTING);
        }
        self.passing.counts().give_up();
        served
    }
}

impl Passing {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, guest: &mut Guest) {
        let mut request = match Request::read(guest, &LIMITS) {
            Ok(request) => request,
            Err(unheard) => {
                let Some((status, what)) = unheard.refusal() else { return };
                let gave_way = unheard == Unheard::GaveWay;
                self.counts().miss(if gave_way { GAVE_WAY } else { "the request could not be read" });
                return refuse(guest, status, what);
            }
        };
        let guest: &Guest = guest;
        let stream: &TcpStream = guest;
        {
            let mut counts = self.counts();
            counts.requests += 1;
            counts.open += 1;
        }
        let is_long_to_come = stream.set_write_timeout(Some(PATIENCE)).and_then(|()| stream.set_nodelay(true));
        let spoken = if request.method == "POST" { Form::at(&request.target) } else { None };
        let kept =
            spoken.map(|(form, model)| Pending { came: self.journal.came(), form, model, body: request.body.clone() });
        let body = std::mem::take(&mut request.body);
        let passed = Forwarded { method: &request.method, target: &request.target, headers: &request.headers, body };
        let chunks = self.relay.send(passed);
        let outcome = is_long_to_come.map_err(|_| GONE.to_owned()).and_then(|()| self.pass(guest, &request, &chunks));
        // The provider need not go on for a client that is gone, nor a client wait for the record.
        drop(chunks);
        let _ = stream.shutdown(Shutdown::Write);
        let recorded = self.record(&request, kept, outcome);
        let mut counts = self.counts();
        // It may have been given up.
        let Some(open) = counts.open.checked_sub(1) else { return };
        counts.open = open;
        match recorded {
            Ok(is_answered) => {
                counts.recorded += 1;
                counts.unanswered += u64::from(!is_answered);
            }
            Err(why) => counts.miss(&why),
        }
    }

    /// Passes an answer on as it comes, and hears it.
    /// An error: why it is not whole.
    fn pass(&self, guest: &Guest, request: &Request, chunks: &Hearing) -> std::result::Result<Relayed, String> {
        let gone = |_| GONE.to_owned();
        let (status, mut headers, length) = match self.next(guest, chunks)? {
            Chunk::Head { status, headers, length } => (status, headers, length),
            Chunk::Cut(broken) => {
                let status = if matches!(broken, Broken::Timeout(_)) { 504 } else { 502 };
                let why = masks(request).map(|masks| masks.text(&format!(": {broken}"))).unwrap_or_default();
                refuse(guest, status, &format!("the provider did not answer{why}"));
                return Err(broken.to_string());
            }
            Chunk::Bytes(_) | Chunk::End => return Err("the answer has no beginning".to_owned()),
        };
        let header = |name: &str| {
            let found = headers.iter().find(|(own, _)| own == name);
            found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
        };
        let (kind, encoding) = (header("content-type"), header("content-encoding"));
        let mut heard = Relayed { status, kind, encoding, bytes: Vec::new() };
        headers.extend(length.map(|length| ("content-length".to_owned(), length.to_string().into_bytes())));
        let is_bodiless = request.method == "HEAD" || matches!(status, 204 | 304);
        let framing = match (is_bodiless || length.is_some(), request.is_old) {
            (true, _) => Framing::Told,
            (false, true) => Framing::Close,
            (false, false) => Framing::Chunks,
        };
        let mut response = Response::begin(guest, status, &headers, framing).map_err(gone)?;
        loop {
            match self.next(guest, chunks)? {
                Chunk::Bytes(bytes) => {
                    response.piece(&bytes).map_err(gone)?;
                    // One piece more than is read, so that it is seen to be too long.
                    if heard.bytes.len() <= MAX_ANSWER {
                        heard.bytes.extend(bytes);
                    }
                }
                Chunk::End => return response.end().map(|()| heard).map_err(gone),
                Chunk::Cut(broken) => return Err(broken.to_string()),
                Chunk::Head { .. } => return Err("the answer begins twice".to_owned()),
            }
        }
    }

    /// The next of an answer, while somebody waits for it.
    fn next(&self, watched: &TcpStream, chunks: &Hearing) -> std::result::Result<Chunk, String> {
        loop {
            match chunks.next(POLL) {
                Ok(chunk) => return Ok(chunk),
                Err(RecvTimeoutError::Disconnected) => return Err("the answer broke off".to_owned()),
                Err(RecvTimeoutError::Timeout) if self.is_over.load(Ordering::SeqCst) => {
                    return Err("the recording ended before the answer".to_owned());
                }
                Err(RecvTimeoutError::Timeout) if is_gone(watched) => return Err(GONE.to_owned()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Writes down what was asked and what came of it; whether it was answered.
    /// An error: why it is not written.
    fn record(
        &self,
        request: &Request,
        kept: Option<Pending>,
        outcome: std::result::Result<Relayed, String>,
    ) -> std::result::Result<bool, String> {
        let masks = masks(request)?;
        let no_dialogue = || no_dialogue(&request.method, request.path());
        let Pending { came, form, model, body } = kept.ok_or_else(no_dialogue)?;
        let body = match request.header("content-encoding") {
            None => body,
            encoding => unpacked(&body, encoding).map_err(|broken| format!("the body cannot be read: {broken}"))?,
        };
        let body = serde_json::from_slice(&body).map_err(|_| "the body is no JSON")?;
        let asked = Asked::of(form, model, body).ok_or_else(no_dialogue)?;
        let said = outcome.and_then(|relayed| relayed.said(form));
        let is_answered = said.is_ok();
        self.journal.write(&came, &masks, &asked, said).map(|()| is_answered)
    }
}

/// The keys that a request came with.
fn masks(request: &Request) -> std::result::Result<Masks, &'static str> {
    let query = request.target.split_once('?').map_or("", |(_, query)| query);
    Masks::of(request.headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())), query)
}

/// Says that a request is none for a dialogue. Only what is known stands in it: others may hold a key.
fn no_dialogue(method: &str, path: &str) -> String {
    let method = METHODS.iter().find(|known| **known == method).unwrap_or(&"another method");
    let path = path.trim_end_matches('/');
    let path = ENDINGS.iter().find(|known| path.ends_with(**known)).map_or("of another path", |known| *known);
    format!("{method} {path} asks for no dialogue")
}

/// Whether a client is gone. One that has said all it had to say still listens.
fn is_gone(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let is_gone = match stream.peek(&mut [0]) {
        Ok(_) => false,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
    };
    stream.set_nonblocking(false).is_err() || is_gone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_may_hold_a_key_is_not_told() {
        assert_eq!(no_dialogue("POST", "/v1/embeddings"), "POST /embeddings asks for no dialogue");
        assert_eq!(no_dialogue("GET", "/v1/models/"), "GET /models asks for no dialogue");
        for path in ["/v1/sk-12345678", "/v1/models/sk-12345678", "/sk-12345678/x"] {
            assert_eq!(no_dialogue("GET", path), "GET of another path asks for no dialogue");
        }
        assert_eq!(no_dialogue("SK-1", "/v1/files"), "another method /files asks for no dialogue");
    }

    #[test]
    fn an_upload_that_gave_way_is_told_so_and_counted() {
        use std::io::{Read as _, Write as _};

        let file = std::env::temp_dir().join(format!("probity-gave-way-{}.jsonl", std::process::id()));
        let relay = Relay::new("http://127.0.0.1:9/v1", 30, None).unwrap();
        let proxy = Proxy::bind("127.0.0.1:0".parse().unwrap(), relay, Journal::open(&file).unwrap()).unwrap();
        let here = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(here.local_addr().unwrap()).unwrap();
        client.write_all(b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 50\r\n\r\n{\"mess").unwrap();
        proxy.passing.answer(&mut Guest::that_gave_way(here.accept().unwrap().0));
        let mut said = Vec::new();
        client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let _ = client.read_to_end(&mut said);
        assert!(said.starts_with(b"HTTP/1.1 503 "), "{}", String::from_utf8_lossy(&said));
        assert_eq!(proxy.counts().missing.get(GAVE_WAY), Some(&1));
        drop(proxy);
        let _ = std::fs::remove_file(file);
    }
}
