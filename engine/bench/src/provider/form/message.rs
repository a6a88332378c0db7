//! A message of chat completions, taken apart and put together: what the other forms are written from and read into.

use serde_json::{Map, Value, json};

use crate::provider::completion::{call_arguments, words};
use crate::provider::wire::Answered;

/// What a user says who says nothing: some take no empty words.
const SILENCE: &str = "(nothing)";

pub(super) struct Message<'a> {
    pub role: &'a str,
    /// Empty where there are no words.
    pub text: String,
    /// Thoughts in a field of their own.
    pub reasoning: &'a str,
    pub calls: Vec<Call<'a>>,
    /// Which call it answers.
    pub id: &'a str,
    /// What was said, as it came.
    said: Option<&'a Vec<Value>>,
}

pub(super) struct Call<'a> {
    pub id: Option<&'a str>,
    pub name: &'a str,
    /// An object, or the text that is none.
    pub arguments: Value,
}

/// The arguments of a call for those who take nothing but objects.
pub(super) fn as_object(call: &Call) -> Value {
    if call.arguments.is_object() { call.arguments.clone() } else { json!({"no_object": call.arguments}) }
}

/// The arguments of a call as they were written.
pub(super) fn as_written(call: &Call) -> Value {
    call.arguments.clone()
}

/// The text under a key; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list at a pointer; empty where there is none.
pub(super) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

impl<'a> Message<'a> {
    pub(super) fn of(message: &'a Value) -> Message<'a> {
        let call = |call: &'a Value| {
            let function = call.get("function").unwrap_or(call);
            let id = call.get("id").and_then(Value::as_str);
            Call { id, name: text(function, "name"), arguments: call_arguments(function.get("arguments")).0 }
        };
        Message {
            role: text(message, "role"),
            text: words(message.get("content")).unwrap_or_default(),
            reasoning: text(message, "reasoning_content"),
            calls: list(message, "/tool_calls").iter().map(call).collect(),
            id: text(message, "tool_call_id"),
            said: message.get("said").and_then(Value::as_array),
        }
    }

    /// The messages of a request.
    pub(super) fn all(chat: &'a Value) -> Vec<Message<'a>> {
        list(chat, "/messages").iter().map(Message::of).collect()
    }

    /// The words, or that there are none.
    pub(super) fn heard(&self) -> &str {
        if self.text.trim().is_empty() { SILENCE } else { &self.text }
    }

    /// What a call returned, and whether it was refused.
    pub(super) fn result(&self) -> (Value, bool) {
        let value: Option<Value> = serde_json::from_str(&self.text).ok();
        let is_refused = value.as_ref().is_some_and(|value| value.pointer("/error/kind").is_some());
        (value.unwrap_or_else(|| self.text.as_str().into()), is_refused)
    }

    /// What was said, as it came, but for its calls: they go by the ids that they have now, with arguments that are
    /// objects, and those that nobody answers are left out, as are words that are none. `call` finds a call in a block,
    /// `mend` writes into it.
    pub(super) fn echoed(
        &self,
        call: fn(&mut Value) -> Option<&mut Map<String, Value>>,
        mend: fn(&mut Map<String, Value>, &Call),
    ) -> Option<Vec<Value>> {
        let mut calls = self.calls.iter();
        let block = |block: &Value| {
            let mut block = block.clone();
            match call(&mut block) {
                None => Some(block),
                Some(found) => {
                    mend(found, calls.next()?);
                    Some(block)
                }
            }
        };
        Some(self.said?.iter().filter(|block| !is_blank(block)).filter_map(block).collect())
    }
}

/// Whether a block holds nothing but blank words: some send them, and take none.
fn is_blank(block: &Value) -> bool {
    let is_silent = block.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty());
    is_silent && block.as_object().is_some_and(|map| map.keys().all(|key| key == "text" || key == "type"))
}

/// Writes what is no object there.
pub(super) fn mend_object(map: &mut Map<String, Value>, key: &str, call: &Call) {
    if !map.get(key).is_some_and(Value::is_object) {
        map.insert(key.to_owned(), as_object(call));
    }
}

/// The words of the system's messages.
pub(super) fn system(messages: &[Message]) -> Option<String> {
    let said: Vec<&str> =
        messages.iter().filter(|message| message.role == "system").map(|message| message.text.as_str()).collect();
    (!said.is_empty()).then(|| said.join("\n\n"))
}

/// Messages of two sides in turn, for those who take no others: what a side says one after the other is one message with
/// its blocks under `key`, and the user begins, with `opening` if need be.
pub(super) fn turns<'a>(
    key: &str,
    said: impl Iterator<Item = (&'a str, Vec<Value>)>,
    opening: fn(&str) -> Value,
) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for (role, blocks) in said.filter(|(_, blocks)| !blocks.is_empty()) {
        if turns.is_empty() && role != "user" {
            turns.push(("user", vec![opening(SILENCE)]));
        }
        match turns.last_mut() {
            Some((last, all)) if *last == role => all.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    turns.into_iter().map(|(role, blocks)| json!({"role": role, key: blocks})).collect()
}

/// The tools of a request, each as `tool` writes its name, description and schema; nothing where there are none.
pub(super) fn tools(chat: &Value, tool: fn(&str, &str, &Value) -> Value) -> Option<Vec<Value>> {
    let tools = list(chat, "/tools").iter().filter_map(|tool| tool.get("function"));
    let none = json!({"type": "object", "properties": {}});
    let tools: Vec<Value> = tools
        .map(|one| tool(text(one, "name"), text(one, "description"), one.get("parameters").unwrap_or(&none)))
        .collect();
    (!tools.is_empty()).then_some(tools)
}

/// An object without what is null.
pub(super) fn full(mut value: Value) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.retain(|_, value| !value.is_null());
    }
    value
}

