//! What a client is answered.

use std::io::{Read, Result, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use super::listener::Guest;
use super::request::now;

/// How long somebody who is refused may be silent while they are listened to, and how long they are in all.
const PATIENCE: Duration = Duration::from_millis(200);
const IN_ALL: Duration = Duration::from_secs(1);
/// The same for one whose place is needed.
const IN_HASTE: Duration = Duration::from_millis(20);

/// The phrase of a status, as the registry of HTTP has it; nothing for one that is not in it.
fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}

/// The head of an answer whose body has so many bytes; it is JSON unless its headers begin with another type.
pub fn head(status: u16, headers: &str, length: usize) -> String {
    let kind = if headers.starts_with("content-type:") { "" } else { "content-type: application/json\r\n" };
    let body = if status == 204 { String::new() } else { format!("{kind}content-length: {length}\r\n") };
    format!("HTTP/1.1 {status} {}\r\n{body}connection: close\r\n{headers}\r\n", phrase(status))
}

/// An answer that is there as a whole.
pub fn write(mut stream: &TcpStream, status: u16, headers: &str, body: &str) -> Result<()> {
    stream.write_all(head(status, headers, body.len()).as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}

/// Tells a client why it gets nothing else.
pub fn refuse(guest: &Guest, status: u16, what: &str) {
    let body = serde_json::json!({"error": {"message": what, "type": "probity"}}).to_string();
    write_unheard(guest, status, "", &body);
}

/// Answers a client that was not heard to its end, and listens on for a moment: who hangs up on somebody who still
/// speaks is not heard.
pub fn write_unheard(guest: &Guest, status: u16, headers: &str, body: &str) {
    let mut stream: &TcpStream = guest;
    let begun = now();
    let _ = write(stream, status, headers, body);
    let _ = stream.shutdown(Shutdown::Write).and_then(|()| stream.set_read_timeout(Some(PATIENCE)));
    let mut piece = [0; 64 << 10];
    let most = || if guest.gave_way() { IN_HASTE } else { IN_ALL };
    while matches!(stream.read(&mut piece), Ok(1..)) && now() < begun + most() {}
}

/// How a client knows where the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Its headers say so, or there is none.
    Told,
    /// By the last chunk.
    Chunks,
    /// The connection is closed.
    Close,
}

/// An answer that comes piece by piece. A client that is left without its end knows that it broke off, unless nothing
/// but the end of the connection would have told it.
pub struct Response<'a> {
    stream: &'a TcpStream,
    framing: Framing,
}

impl<'a> Response<'a> {
    /// Begins it with these headers, and those of the connection.
    pub fn begin(
        mut stream: &'a TcpStream,
        status: u16,
        headers: &[(String, Vec<u8>)],
        framing: Framing,
    ) -> Result<Response<'a>> {
        let mut head = format!("HTTP/1.1 {status} {}\r\n", phrase(status)).into_bytes();
        for (name, value) in headers {
            head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        let chunks: &[u8] = if framing == Framing::Chunks { b"transfer-encoding: chunked\r\n" } else { b"" };
        head.extend([chunks, b"connection: close\r\n\r\n"].concat());
        stream.write_all(&head)?;
        Ok(Response { stream, framing })
    }

    /// Sends a piece as it is, at once.
    pub fn piece(&mut self, bytes: &[u8]) -> Result<()> {
        match self.framing {
            // An empty chunk is the end.
            _ if bytes.is_empty() => Ok(()),
            Framing::Chunks => {
                let size = format!("{:x}\r\n", bytes.len());
                self.stream.write_all(&[size.as_bytes(), bytes, b"\r\n"].concat())
            }
            Framing::Told | Framing::Close => self.stream.write_all(bytes),
        }
    }

    /// Says that this is all.
    pub fn end(mut self) -> Result<()> {
        match self.framing {
            Framing::Chunks => self.stream.write_all(b"0\r\n\r\n"),
            Framing::Told | Framing::Close => Ok(()),
        }
    }
}
