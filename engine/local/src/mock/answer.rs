//! An agent's message as a completion, in the form that a mode gives it.

use serde_json::{Value, json};

use super::mode::Deed;
use probity_bench::AgentMessage;
use probity_engine::ToolCall;

/// What a model thinks before it says something.
pub(super) const THOUGHT: &str = "The user wants 12,345.67, so I look.";

pub(super) fn completion(message: &AgentMessage, deed: Deed, number: usize, is_prompted: bool) -> Value {
    let said = if is_prompted { prompted(message) } else { native(message, deed, number) };
    let is_cut =
        deed == Deed::JudgeCut || deed == Deed::CutWords || (deed == Deed::CutArguments && !message.calls.is_empty());
    let finish = match message.calls.is_empty() || deed == Deed::CallAsText {
        _ if is_cut => "length",
        _ if deed == Deed::Filtered => "content_filter",
        true => "stop",
        false => "tool_calls",
    };
    let mut body = json!({
        "id": format!("chatcmpl-{number}"), "object": "chat.completion", "created": 0, "model": "mock",
        "choices": [{"index": 0, "finish_reason": finish, "logprobs": null, "message": said}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110, "prompt_tokens_details": {"cached_tokens": 40}},
        "timings": {"predicted_ms": 1.5},
    });
    if deed == Deed::NoUsage
        && let Some(body) = body.as_object_mut()
    {
        body.remove("usage");
    }
    body
}

pub(super) fn stumble(message: AgentMessage, deed: Deed) -> AgentMessage {
    let invented = || ToolCall::new("do_what_i_mean", json!({}));
    match deed {
        Deed::UnknownTool if !message.calls.is_empty() => AgentMessage { calls: vec![invented()], ..message },
        Deed::TwoCalls if !message.calls.is_empty() => {
            let calls = message.calls.into_iter().chain([invented()]).collect();
            AgentMessage { calls, ..message }
        }
        _ => message,
    }
}

fn prompted(message: &AgentMessage) -> Value {
    let words = message.text.clone().unwrap_or_default();
    let block = match message.calls.is_empty() {
        true => String::new(),
        false => format!("\n```json\n{}\n```", json!({"calls": message.calls})),
    };
    json!({"role": "assistant", "content": format!("{words}{block}")})
}

fn native(message: &AgentMessage, deed: Deed, number: usize) -> Value {
    let words = message.text.clone();
    if let (Deed::CallAsText, Some(call)) = (deed, message.calls.first()) {
        let text = json!({"name": call.tool, "arguments": call.arguments}).to_string();
        return json!({"role": "assistant", "content": text});
    }
    let aside = (deed == Deed::TextBesideCalls && !message.calls.is_empty()).then(|| "One moment, please.".to_owned());
    let content = match (words.or(aside), deed) {
        (Some(text), Deed::Parts) => json!([{"type": "text", "text": text}]),
        (Some(text), Deed::Thoughts) => Value::from(format!("<think>\nThe user wants 12,345.67.\n</think>\n\n{text}")),
        (Some(text), _) => Value::from(text),
        (None, _) => Value::Null,
    };
    let mut said = json!({"role": "assistant", "content": content});
    let calls: Vec<Value> = message.calls.iter().enumerate().map(|(at, one)| call(one, deed, number, at)).collect();
    if let Some(said) = said.as_object_mut() {
        if !calls.is_empty() {
            said.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        if deed == Deed::Reasoning {
            said.insert("reasoning_content".to_owned(), Value::from(THOUGHT));
            said.insert("reasoning".to_owned(), Value::from("same"));
        }
    }
    said
}

fn call(call: &ToolCall, deed: Deed, number: usize, at: usize) -> Value {
    let text = call.arguments.to_string();
    let arguments = match deed {
        Deed::ObjectArguments => call.arguments.clone(),
        Deed::CutArguments => Value::from(text.get(..text.len() - 1).unwrap_or_default()),
        Deed::KeyTwice => Value::from(twice(&text)),
        _ => Value::from(text),
    };
    let mut listed = json!({"type": "function", "function": {"name": call.tool, "arguments": arguments}});
    let id = match deed {
        Deed::NoIds => None,
        Deed::SameIds => Some("call".to_owned()),
        _ => Some(format!("call_{number}_{at}")),
    };
    if let (Some(id), Some(listed)) = (id, listed.as_object_mut()) {
        listed.insert("id".to_owned(), Value::from(id));
    }
    listed
}

/// An object's text with its first entry, or one of its own, once more.
fn twice(text: &str) -> String {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or_default();
    match inner.is_empty() {
        true => "{\"x\":1,\"x\":2}".to_owned(),
        false => format!("{{{inner},{inner}}}"),
    }
}
