//! Models served on this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

/// Serves chat completions: `say` has the words for a request. Where they are, for `--base-url`.
pub fn serve(say: fn(&Value) -> String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        listener.incoming().for_each(|stream| drop(std::thread::spawn(move || answer(stream.unwrap(), say))))
    });
    url
}

fn answer(stream: TcpStream, say: fn(&Value) -> String) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let verdict = say(&serde_json::from_slice(&body).unwrap());
        let said = json!({"choices": [{"message": {"role": "assistant", "content": verdict}}]}).to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", said.len());
        if reader.get_mut().write_all(format!("{head}{said}").as_bytes()).is_err() {
            return;
        }
    }
}
