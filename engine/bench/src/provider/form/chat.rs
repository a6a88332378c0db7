//! Chat completions: the form that all others are turned into.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::provider::wire::{Answered, Trouble, Wire};

pub(super) const WIRE: Wire = Wire {
    name: "openai",
    about: "chat completions",
    base_url: "https://api.openai.com/v1",
    path: "/chat/completions",
    stream_path: None,
    key_env: "OPENAI_API_KEY",
    key_header: "authorization",
    headers: &[],
    keys: ["temperature", "max_tokens"],
    ask: Value::clone,
    answered: |body| Ok(Answered { chat: body.clone(), said: None }),
    said: |body| Some(vec![body.pointer("/choices/0/message")?.clone()]),
    places: [&["/messages"], &[], &["/tools", "/functions"]],
    gathered,
    // Tokens are told after the end of the message.
    is_end: |_| false,
    asked: Value::clone,
    answer: Value::clone,
    events,
    troubles: &[("overloaded", 503, "server_error", "busy"), ("unreadable", 500, "server_error", "")],
    error: |trouble| {
        let Trouble { status, code, message } = trouble;
        let is_status = code == "some_error" || code == "server_error";
        let name = if is_status { Value::from(*status) } else { Value::from(code.as_str()) };
        json!({"error": {"code": name, "message": message, "type": code}})
    },
    #[cfg(test)]
    request: r#"{
  "model": "m", "max_tokens": 64, "temperature": 0.5, "stream": false,
  "messages": [
    {"role": "system", "content": "Desk rules."},
    {"role": "user", "content": "Move K7 and K8."},
    {"role": "assistant", "content": "I look.", "tool_calls": [
      {"id": "a", "type": "function", "function": {"name": "get_booking", "arguments": "{\"id\":\"K7\"}"}},
      {"id": "b", "type": "function", "function": {"name": "get_booking", "arguments": "{\"id\":\"K8\"}"}}
    ]},
    {"role": "tool", "tool_call_id": "a", "content": "{\"status\":\"open\"}"},
    {"role": "tool", "tool_call_id": "b", "content": "{\"error\":{\"kind\":\"not_found\",\"message\":\"No K8.\"}}"}
  ],
  "tools": [{"type": "function", "function": {"name": "get_booking", "description": "Looks.", "parameters": {"type": "object", "properties": {"id": {"type": ["string", "null"]}}, "additionalProperties": false}}}]
}"#,
};

/// The pieces of a stream that come to an answer.
fn events(body: &Value) -> Vec<Value> {
    let piece = |delta: Value, finish: Option<&Value>| json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let Some(choice) = body.pointer("/choices/0") else { return Vec::new() };
    let mut delta = choice.get("message").cloned().unwrap_or_default();
    let calls = delta.as_object_mut().and_then(|delta| delta.remove("tool_calls")).unwrap_or_default();
    let mut events = vec![piece(delta, None)];
    for (index, call) in calls.as_array().into_iter().flatten().enumerate() {
        let mut call = call.clone();
        call.as_object_mut().map(|call| call.insert("index".to_owned(), index.into()));
        events.push(piece(json!({"tool_calls": [call]}), None));
    }
    events.push(piece(json!({}), choice.get("finish_reason")));
    events.push(json!({"choices": [], "usage": body.get("usage")}));
    events.push("[DONE]".into());
    events
}

/// The message that the pieces of a stream come to.
fn gathered(events: &[Value], is_done: bool) -> Option<Value> {
    let mut gathered = Gathered { is_done, ..Gathered::default() };
    events.iter().for_each(|event| gathered.add(event));
    gathered.body()
}

#[derive(Default)]
struct Gathered {
    text: String,
    /// Words that came as parts.
    parts: Vec<Value>,
    refusal: String,
    /// As they came, with their places among the others; several calls may claim one.
    calls: Vec<(u64, CallParts)>,
    /// The last call of each place.
    last: BTreeMap<u64, usize>,
    older: Option<CallParts>,
    /// A message that came whole.
    message: Option<Value>,
    finish: Option<String>,
    error: Option<Value>,
    usage: Option<Value>,
    has_choices: bool,
    is_done: bool,
}

#[derive(Default)]
struct CallParts {
    id: String,
    name: String,
    arguments: String,
    /// Arguments that came as an object.
    whole: Option<Value>,
}

