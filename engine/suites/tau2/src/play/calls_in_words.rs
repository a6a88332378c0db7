//! Calls of tools that are written out in words: `toggle_data({})`.

use serde_json::{Map, Value};

use probity_engine::{ToolCall, arguments};

/// A call in words.
pub fn as_words(call: &ToolCall) -> String {
    format!("{}({})", call.tool, call.arguments)
}

/// The calls of these tools that are written in a text as `name()` or `name({"a": 1})`, in order.
pub fn calls_in(text: &str, tools: &[String]) -> Vec<ToolCall> {
    let mut found: Vec<(usize, ToolCall)> = Vec::new();
    for tool in tools {
        for (at, _) in text.match_indices(&format!("{tool}(")) {
            let is_whole = !text.get(..at).is_some_and(|before| before.ends_with(is_of_a_name));
            let inside = text.get(at + tool.len() + 1..).unwrap_or_default();
            if let (true, Some(arguments)) = (is_whole, written(inside)) {
                found.push((at, ToolCall::new(tool.as_str(), Value::Object(arguments))));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, call)| call).collect()
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The arguments before the bracket that closes a call.
fn written(inside: &str) -> Option<Map<String, Value>> {
    let inside = inside.trim_start();
    if inside.starts_with(')') {
        return Some(Map::new());
    }
    // An object ends at the first brace behind which the bracket closes.
    inside
        .match_indices('}')
        .map(|(at, _)| inside.split_at(at + 1))
        .find_map(|(object, rest)| rest.trim_start().starts_with(')').then(|| arguments::read(object).ok()).flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_read_as_they_are_written() {
        let tools = ["turn".to_owned(), "pick".to_owned()];
        let call = ToolCall::new("pick", json!({"jar": {"id": "a)}"}, "n": 2}));
        let text = format!("Please do this: {}. Then turn(), not return(), turn or turn(now).", as_words(&call));
        assert_eq!(calls_in(&text, &tools), [call, ToolCall::new("turn", json!({}))]);
    }
}
