//! Gemini's generateContent.

use serde_json::{Map, Value, json};

use super::message::{
    Call, Ends, Message, Said, Spoken, as_object, as_written, ended, full, list, mend_object, request, returned,
    system, text, tools, turns, usage,
};
use crate::provider::wire::{Answered, Trouble, Wire};

pub(super) const WIRE: Wire = Wire {
    name: "gemini",
    about: "Gemini's generateContent",
    base_url: "https://generativelanguage.googleapis.com/v1beta",
    path: "/models/{model}:generateContent",
    stream_path: Some("/models/{model}:streamGenerateContent"),
    key_env: "GEMINI_API_KEY",
    key_header: "x-goog-api-key",
    headers: &[],
    keys: ["generationConfig.temperature", "generationConfig.maxOutputTokens"],
    ask,
    answered,
    said: |body| Some(vec![body.pointer("/candidates/0/content")?.clone()]),
    places: [&["/contents"], &["/systemInstruction", "/system_instruction"], &["/tools"]],
    gathered,
    is_end: |event| event.pointer("/candidates/0/finishReason").is_some_and(Value::is_string),
    asked,
    answer,
    events,
    troubles: &[
        ("rate_limit_exceeded", 429, "RESOURCE_EXHAUSTED", "Resource has been exhausted."),
        ("overloaded", 503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        ("server_error", 500, "INTERNAL", "An internal error has occurred."),
        ("not_found", 404, "NOT_FOUND", "models/mock is not found for API version v1beta"),
        ("invalid_api_key", 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
        (
            "insufficient_quota",
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        (
            "context_length_exceeded",
            400,
            "INVALID_ARGUMENT",
            "The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).",
        ),
        ("", 0, "INVALID_ARGUMENT", ""),
    ],
    error: |trouble| {
        let Trouble { status, code, message } = trouble;
        json!({"error": {"code": status, "message": message, "status": code}})
    },
    #[cfg(test)]
    request: r#"{
  "systemInstruction": {"parts": [{"text": "Desk rules."}]},
  "generationConfig": {"maxOutputTokens": 64, "temperature": 0.5},
  "contents": [
    {"role": "user", "parts": [{"text": "Move K7 and K8."}]},
    {"role": "model", "parts": [
      {"text": "I look."},
      {"functionCall": {"id": "a", "name": "get_booking", "args": {"id": "K7"}}},
      {"functionCall": {"id": "b", "name": "get_booking", "args": {"id": "K8"}}}
    ]},
    {"role": "user", "parts": [
      {"functionResponse": {"id": "a", "name": "get_booking", "response": {"output": {"status": "open"}}}},
      {"functionResponse": {"id": "b", "name": "get_booking", "response": {"error": {"kind": "not_found", "message": "No K8."}}}}
    ]}
  ],
  "tools": [{"functionDeclarations": [{"name": "get_booking", "description": "Looks.", "parametersJsonSchema": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}, "additionalProperties": false}}]}]
}"#,
};

const ENDS: &Ends = &[
    ("stop", "STOP"),
    ("length", "MAX_TOKENS"),
    ("tool_calls", "STOP"),
    ("safety", "SAFETY"),
    ("content_filter", "SAFETY"),
];

fn ask(chat: &Value) -> Value {
    let messages = Message::all(chat);
    let said = messages.iter().enumerate().filter(|(_, message)| message.role != "system");
    let said = said.map(|(at, message)| match message.role {
        "assistant" => ("model", message.echoed(call, mend).unwrap_or_else(|| parts(message, as_object))),
        "tool" => ("user", vec![result(messages.get(..at).unwrap_or_default(), message)]),
        _ => ("user", vec![words(message.heard())]),
    });
    let tool = |name: &str, description: &str, schema: &Value| json!({"name": name, "description": description, "parametersJsonSchema": schema});
    let limits = json!({"temperature": chat.get("temperature"), "maxOutputTokens": chat.get("max_tokens")});
    full(json!({
        "systemInstruction": system(&messages).map(|text| json!({"parts": [words(&text)]})),
        "contents": turns("parts", said, words), "generationConfig": full(limits),
        "tools": tools(chat, tool).map(|tools| json!([{"functionDeclarations": tools}])),
    }))
}

fn words(text: &str) -> Value {
    json!({"text": text})
}

/// A message of ours as parts.
fn parts(message: &Message, arguments: fn(&Call) -> Value) -> Vec<Value> {
    let words = Some(&message.text).filter(|text| !text.is_empty()).map(|text| words(text));
    let call =
        |call: &Call| json!({"functionCall": full(json!({"id": call.id, "name": call.name, "args": arguments(call)}))});
    words.into_iter().chain(message.calls.iter().map(call)).collect()
}

/// What a call returned goes by its name, and by its id where the model gave it one.
fn result(before: &[Message], message: &Message) -> Value {
    let calls = before.iter().rev().flat_map(|message| {
        let mut ids = message.echoed(call, |_, _| {}).unwrap_or_else(|| parts(message, as_object));
        let ids: Vec<bool> = ids.iter_mut().filter_map(call).map(|call| call.contains_key("id")).collect();
        message.calls.iter().zip(ids)
    });
    let (name, has_id) = calls
        .filter(|(call, _)| call.id == Some(message.id))
        .map(|(call, has_id)| (call.name, has_id))
        .next()
        .unwrap_or_default();
    let (value, is_refused) = message.result();
    let response = if is_refused { value } else { json!({"output": value}) };
    json!({"functionResponse": full(json!({"id": has_id.then_some(message.id), "name": name, "response": response}))})
}

