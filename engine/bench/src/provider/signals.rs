//! What an answer says of its own troubles: status, codes, why a message ended, and the words of an error.

use std::collections::BTreeSet;

use probity_wire::lenient;
use serde_json::Value;

use super::retry::parts_ms;
use super::transport::Reply;

/// How deep errors stand in errors.
const MAX_DEPTH: usize = 6;
/// Keys under which codes stand.
const CODES: [&str; 10] =
    ["code", "type", "status", "reason", "param", "error_type", "__type", "error_code", "@type", "quotaId"];
/// Keys under which the words stand, and more errors.
const WORDS: [&str; 10] = [
    "message",
    "detail",
    "error",
    "msg",
    "raw",
    "error_msg",
    "error_message",
    "error_description",
    "errors",
    "innererror",
];
/// Keys under which more errors stand.
const INNER: [&str; 5] = ["details", "metadata", "lastError", "cause", "violations"];

/// What decides whose fault an answer is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signals {
    pub status: u16,
    /// In small letters.
    pub codes: BTreeSet<String>,
    pub finish: Option<String>,
    /// Whether it is a message without words and without calls.
    pub is_silent: bool,
    /// Milliseconds to wait, where the body says so.
    pub wait_ms: Option<u64>,
    pub message: String,
    /// Whether there is an error at all.
    pub is_error: bool,
}

impl Signals {
    /// What the parts of an answer say that are not the model's words.
    /// `chat` is its message as chat completions have it, if there is one, and `is_silent` whether nothing is said in it.
    pub(super) fn of(reply: &Reply, body: Option<&Value>, chat: Option<&Value>, is_silent: bool) -> Signals {
        let mut signals = Signals { status: reply.status, ..Signals::default() };
        let mut status = None;
        let body = body.map(first);
        for (name, value) in &reply.headers {
            let value = value.split(':').next().unwrap_or_default().trim().to_lowercase();
            signals.codes.insert(if name == "x-should-retry" { format!("{name}:{value}") } else { value });
        }
        let choices = chat.map(first).and_then(|chat| chat.get("choices"));
        let choice = choices.and_then(|choices| choices.get(0));
        let inner = choice.and_then(|choice| choice.get("error")).filter(|error| !error.is_null());
        if let Some(body) = body.filter(|body| is_error(body, choices.is_some()) || !is_success(reply.status)) {
            signals.is_error = true;
            signals.collect(body, &mut status, 0);
        }
        if let Some(inner) = inner {
            signals.is_error = true;
            signals.collect(inner, &mut status, 1);
        }
        if signals.message.trim().is_empty() && !is_success(reply.status) {
            signals.message.clone_from(&reply.body);
        }
        signals.finish = body.and_then(|body| finish(body, choice));
        signals.is_silent = is_silent && !signals.is_error;
        // Some servers answer 200 and put the status into the body; some stand before one that failed.
        if is_success(reply.status) && signals.is_error {
            signals.status = status.unwrap_or(500);
        } else if let (500..=599, Some(inner)) = (reply.status, status) {
            signals.status = inner;
        }
        signals
    }

    fn collect(&mut self, value: &Value, status: &mut Option<u16>, depth: usize) {
        match value {
            _ if depth > MAX_DEPTH => {}
            Value::String(text) => self.words(text, status, depth),
            Value::Array(items) => items.iter().take(8).for_each(|item| self.collect(item, status, depth + 1)),
            Value::Object(map) => {
                for key in CODES {
                    match map.get(key) {
                        Some(Value::String(code)) => self.code(code, status),
                        Some(Value::Number(number)) => self.code(&number.to_string(), status),
                        _ => {}
                    }
                }
                let wait = map.get("retryDelay").and_then(Value::as_str).and_then(parts_ms);
                self.wait_ms = self.wait_ms.max(wait);
                let place = map.get("loc").and_then(Value::as_array).into_iter().flatten();
                place.filter_map(Value::as_str).for_each(|name| self.code(name, status));
                for (_, inner) in WORDS.iter().chain(&INNER).filter_map(|key| map.get_key_value(*key)) {
                    self.collect(inner, status, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn code(&mut self, code: &str, status: &mut Option<u16>) {
        let code = code.rsplit('#').next().unwrap_or_default().trim();
        if let Some(number) = code.parse().ok().filter(|number| (300..600).contains(number)) {
            status.get_or_insert(number);
        }
        self.codes.insert(code.chars().take(80).collect::<String>().to_lowercase());
    }

    /// Words, and an error that stands in them as JSON: servers pass on what another server told them. What else stands
    /// there is quoted, and what failed while it worked is no answer of another's.
    fn words(&mut self, text: &str, status: &mut Option<u16>, depth: usize) {
        if !self.message.is_empty() {
            self.message.push_str("; ");
        }
        self.message.push_str(text);
        let inside = text.find('{').zip(text.rfind('}')).and_then(|(first, last)| text.get(first..=last));
        let read = inside.and_then(|inside| lenient::read(inside.as_bytes()).ok());
        if let Some(read) = read.filter(|read| is_passed_on(&read.value)) {
            let mut unheard = None;
            let status = if (500..600).contains(&self.status) { &mut unheard } else { status };
            self.collect(&read.value, status, depth + 1);
        }
    }
}

/// Whether JSON in the words of an error is an error of its own.
fn is_passed_on(value: &Value) -> bool {
    value.get("error").is_some_and(|error| !error.is_null())
        || ["message", "code"].iter().all(|key| value.get(key).is_some())
}

/// Some answer with a list of one.
fn first(body: &Value) -> &Value {
    body.as_array().and_then(|list| list.first()).unwrap_or(body)
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Whether what stands under the key of an error is one.
pub(super) fn is_told(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// Whether a body is an error, whatever its status; words beside an answer are none.
fn is_error(body: &Value, is_answer: bool) -> bool {
    let has_error = body.get("error").is_some_and(is_told);
    let is_named = ["type", "object"].iter().any(|key| body.get(key).and_then(Value::as_str) == Some("error"));
    let has_words = ["message", "detail", "msg", "errors"].iter().any(|key| body.get(key).is_some_and(is_told));
    has_error || is_named || (has_words && !is_answer)
}

/// Why a message ended, or why there is none.
fn finish(body: &Value, choice: Option<&Value>) -> Option<String> {
    let blocked = body.pointer("/promptFeedback/blockReason").or_else(|| body.pointer("/prompt_feedback/block_reason"));
    if let Some(reason) = blocked.and_then(Value::as_str) {
        // What was blocked for no reason that is known was blocked all the same.
        let known = ["safety", "blocklist", "prohibited_content", "image_safety"];
        let reason = reason.to_lowercase();
        return Some(if known.contains(&reason.as_str()) { reason } else { "content_filter".to_owned() });
    }
    let choice = choice?;
    let finish = ["finish_reason", "native_finish_reason", "stop_reason"];
    Some(finish.iter().find_map(|key| choice.get(key)?.as_str())?.to_lowercase())
}
