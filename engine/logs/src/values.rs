//! Arguments and results, however a log writes them, and about how much memory they take.

use serde_json::{Map, Value};

use super::dialogue::{Arguments, Call, CallResult, Dialogue, Event};
use super::json;
use super::words::{Words, is_blocks};

/// What a call was made with: an object, or a text that holds one.
pub(crate) fn arguments(value: Option<&Value>) -> Arguments {
    match value {
        None | Some(Value::Null) => Arguments::Named(Map::new()),
        Some(Value::String(text)) if text.trim().is_empty() => Arguments::Named(Map::new()),
        Some(Value::String(text)) => match json::embedded(text).map(json::bounded) {
            Some(Value::Object(map)) => Arguments::Named(map),
            _ => Arguments::Raw(text.clone()),
        },
        Some(other) => match json::bounded(other.clone()) {
            Value::Object(map) => Arguments::Named(map),
            other => Arguments::Raw(other.to_string()),
        },
    }
}

/// What a call gave, as the log writes it; marked as an error or not.
pub(crate) fn result(content: &Value, is_error: bool) -> (CallResult, u32) {
    let (content, is_marked) = of_mcp(content);
    let (observation, placeholders) = observation(content);
    let result = match (is_error || is_marked, observation) {
        (false, observation) => CallResult::Ok { observation },
        (true, Value::String(text)) => CallResult::Error { text },
        (true, other) => CallResult::Error { text: other.to_string() },
    };
    (result, placeholders)
}

/// The content of a result of MCP that was written down whole, and whether it says that it is an error.
fn of_mcp(content: &Value) -> (&Value, bool) {
    const KEYS: [&str; 5] = ["content", "isError", "is_error", "structuredContent", "_meta"];
    let whole = content.as_object().filter(|map| map.keys().all(|key| KEYS.contains(&key.as_str())));
    let blocks = whole.and_then(|map| map.get("content")).filter(|c| c.as_array().is_some_and(|c| is_blocks(c)));
    match blocks {
        Some(blocks) => {
            (blocks, ["isError", "is_error"].iter().any(|key| content.get(key) == Some(&Value::Bool(true))))
        }
        None => (content, false),
    }
}

fn observation(content: &Value) -> (Value, u32) {
    match content {
        Value::Null => (Value::String(String::new()), 0),
        Value::String(text) => (of_text(text), 0),
        Value::Array(items) if is_blocks(items) => {
            let words = Words::of(content);
            (of_text(&words.text), words.placeholders)
        }
        other => (json::bounded(other.clone()), 0),
    }
}

/// JSON where a text is an object or a list, else the text.
fn of_text(text: &str) -> Value {
    json::embedded(text).map_or_else(|| Value::String(text.to_owned()), json::bounded)
}

/// Whether a result is marked as an error, in any of the ways that logs have, with what is said of it.
pub(crate) fn error_of(value: &Value) -> Option<Option<&str>> {
    const MARKS: [&str; 3] = ["is_error", "isError", "error"];
    let marked = MARKS.iter().any(|key| value.get(key) == Some(&Value::Bool(true)));
    let status = json::text(value, &["status"]).is_some_and(|status| matches!(status, "error" | "failed"));
    match value.get("error") {
        Some(Value::String(text)) if !text.is_empty() => Some(Some(text)),
        Some(error @ Value::Object(_)) => Some(json::text(error, &["message", "type"])),
        _ => (marked || status).then_some(None),
    }
}

/// The result of a message or row that holds its content, and perhaps an error, under these keys.
pub(crate) fn result_of(value: &Value, keys: &[&str]) -> (CallResult, u32) {
    let content = json::field(value, keys).unwrap_or(&Value::Null);
    match error_of(value) {
        Some(Some(said)) if Words::of(content).text.trim().is_empty() => {
            (CallResult::Error { text: said.to_owned() }, 0)
        }
        marked => result(content, marked.is_some()),
    }
}

/// What a value, a text or an event takes beside its contents.
const OWN: usize = 32;

impl Dialogue {
    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        let tools = self.tools.iter().map(|tool| OWN + tool.description.len() + of_value(&tool.parameters));
        self.brief.len() + tools.sum::<usize>() + self.events.iter().map(Event::weight).sum::<usize>()
    }
}

impl Event {
    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        OWN + match self {
            Event::User { text, .. } | Event::Agent { text, .. } | Event::Told { text, .. } => text.len(),
            Event::Call(call) | Event::UserCall(call) => of_call(call),
        }
    }
}

fn of_call(call: &Call) -> usize {
    let arguments = match &call.arguments {
        Arguments::Named(map) => map.iter().map(|(key, value)| OWN + key.len() + of_value(value)).sum(),
        Arguments::Raw(text) => text.len(),
    };
    let result = match &call.result {
        CallResult::Ok { observation } => of_value(observation),
        CallResult::Error { text } => text.len(),
        CallResult::Missing => 0,
    };
    call.tool.len() + arguments + result
}

fn of_value(value: &Value) -> usize {
    OWN + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(of_value).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| OWN + key.len() + of_value(value)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_objects_or_the_text_itself() {
        let named = |value: Value| Arguments::Named(value.as_object().unwrap().clone());
        let raw = |text: &str| Arguments::Raw(text.to_owned());
        let cases = [
            (json!("{\"id\": \"K7\"}"), named(json!({"id": "K7"}))),
            (json!({"id": "K7"}), named(json!({"id": "K7"}))),
            (json!("\"{\\\"id\\\": 1}\""), named(json!({"id": 1}))),
            (json!(""), named(json!({}))),
            (json!(null), named(json!({}))),
            (json!("{\"id\": \"K7"), raw("{\"id\": \"K7")),
            (json!("K7"), raw("K7")),
            (json!([1]), raw("[1]")),
        ];
        for (value, wanted) in cases {
            assert_eq!(arguments(Some(&value)), wanted, "{value}");
        }
    }

    #[test]
    fn results_are_json_where_they_are_objects_or_lists() {
        let ok = |observation: Value| CallResult::Ok { observation };
        let error = |text: &str| CallResult::Error { text: text.to_owned() };
        let cases = [
            (json!({"content": "{\"a\": 1}"}), ok(json!({"a": 1}))),
            (json!({"content": [{"type": "text", "text": "[1]"}]}), ok(json!([1]))),
            (json!({"content": "12"}), ok(json!("12"))),
            (json!({"content": [{"id": 1}]}), ok(json!([{"id": 1}]))),
            (json!({"content": {"content": [{"type": "text", "text": "no"}], "isError": true}}), error("no")),
            (json!({"content": "no such", "is_error": true}), error("no such")),
            (json!({"content": "no such", "status": "error"}), error("no such")),
            (json!({"content": "", "error": {"type": "timeout", "message": "too slow"}}), error("too slow")),
            (json!({"content": "no such", "error": "Boom"}), error("no such")),
            (json!({"content": "fine", "error": null}), ok(json!("fine"))),
            (json!({}), ok(json!(""))),
        ];
        for (value, wanted) in cases {
            assert_eq!(result_of(&value, &["content"]).0, wanted, "{value}");
        }
    }

    #[test]
    fn what_is_large_weighs_much() {
        let small = of_value(&json!({"a": 1}));
        assert!(small < 200);
        assert!(of_value(&json!({"a": "x".repeat(10_000)})) > 10_000);
        assert!(of_value(&json!(vec![0; 1_000])) > 30_000);
        assert!(Event::Agent { message: 0, text: "x".repeat(500) }.weight() > 500);
    }
}
