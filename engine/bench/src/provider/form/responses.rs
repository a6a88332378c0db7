//! OpenAI Responses.

use serde_json::{Map, Value, json};

use super::chat;
use super::message::{Call, Message, Said, Spoken, full, list, request, returned, system, text, tools, usage};
use crate::provider::wire::{Answered, Wire};

pub(super) const WIRE: Wire = Wire {
    name: "responses",
    about: "OpenAI Responses",
    path: "/responses",
    keys: ["temperature", "max_output_tokens"],
    ask,
    answered,
    said: |body| body.get("output")?.as_array().cloned(),
    places: [&["/input"], &["/instructions"], &["/tools"]],
    gathered,
    is_end: |event| ENDS.contains(&text(event, "type")),
    asked,
    answer,
    events,
    #[cfg(test)]
    request: r#"{
  "model": "m", "max_output_tokens": 64, "temperature": 0.5, "stream": false, "store": false, "instructions": "Desk rules.",
  "input": [
    {"type": "message", "role": "user", "content": "Move K7 and K8."},
    {"type": "message", "role": "assistant", "content": "I look."},
    {"type": "function_call", "call_id": "a", "name": "get_booking", "arguments": "{\"id\":\"K7\"}"},
    {"type": "function_call", "call_id": "b", "name": "get_booking", "arguments": "{\"id\":\"K8\"}"},
    {"type": "function_call_output", "call_id": "a", "output": "{\"status\":\"open\"}"},
    {"type": "function_call_output", "call_id": "b", "output": "{\"error\":{\"kind\":\"not_found\",\"message\":\"No K8.\"}}"}
  ],
  "tools": [{"type": "function", "name": "get_booking", "description": "Looks.", "strict": false, "parameters": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}, "additionalProperties": false}}]
}"#,
    ..chat::WIRE
};

/// The events that end a stream.
const ENDS: [&str; 3] = ["response.completed", "response.incomplete", "response.failed"];

fn ask(chat: &Value) -> Value {
    let messages = Message::all(chat);
    let items = messages.iter().filter(|message| message.role != "system").flat_map(|message| match message.role {
        "assistant" => message.echoed(call, mend).map_or_else(|| items(message), kept),
        "tool" => vec![json!({"type": "function_call_output", "call_id": message.id, "output": message.text})],
        role => vec![json!({"type": "message", "role": role, "content": message.text})],
    });
    // Not strict: a strict schema may leave nothing out.
    let tool = |name: &str, description: &str, schema: &Value| json!({"type": "function", "name": name, "description": description, "parameters": schema, "strict": false});
    full(json!({
        "model": chat.get("model"), "instructions": system(&messages), "input": items.collect::<Vec<_>>(),
        "tools": tools(chat, tool), "max_output_tokens": chat.get("max_tokens"),
        "temperature": chat.get("temperature"), "store": false, "stream": false,
    }))
}

/// Items as they go back: of thoughts that are not in them nobody keeps anything, so that their name says nothing.
fn kept(mut items: Vec<Value>) -> Vec<Value> {
    items.retain(|item| text(item, "type") != "reasoning" || !text(item, "encrypted_content").is_empty());
    items
}

/// A message of ours as items.
fn items(message: &Message) -> Vec<Value> {
    let words = Some(&message.text).filter(|text| !text.is_empty());
    let words = words.map(|text| json!({"type": "message", "role": "assistant", "content": text}));
    words.into_iter().chain(message.calls.iter().map(item)).collect()
}

fn item(call: &Call) -> Value {
    full(json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": written(&call.arguments)}))
}

fn written(arguments: &Value) -> String {
    arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned)
}

fn call(item: &mut Value) -> Option<&mut Map<String, Value>> {
    item.as_object_mut().filter(|map| map.get("type").is_some_and(|kind| kind == "function_call"))
}

fn mend(map: &mut Map<String, Value>, call: &Call) {
    map.insert("call_id".to_owned(), call.id.into());
    let is_object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).is_ok();
    if !map.get("arguments").and_then(Value::as_str).is_some_and(is_object) {
        map.insert("arguments".to_owned(), written(&call.arguments).into());
    }
}

