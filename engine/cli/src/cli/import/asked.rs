//! A server of the Model Context Protocol, asked for its tools over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::output;
use probity_local::Failure;

/// What a server has in all. `npx` may fetch it first.
const PATIENCE: Duration = Duration::from_secs(120);
/// Most bytes that it prints in all, most lines that are no answer, and most lines that wait to be read.
const MAX_OUTPUT: u64 = 64 << 20;
const MAX_LINES: usize = 10_000;
const MAX_WAITING: usize = 64;
/// Most pages of a list.
const MAX_PAGES: usize = 200;
/// Most bytes of what a server calls the next page.
const MAX_CURSOR: usize = 4 << 10;

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";

/// All pages of `tools/list`, a line each. Servers of both eras are asked: `initialize` first, and where that is not
/// known, each request says its version.
///
/// # Errors
/// The command does not start, or does not answer as a server does.
pub(super) fn asked(command: &str) -> Result<String, Failure> {
    ToolServer::start(command)?.tools()
}

#[expect(clippy::disallowed_methods, reason = "a server is waited for; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}

struct ToolServer {
    child: Child,
    /// A server that does not read holds up nothing but the thread that writes to it.
    input: Sender<String>,
    lines: Receiver<String>,
    until: Instant,
    next: u64,
}

impl Drop for ToolServer {
    /// What a server has started ends with it. When this program is ended from outside, its input ends.
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn refused(message: impl Into<String>) -> Failure {
    Failure::new(message, "try the command by hand; `--tools FILE` takes what it answers to `tools/list`")
}

impl ToolServer {
    fn start(command: &str) -> Result<ToolServer, Failure> {
        let words = command.split_whitespace().collect::<Vec<_>>();
        let [program, arguments @ ..] = words.as_slice() else { return Err(refused("the command is empty")) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // `npx` runs the server as a child of its own.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| refused(format!("`{program}` does not start: {error}")))?;
        let (Some(mut stdin), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(refused("the server has no standard input or output"));
        };
        let (sender, lines) = sync_channel(MAX_WAITING);
        thread::spawn(move || {
            let mut output = BufReader::new(output).take(MAX_OUTPUT);
            loop {
                let mut line = Vec::new();
                let read = output.read_until(b'\n', &mut line);
                let is_over = !matches!(read, Ok(1..));
                if is_over || sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let (input, messages) = channel::<String>();
        thread::spawn(move || {
            let write = |message: String| stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush());
            messages.into_iter().map(write).find(Result::is_err)
        });
        Ok(ToolServer { child, input, lines, until: now() + PATIENCE, next: 1 })
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        self.input.send(format!("{message}\n")).map_err(|_| refused("the server does not listen"))
    }

    /// The answer to a request; notifications and requests of the server's own are passed over.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        for _ in 0..MAX_LINES {
            let left = self.until.saturating_duration_since(now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => {
                    refused(format!("the server did not answer `{method}` within two minutes"))
                }
                RecvTimeoutError::Disconnected => refused(format!(
                    "the server ended, or printed more than {} MiB, before it answered `{method}`",
                    MAX_OUTPUT >> 20
                )),
            })?;
            // Some print words of their own.
            let Ok(answer) = serde_json::from_str::<Value>(&line) else { continue };
            if answer.get("id") == Some(&Value::from(id)) && answer.get("method").is_none() {
                return Ok(answer);
            }
        }
        Err(refused("the server talks, and does not answer"))
    }

    fn tools(&mut self) -> Result<String, Failure> {
        let client = json!({"name": "probity", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": client});
        let greeted = self.request("initialize", hello)?;
        let is_legacy = greeted.get("result").is_some();
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": client,
        });
        if is_legacy {
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        }
        let mut pages = vec![greeted];
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let mut params = if is_legacy { json!({}) } else { json!({"_meta": meta}) };
            if let Some(cursor) = cursor.take() {
                params["cursor"] = cursor;
            }
            let page = self.request("tools/list", params)?;
            if let Some(error) = page.get("error") {
                let message = error.get("message").and_then(Value::as_str).unwrap_or("without a word");
                return Err(refused(format!("the server refuses `tools/list`: {message}")));
            }
            cursor = page.pointer("/result/nextCursor").filter(|cursor| cursor.is_string()).cloned();
            if cursor.as_ref().and_then(Value::as_str).is_some_and(|cursor| cursor.len() > MAX_CURSOR) {
                return Err(refused(format!("what the server calls its next page has more than {MAX_CURSOR} bytes")));
            }
            pages.push(page);
            if cursor.is_none() {
                break;
            }
        }
        if cursor.is_some() {
            output::note(&format!("the server has more than {MAX_PAGES} pages of tools: the rest is not read"));
        }
        Ok(pages.iter().map(|page| format!("{page}\n")).collect())
    }
}
