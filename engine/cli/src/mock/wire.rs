//! HTTP as far as a mock needs it: one request on each connection, and answers that may be broken on purpose.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Most bytes of a request's head.
const MAX_HEAD: usize = 64 << 10;
/// Most bytes of a request's body.
const MAX_BODY: usize = 32 << 20;
/// How long a client may take for its request.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    /// What stands in the header of the key.
    pub(super) key: String,
    pub(super) body: Vec<u8>,
}

pub(super) fn read(stream: &mut TcpStream) -> Result<Request> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut bytes = Vec::new();
    loop {
        if let Some((mut request, start, length)) = head(&bytes)? {
            while bytes.len() < start + length {
                more(stream, &mut bytes)?;
            }
            request.body = bytes.get(start..start + length).unwrap_or_default().to_vec();
            return Ok(request);
        }
        if bytes.len() > MAX_HEAD {
            return Err(Error::new(ErrorKind::InvalidData, "the head of the request is too long"));
        }
        more(stream, &mut bytes)?;
    }
}

/// The request without its body, where the body starts and how long it is; nothing while the head is not complete.
fn head(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>> {
    let bad = |what: String| Error::new(ErrorKind::InvalidData, what);
    let mut headers = [httparse::EMPTY_HEADER; 96];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(start) = request.parse(bytes).map_err(|error| bad(error.to_string()))? else {
        return Ok(None);
    };
    let (method, path) = (request.method.unwrap_or_default().to_owned(), request.path.unwrap_or_default().to_owned());
    let header = |name: &str| {
        let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        header.and_then(|header| std::str::from_utf8(header.value).ok()).map(|value| value.trim().to_owned())
    };
    let length = header("content-length").map_or(Some(0), |length| length.parse::<usize>().ok());
    let length = length
        .filter(|length| *length <= MAX_BODY)
        .ok_or_else(|| bad("a body of that length is not taken".to_owned()))?;
    let key = ["authorization", "x-api-key", "x-goog-api-key"].into_iter().find_map(header).unwrap_or_default();
    Ok(Some((Request { method, path, key, body: Vec::new() }, start, length)))
}

fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Result<()> {
    let mut buffer = [0; 8192];
    let read = stream.read(&mut buffer)?;
    bytes.extend(buffer.get(..read).unwrap_or_default());
    if read == 0 { Err(Error::from(ErrorKind::UnexpectedEof)) } else { Ok(()) }
}

pub(super) fn write(stream: &mut TcpStream, status: u16, headers: &str, body: &str) -> Result<()> {
    stream.write_all(start(status, headers, body.len()).as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}

/// Writes half of an answer that promises all of it.
pub(super) fn write_half(stream: &mut TcpStream, body: &str) -> Result<()> {
    stream.write_all(start(200, "", body.len()).as_bytes())?;
    stream.write_all(body.as_bytes().get(..body.len() / 2).unwrap_or_default())?;
    stream.flush()
}

/// Writes until the other side has had enough.
pub(super) fn write_endless(stream: &mut TcpStream, chunk: &[u8], pause: Duration) -> Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n")?;
    loop {
        stream.write_all(chunk)?;
        stream.flush()?;
        std::thread::sleep(pause);
    }
}

/// Says nothing until the other side has had enough.
pub(super) fn wait_for_end(stream: &mut TcpStream) -> Result<()> {
    stream.set_read_timeout(None)?;
    let mut buffer = [0; 64];
    while stream.read(&mut buffer)? > 0 {}
    Ok(())
}

fn start(status: u16, headers: &str, length: usize) -> String {
    let kind = if headers.starts_with("content-type:") { "" } else { "content-type: application/json\r\n" };
    format!(
        "HTTP/1.1 {status} {}\r\n{kind}content-length: {length}\r\nconnection: close\r\n{headers}\r\n",
        if status < 300 { "OK" } else { "No" }
    )
}