fn call(part: &mut Value) -> Option<&mut Map<String, Value>> {
    if is_thought(part) {
        return None;
    }
    part.get_mut("functionCall")?.as_object_mut()
}

/// A call among thoughts is none.
fn is_thought(part: &Value) -> bool {
    part.get("thought").and_then(Value::as_bool) == Some(true)
}

fn mend(map: &mut Map<String, Value>, call: &Call) {
    if map.contains_key("id") {
        map.insert("id".to_owned(), call.id.into());
    }
    mend_object(map, "args", call);
}

fn answered(body: &Value) -> Result<Answered, String> {
    // A stream may come as one list.
    let whole = body.as_array().and_then(|chunks| gathered(chunks, true));
    let body = whole.as_ref().unwrap_or(body);
    let candidate = body.pointer("/candidates/0").ok_or("it has no `candidates`")?;
    let finish = ended(ENDS, candidate.get("finishReason").and_then(Value::as_str));
    let written = ["/candidatesTokenCount", "/thoughtsTokenCount"];
    let tokens = body.get("usageMetadata").cloned().map(|mut tokens| {
        // A message that was never begun is none, not one of unknown length.
        if let Some(map) = tokens.as_object_mut() {
            map.entry("candidatesTokenCount").or_insert(0.into());
        }
        tokens
    });
    let usage = usage(tokens.as_ref(), &["/promptTokenCount"], &written, "/cachedContentTokenCount");
    let said = take("assistant", list(candidate, "/content/parts"));
    Ok(said.answered(finish, usage, candidate.pointer("/content/parts").filter(|parts| parts.is_array())))
}

fn take(role: &'static str, parts: &[Value]) -> Said {
    let mut said = Said::by(role);
    for part in parts.iter().filter(|part| !is_thought(part)) {
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            said.text(text);
        }
        if let Some(call) = part.get("functionCall").filter(|call| call.is_object()) {
            said.call(call.get("id"), text(call, "name"), call.get("args"));
        }
    }
    // Of parallel calls the first alone is signed.
    let first = parts.iter().find(|part| !is_thought(part) && part.get("functionCall").is_some());
    if first.is_some_and(|part| !text(part, "thoughtSignature").is_empty()) {
        parts.iter().filter(|part| is_thought(part)).for_each(|part| said.reasoning.push_str(text(part, "text")));
    }
    said
}

fn gathered(events: &[Value], _is_done: bool) -> Option<Value> {
    let last = |pointer: &str| events.iter().rev().find_map(|event| event.pointer(pointer)).cloned();
    if let Some(reason) = last("/promptFeedback/blockReason") {
        return Some(json!({"promptFeedback": {"blockReason": reason}}));
    }
    let parts: Vec<Value> =
        events.iter().flat_map(|event| list(event, "/candidates/0/content/parts")).cloned().collect();
    let candidate =
        json!({"content": {"role": "model", "parts": parts}, "finishReason": last("/candidates/0/finishReason")?});
    Some(full(json!({"candidates": [candidate], "usageMetadata": last("/usageMetadata")})))
}

fn asked(body: &Value) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = body.pointer("/systemInstruction/parts/0/text") {
        messages.push(json!({"role": "system", "content": system}));
    }
    for content in list(body, "/contents") {
        for result in list(content, "/parts").iter().filter_map(|part| part.get("functionResponse")) {
            let id = if text(result, "id").is_empty() { text(result, "name") } else { text(result, "id") };
            let value = result.pointer("/response/output").or_else(|| result.get("response"));
            messages.push(returned(id, &value.map(Value::to_string).unwrap_or_default()));
        }
        let role = if text(content, "role") == "model" { "assistant" } else { "user" };
        let said = take(role, list(content, "/parts"));
        messages.extend((!said.is_empty()).then(|| said.message(Value::to_string)));
    }
    request(body, &messages, list(body, "/tools/0/functionDeclarations").iter(), "/parametersJsonSchema")
}

fn answer(chat: &Value) -> Value {
    let Some(reply) = Spoken::of(chat) else { return json!({"candidates": []}) };
    let mut parts = parts(&reply.message, as_written);
    if !reply.message.reasoning.is_empty() {
        if let Some(first) =
            parts.iter_mut().find(|part| part.get("functionCall").is_some()).and_then(Value::as_object_mut)
        {
            first.insert("thoughtSignature".to_owned(), "c2lnbmVk".into());
        }
        parts.insert(0, json!({"text": reply.message.reasoning, "thought": true}));
    }
    let usage = reply.tokens.map(|[read, cached, written]| {
        json!({"promptTokenCount": read, "cachedContentTokenCount": cached, "candidatesTokenCount": written})
    });
    let candidate =
        json!({"content": {"role": "model", "parts": parts}, "finishReason": reply.ended(ENDS), "index": 0});
    full(json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "mock"}))
}

fn events(body: &Value) -> Vec<Value> {
    let piece = |part: &Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}}]});
    let mut events: Vec<Value> = list(body, "/candidates/0/content/parts").iter().map(piece).collect();
    let mut end = body.clone();
    if let Some(candidate) = end.pointer_mut("/candidates/0").and_then(Value::as_object_mut) {
        candidate.remove("content");
    }
    events.push(end);
    events
}