fn answered(body: &Value) -> Result<Answered, String> {
    let output = body.get("output").filter(|output| output.is_array()).ok_or("it has no `output`")?;
    let said = take("assistant", list(output, ""));
    let finish = match (text(body, "status"), body.pointer("/incomplete_details/reason").and_then(Value::as_str)) {
        ("incomplete", Some("max_output_tokens")) => "length",
        ("incomplete", Some(reason)) => reason,
        ("completed", _) if said.has_calls() => "tool_calls",
        ("completed", _) => "stop",
        (status, _) => status,
    };
    let usage =
        usage(body.get("usage"), &["/input_tokens"], &["/output_tokens"], "/input_tokens_details/cached_tokens");
    Ok(said.answered(Some(finish.to_owned()), usage, Some(output)))
}

/// What some items say.
fn take(role: &'static str, items: &[Value]) -> Said {
    let mut said = Said::by(role);
    for item in items {
        match text(item, "type") {
            "message" | "" => {
                said.breaks();
                said.text(text(item, "content"));
                for part in list(item, "/content") {
                    said.text(text(part, if text(part, "type") == "refusal" { "refusal" } else { "text" }));
                }
            }
            "function_call" => {
                let id = item.get("call_id").or_else(|| item.get("id"));
                said.call(id, text(item, "name"), item.get("arguments"));
            }
            "reasoning" if !text(item, "encrypted_content").is_empty() => {
                list(item, "/summary").iter().for_each(|part| said.reasoning.push_str(text(part, "text")));
            }
            _ => {}
        }
    }
    said
}

fn gathered(events: &[Value], _is_done: bool) -> Option<Value> {
    let is_end = |event: &&Value| ENDS.contains(&text(event, "type"));
    let whole = |event: &&Value| event.get("output").is_some();
    let end = events.iter().rev().find(is_end).and_then(|event| event.get("response"));
    let mut body = end.or_else(|| events.iter().rev().find(whole))?.clone();
    // Some say in the end only that it is the end.
    if list(&body, "/output").is_empty() {
        let done = events.iter().filter(|event| text(event, "type") == "response.output_item.done");
        let items: Vec<Value> = done.filter_map(|event| event.get("item").cloned()).collect();
        body.as_object_mut()?.insert("output".to_owned(), items.into());
    }
    Some(body)
}

fn asked(body: &Value) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = body.get("instructions") {
        messages.push(json!({"role": "system", "content": system}));
    }
    // What the model said one after the other is one message.
    let is_models = |item: &Value| {
        text(item, "role") == "assistant" || ["function_call", "reasoning"].contains(&text(item, "type"))
    };
    for items in list(body, "/input").chunk_by(|one, other| is_models(one) && is_models(other)) {
        let Some(first) = items.first() else { continue };
        messages.push(match text(first, "type") {
            "function_call_output" => returned(text(first, "call_id"), text(first, "output")),
            _ => take(if is_models(first) { "assistant" } else { "user" }, items).message(written),
        });
    }
    request(body, &messages, list(body, "/tools").iter(), "/parameters")
}

fn answer(chat: &Value) -> Value {
    let Some(reply) = Spoken::of(chat) else { return json!({"object": "response", "status": "completed"}) };
    let mut output = Vec::new();
    if !reply.message.reasoning.is_empty() {
        let summary = json!([{"type": "summary_text", "text": reply.message.reasoning}]);
        output.push(json!({"type": "reasoning", "id": "rs_mock", "summary": summary, "encrypted_content": "gAB"}));
    }
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
    let words = reply.words().map(|text| json!({"type": "message", "role": "assistant", "content": [part(text)]}));
    output.extend(words.into_iter().chain(reply.message.calls.iter().map(item)));
    let usage = reply.tokens.map(|[read, cached, written]| {
        json!({"input_tokens": read, "output_tokens": written, "input_tokens_details": {"cached_tokens": cached}})
    });
    let (status, why) = match reply.ended(&[]) {
        "length" => ("incomplete", Some(json!({"reason": "max_output_tokens"}))),
        "content_filter" => ("incomplete", Some(json!({"reason": "content_filter"}))),
        _ => ("completed", None),
    };
    json!({
        "id": "resp_mock", "object": "response", "status": status, "incomplete_details": why, "error": null,
        "output": output, "usage": usage,
    })
}

fn events(body: &Value) -> Vec<Value> {
    let mut end = body.clone();
    let items = end.as_object_mut().and_then(|map| map.remove("output")).unwrap_or_default();
    let done = |item: &Value| json!({"type": "response.output_item.done", "item": item});
    let status = text(body, "status");
    let end = json!({"type": format!("response.{status}"), "response": end});
    let start = json!({"type": "response.created", "response": {"status": "in_progress", "error": null, "output": []}});
    std::iter::once(start).chain(list(&items, "").iter().map(done)).chain([end]).collect()
}
