//! Calls of tools that are written out in words: `toggle_data({})`.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use probity_bench::dialogue::MAX_CALLS_PER_MESSAGE;
use probity_engine::{ToolCall, arguments};

pub fn as_words(call: &ToolCall) -> String {
    format!("{}({})", call.tool, call.arguments)
}

/// Signs of a text that are read at most.
const MOST: usize = 8_000;

/// The calls of these tools that are written in a text as `name()` or `name({"a": 1})`, in order; only its first 8,000
/// signs are read, and as many calls as a message may have.
pub fn calls_in(text: &str, tools: &[String]) -> Vec<ToolCall> {
    let text: String = text.chars().take(MOST).collect();
    let mut found: Vec<(usize, ToolCall)> = Vec::new();
    for tool in tools {
        for (at, _) in text.match_indices(&format!("{tool}(")) {
            let is_whole = !text.get(..at).is_some_and(|before| before.ends_with(is_of_a_name));
            let inside = text.get(at + tool.len() + 1..).unwrap_or_default();
            if let (true, Some(arguments)) = (is_whole, written(inside)) {
                let call = ToolCall::new(tool.as_str(), Value::Object(arguments));
                found.extend(call.is_within_limits().then_some((at, call)));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, call)| call).take(MAX_CALLS_PER_MESSAGE).collect()
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
    let mut values = serde_json::Deserializer::from_str(inside).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let (object, rest) = inside.split_at_checked(values.byte_offset())?;
    rest.trim_start().starts_with(')').then(|| arguments::read(object).ok()).flatten()
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

    #[test]
    fn what_is_too_deep_too_long_or_too_much_is_not_read() {
        let tools = ["turn".to_owned()];
        let deep = format!("turn({{\"a\": {}1{}}})", "[".repeat(123), "]".repeat(123));
        let late = format!("{}turn()", " ".repeat(MOST));
        assert_eq!((calls_in(&deep, &tools), calls_in(&late, &tools)), (Vec::new(), Vec::new()));
        assert_eq!(calls_in(&"turn() ".repeat(1000), &tools).len(), MAX_CALLS_PER_MESSAGE);
    }
}
