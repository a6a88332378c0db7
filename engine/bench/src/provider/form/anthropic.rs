//! Anthropic Messages.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::message::{
    Call, Ends, Message, Said, Spoken, as_object, as_written, ended, full, list, mend_object, request, returned,
    system, text, tools, turns, usage,
};
use crate::provider::wire::{Answered, Trouble, Wire};

pub(super) const WIRE: Wire = Wire {
    name: "anthropic",
    about: "Anthropic Messages",
    base_url: "https://api.anthropic.com/v1",
    path: "/messages",
    stream_path: None,
    key_env: "ANTHROPIC_API_KEY",
    key_header: "x-api-key",
    headers: &[("anthropic-version", "2023-06-01")],
    keys: ["temperature", "max_tokens"],
    ask,
    answered,
    said: |body| Some(vec![json!({"role": "assistant", "content": body.get("content")?})]),
    places: [&["/messages"], &["/system"], &["/tools"]],
    gathered,
    is_end: |event| text(event, "type") == "message_stop",
    asked,
    answer,
    events,
    troubles: &[
        ("rate_limit_exceeded", 429, "rate_limit_error", "This request would exceed your rate limit."),
        ("overloaded", 529, "overloaded_error", "Overloaded"),
        ("server_error", 500, "api_error", "Internal server error"),
        ("not_found", 404, "not_found_error", "model: mock"),
        ("invalid_api_key", 401, "authentication_error", "invalid x-api-key"),
        ("insufficient_quota", 400, "invalid_request_error", "Your credit balance is too low to access the API."),
        ("context_length_exceeded", 400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        ("", 0, "invalid_request_error", ""),
    ],
    error: |trouble| {
        let Trouble { code, message, .. } = trouble;
        json!({"type": "error", "error": {"type": code, "message": message}, "request_id": "req_mock"})
    },
    #[cfg(test)]
    request: r#"{
  "model": "m", "max_tokens": 64, "temperature": 0.5, "stream": false, "system": "Desk rules.",
  "messages": [
    {"role": "user", "content": [{"type": "text", "text": "Move K7 and K8."}]},
    {"role": "assistant", "content": [
      {"type": "text", "text": "I look."},
      {"type": "tool_use", "id": "a", "name": "get_booking", "input": {"id": "K7"}},
      {"type": "tool_use", "id": "b", "name": "get_booking", "input": {"id": "K8"}}
    ]},
    {"role": "user", "content": [
      {"type": "tool_result", "tool_use_id": "a", "content": "{\"status\":\"open\"}"},
      {"type": "tool_result", "tool_use_id": "b", "content": "{\"error\":{\"kind\":\"not_found\",\"message\":\"No K8.\"}}", "is_error": true}
    ]}
  ],
  "tools": [{"name": "get_booking", "description": "Looks.", "input_schema": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}, "additionalProperties": false}}]
}"#,
};

const ENDS: &Ends = &[
    ("stop", "end_turn"),
    ("stop", "stop_sequence"),
    ("length", "max_tokens"),
    ("tool_calls", "tool_use"),
    // A filter of theirs, whatever the model said before.
    ("content_filter", "refusal"),
    ("refusal", "refusal"),
];

fn ask(chat: &Value) -> Value {
    let messages = Message::all(chat);
    let said = messages.iter().filter(|message| message.role != "system").map(|message| match message.role {
        "assistant" => ("assistant", message.echoed(call, mend).unwrap_or_else(|| blocks(message, as_object))),
        "tool" => {
            let is_error = message.result().1.then_some(true);
            let result = json!({"type": "tool_result", "tool_use_id": message.id, "content": message.text, "is_error": is_error});
            ("user", vec![full(result)])
        }
        _ => ("user", vec![words(message.heard())]),
    });
    let tool = |name: &str, description: &str, schema: &Value| json!({"name": name, "description": description, "input_schema": schema});
    full(json!({
        "model": chat.get("model"), "max_tokens": chat.get("max_tokens"), "temperature": chat.get("temperature"),
        "stream": false, "system": system(&messages), "messages": turns("content", said, words),
        "tools": tools(chat, tool),
    }))
}

fn words(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// A message of ours as blocks.
fn blocks(message: &Message, arguments: fn(&Call) -> Value) -> Vec<Value> {
    let words = Some(&message.text).filter(|text| !text.trim().is_empty()).map(|text| words(text));
    let call =
        |call: &Call| full(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments(call)}));
    words.into_iter().chain(message.calls.iter().map(call)).collect()
}

fn call(block: &mut Value) -> Option<&mut Map<String, Value>> {
    block.as_object_mut().filter(|map| map.get("type").is_some_and(|kind| kind == "tool_use"))
}

fn mend(map: &mut Map<String, Value>, call: &Call) {
    map.insert("id".to_owned(), call.id.into());
    mend_object(map, "input", call);
}

fn answered(body: &Value) -> Result<Answered, String> {
    let content = body.get("content").filter(|content| content.is_array()).ok_or("it has no `content`")?;
    let finish = ended(ENDS, body.get("stop_reason").and_then(Value::as_str));
    let prompt = ["/input_tokens", "/cache_read_input_tokens", "/cache_creation_input_tokens"];
    let usage = usage(body.get("usage"), &prompt, &["/output_tokens"], "/cache_read_input_tokens");
    Ok(take("assistant", content).answered(finish, usage, Some(content)))
}

