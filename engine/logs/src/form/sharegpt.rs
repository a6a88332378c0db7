//! `sharegpt`: conversations of `from` and `value`, with the calls of LLaMA-Factory, Hermes and ToolACE. Calls have no
//! ids; results follow in order.

use serde_json::{Map, Value};

use crate::call::{Called, answered, called};
use crate::dialogue::Arguments;
use crate::draft::{Draft, Speaker};
use crate::form::chat;
use crate::json;
use crate::pairing::Side;
use crate::unread::Unit;

/// Reads a conversation.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    let value = &unit.value;
    chat::about(draft, value);
    let (pointer, list) = match value.get("conversations") {
        Some(list) => ("/conversations", list),
        None => ("", value),
    };
    pointer.clone_into(&mut draft.list);
    let Some(list) = list.as_array() else {
        return draft.unread_at(
            pointer,
            "this is no list of messages",
            "`conversations` is a list of `from` and `value`",
        );
    };
    for (at, message) in list.iter().enumerate() {
        turn(draft, at, message);
    }
}

fn turn(draft: &mut Draft, at: usize, message: &Value) {
    let said = message.get("value").unwrap_or(&Value::Null);
    match json::text(message, &["from", "role"]).unwrap_or_default() {
        "system" => draft.say(Speaker::System, at, said),
        "human" | "user" => draft.say(Speaker::User, at, said),
        "gpt" | "assistant" | "chatgpt" | "bing" | "model" => spoken(draft, at, said),
        "function_call" | "tool_call" | "function-call" => {
            if !calls(draft, at, said) {
                draft.unread(at, "this is no call", "a call is JSON with a `name` and `arguments`");
            }
        }
        "observation" | "tool" | "function_response" | "function-response" | "tool_response" => {
            results(draft, at, said)
        }
        "" => draft.unread(at, "this message has no `from`", "say whose it is: `human`, `gpt`, `function_call`"),
        other => {
            let what = format!("nobody knows who `{}` is", other.chars().take(40).collect::<String>());
            draft.unread(at, what, "`from` is `human`, `gpt`, `function_call`, `observation` or `system`");
        }
    }
}

/// The agent's words: some calls stand among them, between tags or in brackets.
fn spoken(draft: &mut Draft, at: usize, said: &Value) {
    let Some(text) = said.as_str() else { return draft.say(Speaker::Agent, at, said) };
    if let Some(made) = bracketed(text) {
        return made.into_iter().for_each(|call| draft.call(Side::Agent, at, call));
    }
    let (words, tagged) = tagged(text, "<tool_call>", "</tool_call>");
    draft.say(Speaker::Agent, at, &Value::String(words));
    for call in tagged {
        if !calls(draft, at, &Value::String(call)) {
            draft.unread(at, "this is no call", "a call is JSON with a `name` and `arguments`");
        }
    }
}

fn calls(draft: &mut Draft, at: usize, said: &Value) -> bool {
    let value = json::opened(said);
    let list = value.as_array().map_or(std::slice::from_ref(value.as_ref()), Vec::as_slice);
    let made: Option<Vec<Called>> = list.iter().map(called).collect();
    let made = made.filter(|made| !made.is_empty());
    let is_read = made.is_some();
    made.into_iter().flatten().for_each(|call| draft.call(Side::Agent, at, call));
    is_read
}

fn results(draft: &mut Draft, at: usize, said: &Value) {
    let (_, tagged) = tagged(said.as_str().unwrap_or_default(), "<tool_response>", "</tool_response>");
    if !tagged.is_empty() {
        tagged.into_iter().for_each(|text| result(draft, at, &Value::String(text)));
        return;
    }
    // ToolACE has one list for the results of several calls: `[{"name": .., "results": ..}]`.
    let value = json::opened(said);
    let named = value.as_array().filter(|list| {
        !list.is_empty()
            && list
                .iter()
                .all(|item| json::field(item, &["name"]).is_some() && json::field(item, &["results"]).is_some())
    });
    match named {
        Some(list) => list.iter().for_each(|item| result(draft, at, item.get("results").unwrap_or(&Value::Null))),
        None => result(draft, at, said),
    }
}

fn result(draft: &mut Draft, at: usize, content: &Value) {
    let mut holder = Map::new();
    holder.insert("content".to_owned(), content.clone());
    draft.result(Side::Agent, at, answered(&Value::Object(holder)));
}

/// A text without what stands between tags, and that.
fn tagged(text: &str, open: &str, close: &str) -> (String, Vec<String>) {
    let (mut words, mut found, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, behind)) = rest.split_once(open) {
        let (inner, after) = behind.split_once(close).unwrap_or((behind, ""));
        words.push_str(before);
        found.push(inner.trim().to_owned());
        rest = after;
    }
    words.push_str(rest);
    (words.trim().to_owned(), found)
}

/// Calls of ToolACE: `[get_booking(id="K7", nights=2), list_rooms()]`, and nothing else.
fn bracketed(text: &str) -> Option<Vec<Called>> {
    let mut rest = text.trim().strip_prefix('[')?;
    let mut made = Vec::new();
    loop {
        let (name, inner) = rest.split_once('(')?;
        let name = name.trim();
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ' ' | '/'));
        if !is_name {
            return None;
        }
        let (arguments, after) = named_values(inner)?;
        made.push(Called { id: None, tool: name.to_owned(), arguments: Arguments::Named(arguments) });
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (after.trim_end() == "]").then_some(made),
        }
    }
}

/// `id="K7", nights=2)`, and what follows.
fn named_values(text: &str) -> Option<(Map<String, Value>, &str)> {
    let (mut map, mut rest) = (Map::new(), text.trim_start());
    loop {
        if let Some(after) = rest.strip_prefix(')') {
            return Some((map, after));
        }
        let (name, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let length = value_length(behind)?;
        let (value, after) = behind.split_at_checked(length)?;
        map.insert(name.trim().to_owned(), literal(value.trim()));
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
}

/// How far a value goes: to the comma or bracket that ends it.
fn value_length(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut is_escaped) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ',' | ')') if depth == 0 => return Some(at),
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    None
}

/// A value as Python or JSON writes it; what is neither stays a text.
fn literal(text: &str) -> Value {
    match text {
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        "None" => Value::Null,
        _ => json::parse(text.as_bytes())
            .or_else(|_| json::parse(text.replace('\'', "\"").as_bytes()))
            .map_or_else(|_| Value::String(text.to_owned()), json::bounded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_in_brackets_are_read_and_words_in_brackets_are_not() {
        let read = |text: &str| {
            let made = bracketed(text)?;
            Some(made.into_iter().map(|call| json!([call.tool, call.arguments])).collect::<Vec<_>>())
        };
        let two = read(r#"[get_booking(id="K7", nights=2), Find Rooms(near={'a': [1, 2]}, open=True)]"#);
        let wanted = vec![
            json!(["get_booking", {"id": "K7", "nights": 2}]),
            json!(["Find Rooms", {"near": {"a": [1, 2]}, "open": true}]),
        ];
        assert_eq!(two, Some(wanted));
        assert_eq!(read("[list_rooms()]"), Some(vec![json!(["list_rooms", {}])]));
        for words in ["[laughs]", "It is open.", "[see (a) and (b)]", "[f(a=1", "[f(a)]", ""] {
            assert_eq!(read(words), None, "{words}");
        }
    }
}
