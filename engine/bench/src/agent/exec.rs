//! Agents in a process of their own: JSON lines on standard input and output (docs/FORMATS.md).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::process::{Deadline, Interrupt, OutputLine, Process, UNSTARTABLE, Waited};
use super::quarters::Quarters;
use super::shape::Misfit;
use crate::agent::{Agent, AgentFault, AgentMessage, Brief, Heard, Past};
use crate::provider::completion::call_arguments;
use probity_wire::lenient::{self, Read};

/// The version of the protocol.
pub(crate) const PROTOCOL: u32 = 1;

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
    /// Places of its lines that were mended to be read.
    mended: u64,
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
            mended: 0,
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
        let (line, invalid) = lenient::text(&line);
        let line = self.quarters.blot(&line);
        let (message, mended) = read_message(&line).map_err(|error| {
            let start: String = line.chars().take(80).collect();
            AgentFault::Failed(format!("its answer is not `{{\"text\": .., \"calls\": [..]}}`: {error}: {start}"))
        })?;
        self.mended = self.mended.saturating_add(mended).saturating_add(invalid);
        Ok(message)
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
            .map_err(|error| AgentFault::Failed(format!("{UNSTARTABLE} `{}`: {error}", self.command)))?;
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

    fn mended(&self) -> u64 {
        self.mended
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

/// Reads a line, with how many places of it were mended, or what is wrong with it. Arguments may be a text that holds an
/// object, as chat completions give them.
fn read_message(line: &str) -> Result<(AgentMessage, u64), String> {
    let Read { value, mut mended } = lenient::read(line.as_bytes()).map_err(|error| lenient::in_words(&error))?;
    let mut message = AgentMessage::of_value(value).map_err(|Misfit { at, what }| {
        let what = what.strip_prefix("is ").map_or_else(|| what.clone(), |what| format!("must be {what}"));
        match at.strip_prefix('.') {
            Some(at) => format!("`{at}` {what}"),
            None => format!("the line {what}"),
        }
    })?;
    for call in message.calls.iter_mut().filter(|call| !call.arguments.is_object()) {
        let (arguments, more) = call_arguments(Some(&call.arguments));
        (call.arguments, mended) = (arguments, mended.saturating_add(more));
    }
    Ok((message, mended))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_models_and_programs_write_them() {
        let read = read_message;
        let call = |line: &str| read(line).unwrap().0.calls.remove(0).arguments;
        assert_eq!(call(r#"{"calls": [{"tool": "f", "arguments": "{\"x\": 1}"}]}"#), json!({"x": 1}));
        assert_eq!(call(r#"{"calls": [{"tool": "f", "arguments": ""}]}"#), json!({}));
        assert_eq!(call(r#"{"calls": [{"tool": "f", "arguments": null}]}"#), json!({}));
        assert_eq!(call(r#"{"calls": [{"tool": "f", "arguments": "{\"x\""}]}"#), json!("{\"x\""));
        assert_eq!(call(r#"{"calls": [{"tool": "f", "arguments": [1]}]}"#), json!([1]));
        let (message, mended) = read(r#"{"text": "Done \ud83d", "calls": null}"#).unwrap();
        assert_eq!((message, mended), (AgentMessage::reply("Done \u{fffd}"), 1));
        assert_eq!(read("\u{feff}{\"text\": \"Done.\"}").unwrap().1, 1);
        // Of a key that stands twice the last counts, and a number beyond all numbers is none.
        assert_eq!(read(r#"{"text": "a", "text": "b"}"#), Ok((AgentMessage::reply("b"), 0)));
        assert_eq!(call(r#"{"calls": [{"tool": "f", "tool": "g", "arguments": {"x": 1e999}}]}"#), json!({"x": null}));
    }

    /// A list is no object, wherever the struct of the same fields could be made of it.
    #[test]
    fn a_line_that_is_no_message_is_told_in_the_protocols_words() {
        for (line, what) in [
            ("hello", "this is no JSON"),
            (r#""hi""#, "the line must be an object with `text`, `calls`"),
            (r#"["hi"]"#, "the line must be an object with `text`, `calls`"),
            (r#"["hi", null]"#, "the line must be an object with `text`, `calls`"),
            (r#"["hi", [["f", {}]]]"#, "the line must be an object with `text`, `calls`"),
            (r#"{"calls": [["f", {}]]}"#, "`calls[0]` must be an object with `tool`, `arguments`"),
            (r#"{"calls": [{"tool": "f"}]}"#, "`calls[0]` lacks `arguments`"),
            (r#"{"calls": {}}"#, "`calls` must be a list"),
            (r#"{"text": 5}"#, "`text` must be a text"),
            (r#"{"txt": "\ud83d"}"#, "the line has no field `txt`: it has `text`, `calls`"),
        ] {
            let told = read_message(line).unwrap_err();
            assert!(told.starts_with(what), "{line}: {told}");
        }
    }
}
