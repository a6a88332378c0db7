//! The histories that requests to models repeat: which of them tell the dialogue.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::json;
use crate::words::Words;

/// What one request tells.
pub(crate) struct History {
    pub trace: String,
    /// The system's words beside the messages.
    pub system: Vec<Value>,
    pub messages: Vec<Value>,
    /// How many requests tell it, or a beginning of it.
    pub requests: u32,
}

/// What of some histories is read.
pub(crate) struct Histories {
    pub kept: Vec<History>,
    /// Requests whose history another one holds.
    pub repeated: u32,
    /// Requests that tell something else.
    pub other: u32,
}

/// Of each trace the longest history. Traces of one conversation whose histories begin differently tell one turn
/// after another; those without a name are one trace each.
pub(crate) fn histories(requests: Vec<History>, is_named: bool) -> Histories {
    let mut threads: Vec<History> = Vec::new();
    let mut by_beginning: BTreeMap<(String, String), usize> = BTreeMap::new();
    for request in requests.into_iter().filter(|request| !request.messages.is_empty()) {
        let trace = if is_named { String::new() } else { request.trace.clone() };
        let at = *by_beginning.entry((trace, beginning(&request.messages))).or_insert(threads.len());
        match threads.get_mut(at) {
            Some(history) => {
                let count = history.requests + 1;
                if request.messages.len() >= history.messages.len() {
                    *history = request;
                }
                history.requests = count;
            }
            None => threads.push(request),
        }
    }
    let repeated = threads.iter().map(|history| history.requests.saturating_sub(1)).sum();
    let mut kept: Vec<History> = Vec::new();
    let mut by_trace: BTreeMap<String, usize> = BTreeMap::new();
    let mut other = 0;
    for history in threads {
        let at = *by_trace.entry(history.trace.clone()).or_insert(kept.len());
        match kept.get_mut(at) {
            Some(known) if history.messages.len() > known.messages.len() => {
                other += std::mem::replace(known, history).requests;
            }
            Some(_) => other += history.requests,
            None => kept.push(history),
        }
    }
    // A turn of a later trace brings the system's words again.
    for history in kept.iter_mut().skip(1) {
        let words = history.messages.iter().position(|message| !is_system(message)).unwrap_or_default();
        history.messages.drain(..words);
    }
    Histories { kept, repeated, other }
}

fn role(message: &Value) -> Option<&str> {
    let message = message.get("message").filter(|inner| inner.is_object()).unwrap_or(message);
    json::text(message, &["role", "type"])
}

fn is_system(message: &Value) -> bool {
    matches!(role(message), Some("system" | "developer"))
}

/// By what two histories are the same: their first message that is not the system's.
fn beginning(messages: &[Value]) -> String {
    let first = messages.iter().find(|message| !is_system(message)).unwrap_or(&Value::Null);
    let inner = first.get("message").filter(|inner| inner.is_object()).unwrap_or(first);
    let content = json::field(inner, &["content", "parts", "contents", "kwargs", "data"]).unwrap_or(&Value::Null);
    format!("{}: {}", role(first).unwrap_or_default(), Words::of(content).text.trim())
}