/// A message that is put together: its words, its calls, and why it ended.
#[derive(Default)]
pub(super) struct Said {
    pub role: &'static str,
    parts: Vec<Value>,
    calls: Vec<Value>,
    pub reasoning: String,
    /// Whether other things stand between the last words and the next.
    is_broken: bool,
}

impl Said {
    pub(super) fn by(role: &'static str) -> Said {
        Said { role, ..Said::default() }
    }

    pub(super) fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let is_line = self.is_broken && !self.parts.is_empty();
        let text = if is_line { format!("\n{text}") } else { text.to_owned() };
        self.is_broken = false;
        self.parts.push(json!({"type": "text", "text": text}));
    }

    /// Ends a run of words: the next begin a line.
    pub(super) fn breaks(&mut self) {
        self.is_broken = true;
    }

    pub(super) fn call(&mut self, id: Option<&Value>, name: &str, arguments: Option<&Value>) {
        let id = id.and_then(Value::as_str);
        self.breaks();
        self.calls.push(full(json!({"id": id, "function": {"name": name, "arguments": arguments}})));
    }

    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.calls.is_empty()
    }

    /// As a message of a request: words are one text, arguments are text as they are `written`.
    pub(super) fn message(self, written: fn(&Value) -> String) -> Value {
        let content = words(Some(&Value::Array(self.parts)));
        let call = |mut call: Value| {
            if let Some(arguments) = call.pointer_mut("/function/arguments") {
                *arguments = written(arguments).into();
            }
            call
        };
        let calls: Vec<Value> = self.calls.into_iter().map(call).collect();
        full(json!({
            "role": self.role, "content": content,
            "tool_calls": (!calls.is_empty()).then_some(calls),
            "reasoning_content": (!self.reasoning.is_empty()).then_some(self.reasoning),
        }))
    }

    /// As an answer, with the message as it came.
    pub(super) fn answered(self, finish: Option<String>, usage: Option<Value>, said: Option<&Value>) -> Answered {
        let message = json!({"role": "assistant", "content": self.parts, "tool_calls": self.calls});
        let choice = json!({"message": message, "finish_reason": finish});
        Answered { chat: json!({"choices": [choice], "usage": usage}), said: said.cloned() }
    }
}

/// A message of a tool.
pub(super) fn returned(id: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content})
}

/// A request of chat completions with these messages, and these tools whose schemas stand at a pointer.
pub(super) fn request<'a>(
    body: &Value,
    messages: &[Value],
    tools: impl Iterator<Item = &'a Value>,
    schema: &str,
) -> Value {
    let function = |tool: &Value| {
        let (name, description, schema) = (tool.get("name"), tool.get("description"), tool.pointer(schema));
        json!({"type": "function", "function": {"name": name, "description": description, "parameters": schema}})
    };
    let tools: Vec<Value> = tools.map(function).collect();
    full(json!({"model": body.get("model"), "messages": messages, "tools": (!tools.is_empty()).then_some(tools)}))
}

/// Counts of tokens as chat completions have them: sums of what stands at pointers; nothing where the first of a sum is
/// not there.
pub(super) fn usage(usage: Option<&Value>, prompt: &[&str], written: &[&str], cached: &str) -> Option<Value> {
    let count = |key: &&str| usage?.pointer(key)?.as_u64();
    let sum = |keys: &[&str]| {
        let first = count(keys.first()?)?;
        Some(keys.iter().skip(1).filter_map(count).fold(first, u64::saturating_add))
    };
    let cached = count(&cached).unwrap_or_default();
    Some(json!({
        "prompt_tokens": sum(prompt)?, "completion_tokens": sum(written)?,
        "prompt_tokens_details": {"cached_tokens": cached},
    }))
}

/// Why a message ended, in the words of chat completions and in those of a form; the first that fits counts, and what
/// no row has stays as it is, in small letters.
pub(super) type Ends = [(&'static str, &'static str)];

pub(super) fn ended(ends: &Ends, own: Option<&str>) -> Option<String> {
    let own = own?;
    let known = ends.iter().find(|(_, theirs)| *theirs == own);
    Some(known.map_or_else(|| own.to_lowercase(), |(chat, _)| (*chat).to_owned()))
}

/// An answer of chat completions taken apart, for the other end of a form.
pub(super) struct Spoken<'a> {
    pub message: Message<'a>,
    finish: &'a str,
    /// Tokens read, of these from a cache, and written.
    pub tokens: Option<[u64; 3]>,
}

impl<'a> Spoken<'a> {
    /// Nothing where there is no message.
    pub(super) fn of(chat: &'a Value) -> Option<Spoken<'a>> {
        let choice = chat.pointer("/choices/0")?;
        let count = |pointer: &str| chat.pointer(pointer).and_then(Value::as_u64);
        let tokens = count("/usage/prompt_tokens").zip(count("/usage/completion_tokens")).map(|(read, written)| {
            [read, count("/usage/prompt_tokens_details/cached_tokens").unwrap_or_default(), written]
        });
        Some(Spoken { message: Message::of(choice.get("message")?), finish: text(choice, "finish_reason"), tokens })
    }

    /// Why it ended, in the words of a form.
    pub(super) fn ended(&self, ends: &Ends) -> &'a str {
        ends.iter().find(|(chat, _)| *chat == self.finish).map_or(self.finish, |(_, own)| own)
    }

    /// The words as blocks of a form; none where there are none.
    pub(super) fn words(&self) -> Option<&str> {
        (!self.message.text.is_empty()).then_some(self.message.text.as_str())
    }
}
