//! Bedrock's Converse, with a bearer key.

use serde_json::{Map, Value, json};

use super::message::{
    Call, Ends, Message, Said, Spoken, as_object, as_written, ended, full, list, mend_object, request, returned,
    system, text, tools, turns, usage,
};
use crate::provider::wire::{Answered, Trouble, Wire};

pub(super) const WIRE: Wire = Wire {
    name: "bedrock",
    about: "Bedrock's Converse",
    base_url: "https://bedrock-runtime.us-east-1.amazonaws.com",
    path: "/model/{model}/converse",
    stream_path: None,
    key_env: "AWS_BEARER_TOKEN_BEDROCK",
    key_header: "authorization",
    headers: &[],
    keys: ["inferenceConfig.temperature", "inferenceConfig.maxTokens"],
    ask,
    answered,
    said: |body| Some(vec![body.pointer("/output/message")?.clone()]),
    places: [&["/messages"], &["/system"], &["/toolConfig/tools"]],
    // What streams is another address, and no text.
    gathered: |events, _is_done| events.iter().rev().find(|event| event.get("output").is_some()).cloned(),
    asked,
    answer,
    is_end: |event| event.get("output").is_some(),
    events: |body| vec![body.clone()],
    troubles: &[
        ("rate_limit_exceeded", 429, "ThrottlingException", "Too many requests, please wait before trying again."),
        ("overloaded", 503, "ServiceUnavailableException", "Bedrock is unable to process your request."),
        ("server_error", 500, "InternalServerException", "The system encountered an unexpected error."),
        (
            "not_found",
            404,
            "ResourceNotFoundException",
            "Could not resolve the foundation model from the model identifier.",
        ),
        (
            "invalid_api_key",
            403,
            "UnrecognizedClientException",
            "The security token included in the request is invalid.",
        ),
        ("insufficient_quota", 400, "ServiceQuotaExceededException", "Too many tokens per day, please wait."),
        ("context_length_exceeded", 400, "ValidationException", "Input is too long for requested model."),
        ("", 0, "ValidationException", ""),
    ],
    error: |Trouble { code, message, .. }| json!({"__type": code, "message": message}),
    #[cfg(test)]
    request: r#"{
  "system": [{"text": "Desk rules."}],
  "inferenceConfig": {"maxTokens": 64, "temperature": 0.5},
  "messages": [
    {"role": "user", "content": [{"text": "Move K7 and K8."}]},
    {"role": "assistant", "content": [
      {"text": "I look."},
      {"toolUse": {"toolUseId": "a", "name": "get_booking", "input": {"id": "K7"}}},
      {"toolUse": {"toolUseId": "b", "name": "get_booking", "input": {"id": "K8"}}}
    ]},
    {"role": "user", "content": [
      {"toolResult": {"toolUseId": "a", "content": [{"text": "{\"status\":\"open\"}"}], "status": "success"}},
      {"toolResult": {"toolUseId": "b", "content": [{"text": "{\"error\":{\"kind\":\"not_found\",\"message\":\"No K8.\"}}"}], "status": "error"}}
    ]}
  ],
  "toolConfig": {"tools": [{"toolSpec": {"name": "get_booking", "description": "Looks.", "inputSchema": {"json": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}, "additionalProperties": false}}}}]}
}"#,
};

const ENDS: &Ends = &[
    ("stop", "end_turn"),
    ("stop", "stop_sequence"),
    ("length", "max_tokens"),
    ("tool_calls", "tool_use"),
    ("content_filtered", "content_filtered"),
    ("content_filter", "content_filtered"),
];

fn ask(chat: &Value) -> Value {
    let messages = Message::all(chat);
    let said = messages.iter().filter(|message| message.role != "system").map(|message| match message.role {
        "assistant" => ("assistant", message.echoed(call, mend).unwrap_or_else(|| blocks(message, as_object))),
        "tool" => {
            let status = if message.result().1 { "error" } else { "success" };
            let content = [words(message.heard())];
            ("user", vec![json!({"toolResult": {"toolUseId": message.id, "content": content, "status": status}})])
        }
        _ => ("user", vec![words(message.heard())]),
    });
    let tool = |name: &str, description: &str, schema: &Value| {
        let description = (!description.is_empty()).then_some(description);
        json!({"toolSpec": full(json!({"name": name, "description": description, "inputSchema": {"json": schema}}))})
    };
    let limits = json!({"maxTokens": chat.get("max_tokens"), "temperature": chat.get("temperature")});
    full(json!({
        "system": system(&messages).map(|text| json!([words(&text)])), "messages": turns("content", said, words),
        "inferenceConfig": full(limits), "toolConfig": tools(chat, tool).map(|tools| json!({"tools": tools})),
    }))
}

