//! Logs of dialogues in which tools were called, as an import reads them: without personal data.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::audit::inputs::{LogInput, files};
use crate::cli::output;
use probity_import::Seen;
use probity_local::Failure;
use probity_logs::{Arguments, Call, CallResult, Dialogue, Event, Reader};
use probity_tickets::preparation::masked_value;

/// Most problems that are told.
const MAX_TOLD: usize = 20;

/// What logs show of tools, and the tools that agents were told of, each as it was told first.
#[derive(Default)]
pub(super) struct Logs {
    pub seen: Seen,
    pub tools: Vec<Value>,
}

/// # Errors
/// There is no such file, or nothing of a tool in any.
pub(super) fn logs(named: &[PathBuf]) -> Result<Logs, Failure> {
    let mut logs = Logs::default();
    if named.is_empty() {
        return Ok(logs);
    }
    let files = files(named)?;
    let mut told = files.unread;
    for file in &files.found {
        let input = LogInput::File(file);
        match input.open() {
            Ok(opened) => Reader::new(&input.name(), opened, None).for_each(|read| match read {
                Ok(dialogue) => logs.take(dialogue),
                Err(unread) => told.push(unread),
            }),
            Err(unread) => told.push(unread),
        }
    }
    told.iter().take(MAX_TOLD).for_each(|unread| output::note(&format!("not read: {unread}")));
    if told.len() > MAX_TOLD {
        output::note(&format!("and {} more", told.len() - MAX_TOLD));
    }
    match logs.seen.is_empty() && logs.tools.is_empty() {
        true => Err(Failure::new("no tool is called in these logs", "name logs in which an agent calls tools")),
        false => Ok(logs),
    }
}

impl Logs {
    fn take(&mut self, dialogue: Dialogue) {
        for tool in dialogue.tools {
            if !self.tools.iter().any(|known| known.get("name").and_then(Value::as_str) == Some(&tool.name)) {
                self.tools.push(json!({
                    "name": tool.name, "description": tool.description, "parameters": tool.parameters,
                    "annotations": tool.annotations,
                }));
            }
        }
        for event in dialogue.events {
            if let Event::Call(call) = event {
                self.call(call);
            }
        }
    }

    /// A call that failed shows nothing of what a tool takes and returns.
    fn call(&mut self, call: Call) {
        let returned = match call.result {
            CallResult::Ok { observation } => Some(masked_value(observation)),
            CallResult::Missing => None,
            CallResult::Error { .. } => return,
        };
        let arguments = match call.arguments {
            Arguments::Named(arguments) => masked_value(Value::Object(arguments)),
            Arguments::Raw(_) => Value::Null,
        };
        self.seen.call(&call.tool, arguments.as_object(), returned.as_ref());
    }
}
