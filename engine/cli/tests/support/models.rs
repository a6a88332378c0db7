//! Models served on this machine.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use serde_json::{Value, json};

/// Serves chat completions: `say` has the words for a request. Where they are, for `--base-url`.
pub fn serve(say: fn(&Value) -> String) -> String {
    upstream(move |mut stream, asked| {
        let (_, body) = asked.split_once("\r\n\r\n").unwrap();
        let words = say(&serde_json::from_str(body).unwrap());
        let said = json!({"choices": [{"message": {"role": "assistant", "content": words}}]}).to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
        // Whoever asked may have had enough.
        let _ = stream.write_all(format!("{head}: {}\r\n\r\n{said}", said.len()).as_bytes());
    })
}

/// A provider that answers each connection, once its request was read, as it is told; its URL, for `--base-url`.
pub fn upstream(answer: impl Fn(TcpStream, &str) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map(Result::unwrap) {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let mut piece = [0; 16384];
                let head = loop {
                    let read = stream.read(&mut piece).unwrap_or(0);
                    bytes.extend(&piece[..read]);
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let length = text.to_ascii_lowercase();
                    let length =
                        length.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
                    match text.split_once("\r\n\r\n") {
                        Some((_, body)) if body.len() >= length.unwrap_or(0) => break text,
                        _ if read == 0 => return,
                        _ => {}
                    }
                };
                answer(stream, &head);
            });
        }
    });
    url
}