fn words(text: &str) -> Value {
    json!({"text": text})
}

/// A message of ours as blocks.
fn blocks(message: &Message, arguments: fn(&Call) -> Value) -> Vec<Value> {
    let words = Some(&message.text).filter(|text| !text.trim().is_empty()).map(|text| words(text));
    let call = |call: &Call| json!({"toolUse": full(json!({"toolUseId": call.id, "name": call.name, "input": arguments(call)}))});
    words.into_iter().chain(message.calls.iter().map(call)).collect()
}

fn call(block: &mut Value) -> Option<&mut Map<String, Value>> {
    block.get_mut("toolUse")?.as_object_mut()
}

fn mend(map: &mut Map<String, Value>, call: &Call) {
    map.insert("toolUseId".to_owned(), call.id.into());
    mend_object(map, "input", call);
}

fn answered(body: &Value) -> Result<Answered, String> {
    let content = body.pointer("/output/message/content").filter(|content| content.is_array());
    let content = content.ok_or("it has no `output.message.content`")?;
    let finish = ended(ENDS, body.get("stopReason").and_then(Value::as_str));
    let prompt = ["/inputTokens", "/cacheReadInputTokens", "/cacheWriteInputTokens"];
    let usage = usage(body.get("usage"), &prompt, &["/outputTokens"], "/cacheReadInputTokens");
    Ok(take("assistant", content).answered(finish, usage, Some(content)))
}

fn take(role: &'static str, content: &Value) -> Said {
    let mut said = Said::by(role);
    for block in list(content, "") {
        if let Some(text) = block.get("text").and_then(Value::as_str) {
            said.text(text);
        }
        if let Some(call) = block.get("toolUse").filter(|call| call.is_object()) {
            said.call(call.get("toolUseId"), text(call, "name"), call.get("input"));
        }
        let thought = block.pointer("/reasoningContent/reasoningText");
        if let Some(thought) = thought.filter(|thought| !text(thought, "signature").is_empty()) {
            said.reasoning.push_str(text(thought, "text"));
        }
    }
    said
}

fn asked(body: &Value) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = body.pointer("/system/0/text") {
        messages.push(json!({"role": "system", "content": system}));
    }
    for message in list(body, "/messages") {
        let is_agent = text(message, "role") == "assistant";
        for result in list(message, "/content").iter().filter_map(|block| block.get("toolResult")) {
            let words: String = list(result, "/content").iter().map(|part| text(part, "text")).collect();
            messages.push(returned(text(result, "toolUseId"), &words));
        }
        let content = message.get("content").unwrap_or(&Value::Null);
        let said = take(if is_agent { "assistant" } else { "user" }, content);
        messages.extend((!said.is_empty()).then(|| said.message(Value::to_string)));
    }
    request(
        body,
        &messages,
        list(body, "/toolConfig/tools").iter().filter_map(|tool| tool.get("toolSpec")),
        "/inputSchema/json",
    )
}

fn answer(chat: &Value) -> Value {
    let Some(reply) = Spoken::of(chat) else { return json!({"output": {}}) };
    let thought = Some(reply.message.reasoning).filter(|thought| !thought.is_empty());
    let thought = thought
        .map(|thought| json!({"reasoningContent": {"reasoningText": {"text": thought, "signature": "c2lnbmVk"}}}));
    let content: Vec<Value> = thought.into_iter().chain(blocks(&reply.message, as_written)).collect();
    let usage = reply.tokens.map(|[read, cached, written]| {
        json!({"inputTokens": read - cached.min(read), "cacheReadInputTokens": cached, "outputTokens": written})
    });
    full(json!({
        "output": {"message": {"role": "assistant", "content": content}}, "stopReason": reply.ended(ENDS),
        "usage": usage, "metrics": {"latencyMs": 1},
    }))
}