impl Gathered {
    fn add(&mut self, event: &Value) {
        if let Some(usage) = event.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(usage.clone());
        }
        let choices = event.get("choices").and_then(Value::as_array).into_iter().flatten();
        let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or_default() == 0;
        for choice in choices.filter(is_first) {
            self.has_choices = true;
            if let Some(finish) =
                choice.get("finish_reason").and_then(Value::as_str).filter(|finish| !finish.is_empty())
            {
                self.finish = Some(finish.to_owned());
            }
            if let Some(error) = choice.get("error").filter(|error| !error.is_null()) {
                self.error = Some(error.clone());
            }
            if let Some(message) = choice.get("message").filter(|message| message.is_object()) {
                self.message = Some(message.clone());
            }
            if let Some(delta) = choice.get("delta") {
                self.delta(delta);
            }
        }
    }

    fn delta(&mut self, delta: &Value) {
        match delta.get("content") {
            Some(Value::String(text)) if self.parts.is_empty() => self.text.push_str(text),
            Some(Value::String(text)) => self.parts.push(json!({"type": "text", "text": text})),
            Some(Value::Array(parts)) => self.parts.extend(parts.iter().cloned()),
            _ => {}
        }
        self.refusal.push_str(delta.get("refusal").and_then(Value::as_str).unwrap_or_default());
        for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
            let index = call.get("index").and_then(Value::as_u64);
            self.call(index, id, call.get("function").unwrap_or(call));
        }
        if let Some(call) = delta.get("function_call").filter(|call| call.is_object()) {
            self.older.get_or_insert_default().add("", call);
        }
    }

    /// Takes part of a call: of the last one with its index, or of the last one of all.
    fn call(&mut self, index: Option<u64>, id: &str, function: &Value) {
        let newest = self.calls.len().checked_sub(1);
        let place = index.map_or(newest, |index| self.last.get(&index).copied());
        let open = place.and_then(|place| self.calls.get_mut(place));
        match open.filter(|(_, open)| open.goes_on(id, function)) {
            Some((_, open)) => open.add(id, function),
            None => {
                let next = self.calls.last().map_or(0, |(index, _)| index.saturating_add(1));
                let index = index.unwrap_or(next);
                self.last.insert(index, self.calls.len());
                let mut call = CallParts::default();
                call.add(id, function);
                self.calls.push((index, call));
            }
        }
    }

    fn body(self) -> Option<Value> {
        let is_whole = self.has_choices && (self.is_done || self.finish.is_some());
        if !is_whole {
            return None;
        }
        let mut parts = self.parts;
        if !parts.is_empty() && !self.text.is_empty() {
            parts.insert(0, json!({"type": "text", "text": self.text}));
        }
        let content = match (parts.is_empty(), self.text.is_empty()) {
            (false, _) => Value::Array(parts),
            (true, false) => Value::from(self.text),
            (true, true) => Value::Null,
        };
        let mut message = Map::new();
        message.insert("role".to_owned(), Value::from("assistant"));
        message.insert("content".to_owned(), content);
        if !self.refusal.is_empty() {
            message.insert("refusal".to_owned(), Value::from(self.refusal));
        }
        if !self.calls.is_empty() {
            let mut calls = self.calls;
            calls.sort_by_key(|(index, _)| *index);
            let calls = calls.into_iter().map(|(_, call)| call.listed()).collect();
            message.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        if let Some(call) = self.older {
            message.insert("function_call".to_owned(), call.function());
        }
        let message = self.message.unwrap_or(Value::Object(message));
        let mut choice = json!({"index": 0, "message": message, "finish_reason": self.finish});
        if let (Some(error), Some(map)) = (self.error, choice.as_object_mut()) {
            map.insert("error".to_owned(), error);
        }
        Some(json!({"object": "chat.completion", "choices": [choice], "usage": self.usage}))
    }
}

fn says_arguments(function: &Value) -> bool {
    function.get("arguments").is_some_and(|said| !said.is_null() && said != "")
}

impl CallParts {
    /// Whether a part may belong to it: one with another id does not, nor one without an id that names a tool when this
    /// one has all it needs.
    fn goes_on(&self, id: &str, function: &Value) -> bool {
        if !id.is_empty() && !self.id.is_empty() {
            return id == self.id;
        }
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let has_arguments = self.whole.is_some() || !self.arguments.is_empty();
        if name.is_empty() || self.name.is_empty() || !has_arguments {
            return true;
        }
        // Some say the whole name again with every part.
        name == self.name && !(self.is_complete() && says_arguments(function))
    }

    fn is_complete(&self) -> bool {
        let is_read = || serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok();
        self.whole.is_some() || (self.arguments.trim_end().ends_with('}') && is_read())
    }

