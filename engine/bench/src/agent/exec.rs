//! Agents in a process of their own: JSON lines on standard input and output (docs/FORMATS.md).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::interrupt::Interrupt;
use super::process::{Deadline, OutputLine, Process, Waited};
use super::quarters::Quarters;
use crate::agent::{Agent, AgentFault, AgentMessage, Brief, Heard, Past};

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// An agent behind `exec:CMD`. The command runs in a shell; its process group is killed at the end.
pub struct ExecAgent {
    command: String,
    timeout: Duration,
    quarters: Arc<Quarters>,
    interrupt: Arc<Interrupt>,
    process: Option<Process>,
    /// What it is told with what it hears next.
    context: Option<String>,
    has_failed: bool,
}

impl ExecAgent {
    /// An agent that is started by `command`, has `timeout` for each message, and gives up when interrupted.
    pub fn new(
        command: impl Into<String>,
        timeout: Duration,
        quarters: Arc<Quarters>,
        interrupt: Arc<Interrupt>,
    ) -> Self {
        ExecAgent {
            command: command.into(),
            timeout,
            quarters,
            interrupt,
            process: None,
            context: None,
            has_failed: false,
        }
    }

    fn process(&self) -> Result<&Process, AgentFault> {
        self.process.as_ref().ok_or_else(|| AgentFault::Failed("it was never started".to_owned()))
    }

    fn say(&self, value: &Value, deadline: Deadline) -> Result<(), AgentFault> {
        match self.process()?.write(line(value), deadline) {
            // An agent that has exited is told apart when its answer is read.
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Ok(Ok(())) | Err(Waited::Gone) => Ok(()),
            Ok(Err(error)) => Err(AgentFault::Failed(format!("cannot write to it: {error}"))),
            Err(Waited::Late) => {
                Err(AgentFault::Failed(format!("it did not read what it was told within {}", self.time())))
            }
            Err(Waited::Interrupted) => Err(interrupted()),
        }
    }

    fn listen(&mut self, deadline: Deadline) -> Result<AgentMessage, AgentFault> {
        let line = match self.process()?.read(deadline) {
            Ok(Ok(OutputLine { is_followed: true, .. })) => return Err(unasked()),
            Ok(Ok(line)) => line.text,
            Ok(Err(what)) => return Err(AgentFault::Failed(what)),
            Err(Waited::Late) => return Err(AgentFault::Failed(format!("no answer within {}", self.time()))),
            Err(Waited::Gone) => return Err(AgentFault::Failed(self.how_it_ended())),
            Err(Waited::Interrupted) => return Err(interrupted()),
        };
        let line = String::from_utf8(line).map_err(|_| AgentFault::Failed("its answer is not UTF-8".to_owned()))?;
        let line = self.quarters.blot(&line);
        serde_json::from_str(&line).map_err(|error| {
            let start: String = line.chars().take(80).collect();
            // The error may name a key of any length.
            let error: String = error.to_string().chars().take(200).collect();
            AgentFault::Failed(format!("its answer is not `{{\"text\": .., \"calls\": [..]}}`: {error}: {start}"))
        })
    }

    fn how_it_ended(&mut self) -> String {
        self.process.as_mut().map_or_else(|| "it was never started".to_owned(), Process::how_it_ended)
    }

    fn time(&self) -> String {
        let seconds = self.timeout.as_secs();
        format!("{seconds} second{}", if seconds == 1 { "" } else { "s" })
    }
}

impl Agent for ExecAgent {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        // An agent that begins anew is another process: nothing is left of what was taken back.
        if let Some(process) = self.process.take() {
            process.part(line(&json!({"type": "end"})));
        }
        let process = Process::spawn(&self.command, &self.quarters, Arc::clone(&self.interrupt))
            .map_err(|error| AgentFault::Failed(format!("cannot start `{}`: {error}", self.command)))?;
        self.process = Some(process);
        let mut start = json!({"type": "start", "protocol": PROTOCOL, "system": brief.system, "tools": brief.tools});
        if let Some(map) = start.as_object_mut().filter(|_| !brief.history.is_empty()) {
            map.insert("history".to_owned(), brief.history.iter().map(past).collect());
        }
        let said = self.say(&start, Deadline::after(self.timeout));
        self.has_failed = said.is_err();
        said
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        let mut value = hearing(heard);
        if let (Some(map), Some(context)) = (value.as_object_mut(), self.context.take()) {
            map.insert("context".to_owned(), Value::from(context));
        }
        let deadline = Deadline::after(self.timeout);
        let answer = match self.process()?.has_spoken() {
            true => Err(unasked()),
            false => self.say(&value, deadline).and_then(|()| self.listen(deadline)),
        };
        self.has_failed = answer.is_err();
        answer
    }

    fn learn(&mut self, context: &str) {
        self.context = Some(context.to_owned());
    }

    fn errors(&mut self) -> Option<String> {
        let mut process = self.process.take()?;
        process.stop();
        process.last_errors().map(|text| self.quarters.blot(&text))
    }
}

impl Drop for ExecAgent {
    fn drop(&mut self) {
        // An agent that has failed is not asked to end: it is killed with its process.
        if let Some(process) = self.process.take().filter(|_| !self.has_failed) {
            process.part(line(&json!({"type": "end"})));
        }
    }
}

fn line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

/// What an agent hears, as its process reads it.
fn hearing(heard: &Heard) -> Value {
    match heard {
        Heard::User(text) => json!({"type": "user", "text": text}),
        Heard::Observations(values) => json!({"type": "observations", "observations": values}),
    }
}

/// The lines that would have been read and written.
fn past(past: &Past) -> Value {
    match past {
        Past::Heard(heard) => hearing(heard),
        Past::Said(message) => json!(message),
    }
}

/// Each message of an agent answers something.
fn unasked() -> AgentFault {
    AgentFault::Failed("it said something before it was asked, or more than one line at a time".to_owned())
}

fn interrupted() -> AgentFault {
    AgentFault::Failed("the run was interrupted".to_owned())
}
