//! `chat`: messages of OpenAI's chat completions, in an object or alone, or one a line.

use serde_json::Value;

use crate::draft::Draft;
use crate::json;
use crate::message::{message, messages};
use crate::unread::Unit;

/// Names of a dialogue.
pub(crate) const IDS: [&str; 10] = [
    "id",
    "conversation_id",
    "conversationId",
    "session_id",
    "sessionId",
    "thread_id",
    "dialogue_id",
    "trace_id",
    "request_id",
    "uuid",
];
/// Lists of messages.
pub(crate) const LISTS: [&str; 6] = ["messages", "contents", "conversation", "conversations", "dialogue", "history"];
/// Times at which a dialogue begins.
pub(crate) const STARTS: [&str; 7] =
    ["start", "started_at", "start_time", "created_at", "created", "timestamp", "date"];

/// Reads a dialogue: its messages, with its tools beside them.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    let value = &unit.value;
    if let Some(list) = value.as_array() {
        return messages(draft, "", list);
    }
    let (pointer, request) = request(value);
    about(draft, value);
    [Some(request).filter(|_| !pointer.is_empty()), value.get("response")]
        .into_iter()
        .flatten()
        .for_each(|part| about(draft, part));
    let key = LISTS.into_iter().chain(["input", "prompt"]).find(|key| json::field(request, &[key]).is_some());
    let list = key.map(|key| json::opened(request.get(key).unwrap_or(&Value::Null)));
    let mut read = 0;
    match list.as_deref() {
        Some(Value::Array(list)) => {
            read = list.len();
            messages(draft, &format!("{pointer}/{}", key.unwrap_or_default()), list);
        }
        Some(Value::String(text)) => {
            draft.say(crate::draft::Speaker::User, 0, &Value::String(text.clone()));
            read = 1;
        }
        _ => {}
    }
    for (at, answer) in answers(value).into_iter().enumerate() {
        message(draft, read + at, answer);
    }
    if draft.is_empty() {
        let help = "a dialogue has its `messages`, a list of objects with a `role` and their `content`";
        draft.unread_at("", "it holds no messages", help);
    }
}

/// Tools, brief, name and time beside the messages.
pub(crate) fn about(draft: &mut Draft, value: &Value) {
    if draft.id.is_none() {
        draft.id = json::name(value, &IDS);
    }
    draft.start(json::field(value, &STARTS));
    draft.variant = draft.variant.take().or_else(|| json::name(value, &["variant"]));
    for key in ["/tools", "/functions", "/toolConfig/tools"] {
        value.pointer(key).into_iter().for_each(|tools| draft.tools(tools));
    }
    for key in ["system", "instructions", "system_instruction", "systemInstruction", "system_prompt"] {
        value.get(key).filter(|brief| !brief.is_boolean()).into_iter().for_each(|brief| draft.brief(brief));
    }
}

/// The request, where a log keeps it apart from its answer.
fn request(value: &Value) -> (&'static str, &Value) {
    for key in ["/request/body", "/request", "/body", "/kwargs", "/params"] {
        if let Some(inner) = value
            .pointer(key)
            .filter(|inner| ["messages", "input", "contents"].iter().any(|key| inner.get(key).is_some()))
        {
            return (key, inner);
        }
    }
    ("", value)
}

/// The messages of the answer that a log keeps beside the request.
fn answers(value: &Value) -> Vec<&Value> {
    let answer = ["/response/body", "/response", "/completion"].iter().find_map(|key| value.pointer(key));
    let answer = answer.filter(|answer| answer.is_object()).unwrap_or(value);
    let message = answer.pointer("/choices/0/message").or_else(|| answer.pointer("/output/message"));
    let items = answer.get("output").and_then(Value::as_array);
    let whole = Some(answer).filter(|answer| answer.get("role").is_some() && answer.get("content").is_some());
    let one = message.or_else(|| answer.pointer("/candidates/0/content")).or(whole);
    one.into_iter().chain(items.into_iter().flatten().filter(|_| one.is_none())).collect()
}