/// What the blocks of one message say.
fn take(role: &'static str, content: &Value) -> Said {
    let mut said = Said::by(role);
    for block in list(content, "") {
        match text(block, "type") {
            "text" => said.text(text(block, "text")),
            "tool_use" => said.call(block.get("id"), text(block, "name"), block.get("input")),
            kind => {
                said.breaks();
                if kind == "thinking" && !text(block, "signature").is_empty() {
                    said.reasoning.push_str(text(block, "thinking"));
                }
            }
        }
    }
    said
}

/// A block of a stream, and the text of its input so far.
type Open = (Map<String, Value>, String);

fn gathered(events: &[Value], _is_done: bool) -> Option<Value> {
    let mut message = Map::new();
    let mut blocks: BTreeMap<u64, Open> = BTreeMap::new();
    let merge = |into: &mut Map<String, Value>, more: Option<&Value>| {
        let more = more.and_then(Value::as_object).into_iter().flatten();
        into.extend(more.filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())));
    };
    for event in events {
        let block = blocks.entry(event.get("index").and_then(Value::as_u64).unwrap_or_default());
        match text(event, "type") {
            "message_start" => merge(&mut message, event.get("message")),
            "content_block_start" => merge(&mut block.or_default().0, event.get("content_block")),
            "content_block_delta" => add(block.or_default(), event.get("delta")?),
            "message_delta" => {
                merge(&mut message, event.get("delta"));
                let mut usage = message.get("usage").and_then(Value::as_object).cloned().unwrap_or_default();
                merge(&mut usage, event.get("usage"));
                message.insert("usage".to_owned(), usage.into());
            }
            // One that came whole.
            "message" => merge(&mut message, Some(event)),
            _ => {}
        }
    }
    message.get("stop_reason")?;
    let block = |(mut block, input): Open| {
        if !input.is_empty() {
            // As text: it is read, and what is mended in it counted, with all others.
            block.insert("input".to_owned(), input.into());
        }
        Value::Object(block)
    };
    if !blocks.is_empty() {
        message.insert("content".to_owned(), blocks.into_values().map(block).collect());
    }
    Some(message.into())
}

/// Takes a piece into a block: texts grow.
fn add((block, input): &mut Open, delta: &Value) {
    input.push_str(text(delta, "partial_json"));
    for key in ["text", "thinking", "signature"] {
        match (text(delta, key), block.get_mut(key)) {
            ("", _) => {}
            (more, Some(Value::String(known))) => known.push_str(more),
            (more, _) => drop(block.insert(key.to_owned(), more.into())),
        }
    }
}

fn asked(body: &Value) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = body.get("system") {
        messages.push(json!({"role": "system", "content": system}));
    }
    for message in list(body, "/messages") {
        let is_agent = text(message, "role") == "assistant";
        let content = message.get("content").unwrap_or(&Value::Null);
        for result in list(content, "").iter().filter(|block| text(block, "type") == "tool_result") {
            messages.push(returned(text(result, "tool_use_id"), text(result, "content")));
        }
        let said = take(if is_agent { "assistant" } else { "user" }, content);
        messages.extend((!said.is_empty()).then(|| said.message(Value::to_string)));
    }
    request(body, &messages, list(body, "/tools").iter(), "/input_schema")
}

fn answer(chat: &Value) -> Value {
    let Some(reply) = Spoken::of(chat) else { return json!({"type": "message"}) };
    let thought = Some(reply.message.reasoning).filter(|thought| !thought.is_empty());
    let thought = thought.map(|thought| json!({"type": "thinking", "thinking": thought, "signature": "c2lnbmVk"}));
    let content: Vec<Value> = thought.into_iter().chain(blocks(&reply.message, as_written)).collect();
    let usage = reply.tokens.map(|[read, cached, written]| {
        json!({"input_tokens": read - cached.min(read), "cache_read_input_tokens": cached, "output_tokens": written})
    });
    full(json!({
        "id": "msg_mock", "type": "message", "role": "assistant", "model": "mock", "content": content,
        "stop_reason": reply.ended(ENDS), "usage": usage,
    }))
}

fn events(body: &Value) -> Vec<Value> {
    let start = json!({"role": "assistant", "content": [], "stop_reason": null, "usage": body.get("usage")});
    let mut events = vec![json!({"type": "message_start", "message": start}), json!({"type": "ping"})];
    for (index, block) in list(body, "/content").iter().enumerate() {
        let mut empty = block.clone();
        for (key, value) in empty.as_object_mut().into_iter().flatten() {
            match key.as_str() {
                "input" => *value = json!({}),
                "text" | "thinking" | "signature" => *value = "".into(),
                _ => {}
            }
        }
        let delta = |delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        let input = block.get("input").map(|input| input.as_str().map_or_else(|| input.to_string(), str::to_owned));
        events.extend(input.map(|input| delta(json!({"type": "input_json_delta", "partial_json": input}))));
        for key in ["text", "thinking", "signature"] {
            events.extend(block.get(key).map(|text| delta(json!({"type": format!("{key}_delta"), key: text}))));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let usage = json!({"output_tokens": body.pointer("/usage/output_tokens")});
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": body.get("stop_reason")}, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    events
}