    fn add(&mut self, id: &str, function: &Value) {
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
        }
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        // Some say the whole name again with every part.
        if self.name != name {
            self.name.push_str(name);
        }
        match function.get("arguments") {
            Some(Value::String(part)) => self.arguments.push_str(part),
            Some(whole @ Value::Object(_)) => self.whole = Some(whole.clone()),
            _ => {}
        }
    }

    fn function(self) -> Value {
        json!({"name": self.name, "arguments": self.whole.unwrap_or(Value::from(self.arguments))})
    }

    fn listed(self) -> Value {
        let id = self.id.clone();
        json!({"id": id, "type": "function", "function": self.function()})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::body::{self, StreamWatch, is_stream};
    use crate::provider::form::Form;

    fn gathered(text: &str) -> Result<Value, String> {
        body::gathered(text, Form::default())
    }

    #[test]
    fn events_come_to_one_message() {
        let text = concat!(
            ": hello\r\n\r\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Let \",\"reasoning_content\":\"hm\"}}]}\r\n\r\n",
            "data: {\"choices\":[{\"index\":0,\r\ndata: \"delta\":{\"content\":\"me\"}}]}\r\n\r\n",
            "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\r\n\r\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\"\"}}]}}]}\r\n\r\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]}}]}\r\n\r\n",
            "data:{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]}}]}\r\n\r\n",
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\r\n\r\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\r\n\r\n",
            "data: [DONE]\r\n\r\n",
        );
        assert!(is_stream(None, text) && StreamWatch::of(Form::default()).has_ended(text.as_bytes()));
        let body = gathered(text).unwrap();
        let choice = &body["choices"][0];
        assert_eq!(choice["message"]["content"], "Let me");
        assert_eq!(choice["finish_reason"], "tool_calls");
        let calls: Vec<_> =
            choice["message"]["tool_calls"].as_array().unwrap().iter().map(|call| &call["function"]).collect();
        assert_eq!(calls, [&json!({"name": "f", "arguments": "{\"x\":1}"}), &json!({"name": "g", "arguments": "{}"})]);
        assert_eq!(body["usage"]["prompt_tokens"], 3);
        assert_eq!(gathered(&text.replace("\r\n", "\n")).unwrap(), body);
        assert_eq!(gathered(&text.replace("\r\n", "\r")).unwrap(), body);
    }

    #[test]
    fn errors_and_ends_are_told_apart() {
        let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n";
        assert_eq!(gathered(chunk).unwrap_err(), "the stream of events broke off");
        assert_eq!(gathered("data: [DONE]\n\n").unwrap_err(), "the stream of events broke off");
        assert_eq!(gathered(&format!("{chunk}data: {{\"cho")).unwrap_err(), "an event of the stream is no JSON");
        let error = gathered(&format!("{chunk}data: {{\"error\":{{\"code\":429}}}}\n\n")).unwrap();
        assert_eq!(error, json!({"error": {"code": 429}}));
        let error = gathered(&format!("{chunk}event: error\ndata: {{\"message\":\"busy\"}}\n\n")).unwrap();
        assert_eq!(error, json!({"message": "busy"}));
        let whole =
            gathered("data: {\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}").unwrap();
        assert_eq!(whole["choices"][0]["message"]["content"], "Hi");
        let loose = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n\
            data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}, {\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}]}\n\n";
        let calls = gathered(loose).unwrap()["choices"][0]["message"]["tool_calls"].clone();
        assert_eq!((calls[0]["function"]["arguments"].clone(), calls[1]["id"].clone()), (json!("{}"), json!("b")));
    }

    /// The names and arguments of the calls that come in these parts.
    fn called(parts: &[Value]) -> Vec<(String, String)> {
        let event = |part: &Value| format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": [part]}}]}));
        let text: String = parts.iter().map(event).collect();
        let body = gathered(&format!("{text}data: [DONE]\n\n")).unwrap();
        let calls = body["choices"][0]["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
        let said = |call: &Value, key: &str| call["function"][key].as_str().unwrap().to_owned();
        calls.iter().map(|call| (said(call, "name"), said(call, "arguments"))).collect()
    }

    #[test]
    fn calls_are_told_apart_without_a_good_index() {
        let part = |index: Option<u64>, id: &str, name: &str, arguments: &str| {
            let mut part = json!({"id": id, "function": {"name": name, "arguments": arguments}});
            if let Some(index) = index {
                part["index"] = json!(index);
            }
            part
        };
        let two = [("f".to_owned(), "{\"a\":1}".to_owned()), ("g".to_owned(), "{}".to_owned())];
        let split = |index, ids: [&str; 3]| {
            [part(index, ids[0], "f", "{\"a\""), part(index, ids[1], "", ":1}"), part(index, ids[2], "g", "{}")]
        };
        assert_eq!(called(&split(None, ["", "", ""])), two);
        assert_eq!(called(&split(Some(0), ["x", "", "y"])), two);
        assert_eq!(called(&split(Some(0), ["x", "x", "y"])), two);
        assert_eq!(called(&split(Some(0), ["", "", ""])), two);
        let same = [part(None, "", "f", "{}"), part(None, "", "f", "{}")];
        assert_eq!(called(&same).len(), 2);
        let again = [part(Some(0), "x", "f", "{\"a\""), part(Some(0), "", "f", ":1}"), part(Some(0), "", "f", "")];
        assert_eq!(called(&again), two[..1]);
        let pieces = [part(None, "", "f", ""), part(None, "", "oo", ""), part(None, "", "", "{}")];
        assert_eq!(called(&pieces), [("foo".to_owned(), "{}".to_owned())]);
    }
}
