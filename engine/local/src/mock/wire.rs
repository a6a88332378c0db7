//! Answers that are broken on purpose.

use std::io::{Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::http::head;

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
