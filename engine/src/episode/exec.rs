//! Agents in a process of their own: JSON lines on standard input and output (docs/FORMATS.md).

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::agent::{Agent, AgentFault, AgentMessage, Brief, Heard};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// Longest line an agent may answer with, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// An agent behind `exec:CMD`. The command runs in a shell; it and its children are killed at the end.
pub struct ExecAgent {
    command: String,
    timeout: Duration,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Result<Vec<u8>, String>>,
}

impl ExecAgent {
    /// An agent that is started by `command` and has `timeout` for each message.
    pub fn new(command: impl Into<String>, timeout: Duration) -> Self {
        ExecAgent { command: command.into(), timeout, process: None }
    }

    fn say(&mut self, value: &Value) -> Result<(), AgentFault> {
        let process = self.process.as_mut().ok_or_else(|| AgentFault::Failed("it was never started".to_owned()))?;
        let line = format!("{value}\n");
        let written = process.input.write_all(line.as_bytes()).and_then(|()| process.input.flush());
        // An agent that has exited is told apart when its answer is read.
        written.or_else(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(AgentFault::Failed(format!("cannot write to it: {error}"))),
        })
    }

    fn listen(&mut self) -> Result<AgentMessage, AgentFault> {
        let timeout = self.timeout;
        let process = self.process.as_mut().ok_or_else(|| AgentFault::Failed("it was never started".to_owned()))?;
        let line = match process.lines.recv_timeout(timeout) {
            Ok(Ok(line)) => line,
            Ok(Err(what)) => return Err(AgentFault::Failed(what)),
            Err(RecvTimeoutError::Timeout) => {
                return Err(AgentFault::Failed(format!("no answer within {} seconds", timeout.as_secs())));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(AgentFault::Failed("it exited".to_owned())),
        };
        serde_json::from_slice(&line).map_err(|error| {
            let start: String = String::from_utf8_lossy(&line).chars().take(80).collect();
            AgentFault::Failed(format!("its answer is not `{{\"text\": .., \"calls\": [..]}}`: {error}: {start}"))
        })
    }
}

impl Agent for ExecAgent {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        let process = Process::spawn(&self.command)
            .map_err(|error| AgentFault::Failed(format!("cannot start `{}`: {error}", self.command)))?;
        self.process = Some(process);
        self.say(&json!({"type": "start", "protocol": PROTOCOL, "system": brief.system, "tools": brief.tools}))
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        let value = match heard {
            Heard::User(text) => json!({"type": "user", "text": text}),
            Heard::Observations(values) => json!({"type": "observations", "observations": values}),
        };
        self.say(&value)?;
        self.listen()
    }
}

impl Drop for ExecAgent {
    fn drop(&mut self) {
        // Nobody is left to tell when the process is gone already.
        let _ = self.say(&json!({"type": "end"}));
        if let Some(mut process) = self.process.take() {
            process.stop();
        }
    }
}

impl Process {
    fn spawn(command: &str) -> std::io::Result<Process> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn()?;
        let missing = || std::io::Error::other("a pipe is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = sync_channel(1);
        std::thread::Builder::new().name("exec agent".to_owned()).spawn(move || read_lines(output, &sender))?;
        Ok(Process { child, input, lines })
    }

    fn stop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // The group is gone already when all of it has exited.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands over line by line; the channel holds one, so a flood waits in the pipe.
fn read_lines(output: ChildStdout, sender: &SyncSender<Result<Vec<u8>, String>>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) => return,
            Ok(_) if line.len() as u64 > MAX_LINE => Err(format!("a line longer than {MAX_LINE} bytes")),
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => Ok(line),
            Err(error) => Err(format!("cannot read from it: {error}")),
        };
        let is_over = message.is_err();
        if sender.send(message).is_err() || is_over {
            return;
        }
    }
}
