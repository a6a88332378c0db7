//! An answer that comes as a stream of events, put together into the one that was asked for.

use probity_wire::lenient;
use serde_json::{Value, json};

use super::form::Form;
use super::signals::is_told;

/// The event that ends a stream.
const DONE: &str = "[DONE]";
/// Bytes of a line with it at most.
const MARK: usize = 32;

/// Whether a body that is no JSON is a stream of events.
pub(super) fn is_stream(content_type: Option<&str>, text: &str) -> bool {
    let start = text.trim_start_matches(['\u{feff}', '\r', '\n']);
    content_type.is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("text/event-stream"))
        || ["data:", "event:", ": "].iter().any(|field| start.starts_with(field))
}

/// Watches for the end of a stream while its bytes come.
pub(super) struct StreamWatch {
    form: Form,
    /// Where the last line begins.
    line: usize,
    /// How much was looked at.
    seen: usize,
}

impl StreamWatch {
    pub(super) fn of(form: Form) -> StreamWatch {
        StreamWatch { form, line: 0, seen: 0 }
    }

    /// Whether the end stands in these bytes, which begin with those it was shown before.
    pub(super) fn has_ended(&mut self, bytes: &[u8]) -> bool {
        let breaks = bytes.iter().enumerate().skip(self.seen).filter(|(_, byte)| matches!(byte, b'\n' | b'\r'));
        for (at, _) in breaks {
            let line = bytes.get(self.line..at).unwrap_or_default();
            self.line = at + 1;
            if self.is_end(line) {
                return true;
            }
        }
        self.seen = bytes.len();
        // The line of the mark may never end.
        bytes.get(self.line..).is_some_and(|rest| rest.len() < MARK && self.is_end(rest))
    }

    fn is_end(&self, line: &[u8]) -> bool {
        let Some(data) = line.strip_prefix(b"data:").map(<[u8]>::trim_ascii) else { return false };
        data == DONE.as_bytes() || lenient::read(data).is_ok_and(|read| self.form.is_end(&read.value))
    }
}

/// The body that the events of a stream come to in a wire form: a message, or an error.
///
/// # Errors
/// It is no such stream, or it broke off.
pub(super) fn gathered(text: &str, form: Form) -> Result<Value, String> {
    let (mut values, mut is_done) = (Vec::new(), false);
    for event in events(text) {
        is_done = event.data.trim() == DONE;
        if is_done {
            break;
        }
        let value =
            lenient::read(event.data.as_bytes()).map_err(|_| "an event of the stream is no JSON".to_owned())?.value;
        let is_error = event.is_error
            || value.get("error").is_some_and(is_told)
            || value.get("type").and_then(Value::as_str) == Some("error");
        if is_error {
            return Ok(if value.is_object() { value } else { json!({"error": value}) });
        }
        values.push(value);
    }
    form.gathered(&values, is_done).ok_or_else(|| "the stream of events broke off".to_owned())
}

struct StreamEvent {
    is_error: bool,
    data: String,
}

fn events(text: &str) -> Vec<StreamEvent> {
    let (mut events, mut open) = (Vec::new(), None::<StreamEvent>);
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    for line in text.lines().chain([""]) {
        if line.is_empty() {
            events.extend(open.take().filter(|event| !event.data.trim().is_empty()));
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        let event = open.get_or_insert_with(|| StreamEvent { is_error: false, data: String::new() });
        match field {
            "event" => event.is_error = value.trim() == "error",
            "data" => {
                if !event.data.is_empty() {
                    event.data.push('\n');
                }
                event.data.push_str(value);
            }
            _ => {}
        }
    }
    events
}
