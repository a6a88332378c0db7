//! An answer that comes as a stream of events, put together into the one that was asked for.

use probity_wire::lenient;
use serde_json::{Value, json};

use super::form::Form;

/// The event that ends a stream.
const DONE: &str = "[DONE]";

/// Whether a body that is no JSON is a stream of events.
pub(super) fn is_stream(content_type: Option<&str>, text: &str) -> bool {
    let start = text.trim_start_matches(['\u{feff}', '\r', '\n']);
    content_type.is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("text/event-stream"))
        || ["data:", "event:", ": "].iter().any(|field| start.starts_with(field))
}

/// Whether the end of a stream stands in these bytes.
pub(super) fn has_ended(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.lines().any(|line| line.strip_prefix("data:").is_some_and(|data| data.trim() == DONE))
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
            || value.get("error").is_some_and(|error| !error.is_null())
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
