//! Calls in fenced JSON blocks, for models without tool calls of their own.

use serde_json::{Map, Value, json};

use crate::agent::{AgentMessage, Brief};
use probity_engine::{ToolCall, arguments};

/// What a model without tool calls is told on top of the system prompt.
const RULES: &str = "\
How to call tools
Write one fenced block with JSON, and nothing after it:
```json
{\"calls\": [{\"tool\": \"name\", \"arguments\": {}}]}
```
You then get what each call returned. A message without such a block goes to the user.";

/// The system prompt with the tools in words.
pub(super) fn system(brief: &Brief) -> String {
    let tools = brief.tools.as_array().into_iter().flatten().filter_map(|tool| tool.get("function"));
    let tools: Vec<String> = tools.map(|tool| format!("- {tool}\n")).collect();
    format!("{}\n{RULES}\n\nTools\n{}", brief.system, tools.concat())
}

/// What calls returned, as the model hears it.
pub(super) fn observations(values: &[Value]) -> String {
    format!("What the calls returned:\n```json\n{}\n```", json!({"observations": values}))
}

/// A message as the model would have written it.
pub(super) fn message(message: &AgentMessage) -> String {
    let call = |call: &ToolCall| json!({"tool": call.tool, "arguments": call.arguments});
    let calls: Vec<Value> = message.calls.iter().map(call).collect();
    let block = (!calls.is_empty()).then(|| format!("```json\n{}\n```", json!({"calls": calls})));
    message.text.iter().cloned().chain(block).collect::<Vec<_>>().join("\n")
}

/// Reads a message: the calls of its blocks, and the words around them. A block that is no call is words.
pub(super) fn read(text: &str) -> AgentMessage {
    let (mut words, mut calls) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, block, after)) = next_block(rest) {
        words.push_str(before);
        match calls_in(block) {
            Some(found) => calls.extend(found),
            None => words.push_str(rest.get(before.len()..rest.len() - after.len()).unwrap_or_default()),
        }
        rest = after;
    }
    words.push_str(rest);
    let words = words.trim();
    let all = calls_in(words).filter(|_| calls.is_empty());
    match all {
        Some(calls) => AgentMessage { calls, ..AgentMessage::default() },
        None => AgentMessage { text: (!words.is_empty()).then(|| words.to_owned()), calls, tokens: None },
    }
}

/// The text before the next fenced block, what stands in it, and what comes after; a block may lack its end.
fn next_block(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("```")?;
    let (block, after) = rest.split_once("```").unwrap_or((rest, ""));
    let block = block.strip_prefix("json").unwrap_or(block);
    Some((before, block.trim(), after))
}

/// The calls that a JSON text makes; nothing when it makes none.
fn calls_in(block: &str) -> Option<Vec<ToolCall>> {
    match arguments::read(block) {
        Ok(map) => match map.get("calls") {
            Some(Value::Array(calls)) if !calls.is_empty() => {
                calls.iter().map(|call| call_of(call.as_object()?)).collect()
            }
            Some(_) => None,
            None => Some(vec![call_of(&map)?]),
        },
        Err(_) => {
            if let Ok(Value::Array(calls)) = serde_json::from_str(block) {
                return calls
                    .iter()
                    .map(|call| call_of(call.as_object()?))
                    .collect::<Option<Vec<_>>>()
                    .filter(|calls| !calls.is_empty());
            }
            // A call that is cut off or has a key twice is a call all the same: the model is told what is wrong.
            let name = block.starts_with('{').then(|| text_after(block, "\"tool\""))??;
            Some(vec![ToolCall::new(name, Value::from(block))])
        }
    }
}

fn call_of(map: &Map<String, Value>) -> Option<ToolCall> {
    let name = ["tool", "name"].iter().find_map(|key| map.get(*key)?.as_str())?;
    let arguments = ["arguments", "parameters"].iter().find_map(|key| map.get(*key));
    let extra = map.keys().any(|key| !["tool", "name", "arguments", "parameters"].contains(&key.as_str()));
    let arguments = match arguments {
        Some(Value::String(text)) => arguments::read(text).map_or_else(|_| Value::from(text.as_str()), Value::Object),
        Some(other) => other.clone(),
        None => Value::Object(Map::new()),
    };
    (!extra).then(|| ToolCall::new(name, arguments))
}

fn text_after(block: &str, key: &str) -> Option<String> {
    let (_, rest) = block.split_once(key)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, arguments: Value) -> ToolCall {
        ToolCall::new(tool, arguments)
    }

    #[test]
    fn a_block_is_a_call_and_the_rest_is_words() {
        let read = read(
            "Let me look.\n```json\n{\"calls\": [{\"tool\": \"find\", \"arguments\": {\"a\": 1}}, {\"tool\": \"now\"}]}\n```\n",
        );
        assert_eq!(read.text.as_deref(), Some("Let me look."));
        assert_eq!(read.calls, [call("find", json!({"a": 1})), call("now", json!({}))]);
    }

    #[test]
    fn other_forms_are_calls_too() {
        let one = [call("find", json!({"a": 1}))];
        for text in [
            "```\n{\"tool\": \"find\", \"arguments\": {\"a\": 1}}\n```",
            "```json\n{\"name\": \"find\", \"parameters\": {\"a\": 1}}\n```",
            "```json\n[{\"name\": \"find\", \"arguments\": \"{\\\"a\\\": 1}\"}]\n```",
            "{\"name\": \"find\", \"arguments\": {\"a\": 1}}",
            "```json\n{\"name\": \"find\", \"arguments\": {\"a\": 1}}",
        ] {
            assert_eq!(read(text), AgentMessage { calls: one.to_vec(), ..AgentMessage::default() }, "{text}");
        }
    }

    #[test]
    fn what_is_no_call_is_words() {
        for text in [
            "Done.",
            "Look:\n```json\n{\"total\": 3}\n```\nThat is all.",
            "```\nplain\n```",
            "{\"name\": \"Ann\", \"age\": 3}",
        ] {
            let read = read(text);
            assert_eq!((read.text.as_deref(), read.calls.len()), (Some(text), 0), "{text}");
        }
        assert_eq!(read("```json\n{\"calls\": []}\n```").calls.len(), 0);
    }

    #[test]
    fn a_cut_off_call_is_one_that_is_refused() {
        let read = read("```json\n{\"tool\": \"find\", \"arguments\": {\"a\": \"x");
        assert_eq!(read.calls, [call("find", json!("{\"tool\": \"find\", \"arguments\": {\"a\": \"x"))]);
    }
}
