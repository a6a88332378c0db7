//! JSON as logs have it: read leniently, and taken apart without reading it.

use std::borrow::Cow;

use probity_wire::lenient;
use serde_json::Value;

/// How deep arguments and observations are kept as JSON; deeper ones stand as text.
const MAX_DEPTH: usize = 48;
/// How often a text is unwrapped that is JSON within JSON.
const MAX_WRAPS: usize = 3;

/// Reads a value as leniently as all that comes from outside.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    lenient::read(bytes).map(|read| read.value)
}

/// A text that is a JSON object or list, or such a text once more in quotation marks.
pub(crate) fn embedded(text: &str) -> Option<Value> {
    let mut value = Cow::Borrowed(text);
    for _ in 0..MAX_WRAPS {
        if !value.trim_start().starts_with(['{', '[', '"']) {
            return None;
        }
        match parse(value.trim().as_bytes()).ok()? {
            Value::String(inner) => value = Cow::Owned(inner),
            found => return Some(found),
        }
    }
    None
}

/// The value itself, or what its text holds.
pub(crate) fn opened(value: &Value) -> Cow<'_, Value> {
    match value.as_str().and_then(embedded) {
        Some(found) => Cow::Owned(found),
        None => Cow::Borrowed(value),
    }
}

/// The value that a text holds, be it a text in quotation marks; numbers and words stay as they are written.
pub(crate) fn decoded(value: &Value) -> Value {
    let text = value.as_str().filter(|text| text.trim_start().starts_with(['{', '[', '"']));
    text.and_then(|text| parse(text.trim().as_bytes()).ok()).unwrap_or_else(|| value.clone())
}

/// A value, as text if it is nested too deep to be written and read again.
pub(crate) fn bounded(value: Value) -> Value {
    if is_within(&value, MAX_DEPTH) { value } else { Value::String(value.to_string()) }
}

fn is_within(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(|item| is_within(item, depth - 1)),
        Value::Object(map) => depth > 0 && map.values().all(|item| is_within(item, depth - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// A value's text under the first of these keys that has one.
pub(crate) fn text<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| value.get(key)?.as_str())
}

/// The first of these keys that is there and not null.
pub(crate) fn field<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().find_map(|key| value.get(key).filter(|value| !value.is_null()))
}

/// A name that may be written as a number.
pub(crate) fn name(value: &Value, keys: &[&str]) -> Option<String> {
    match field(value, keys)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The first place from `at` on that is no blank.
pub(crate) fn skip_blank(bytes: &[u8], at: usize) -> usize {
    skip(bytes, at, |byte| byte.is_ascii_whitespace())
}

/// The same for commas as well, which some leave between values.
pub(crate) fn skip_between(bytes: &[u8], at: usize) -> usize {
    skip(bytes, at, |byte| byte.is_ascii_whitespace() || byte == b',')
}

fn skip(bytes: &[u8], at: usize, is_passed: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !is_passed(*byte)).unwrap_or(rest.len())
}

/// Where the value that begins at `at` ends; nothing where the text ends first.
pub(crate) fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let first = *rest.first()?;
    if !matches!(first, b'{' | b'[' | b'"') {
        let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b':') || byte.is_ascii_whitespace();
        return Some(at + rest.iter().position(is_end).unwrap_or(rest.len()).max(1));
    }
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (passed, byte) in rest.iter().enumerate() {
        match (in_string, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (true, b'"') => in_string = false,
            (false, b'"') => in_string = true,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 && !in_string {
            return Some(at + passed + 1);
        }
    }
    None
}

/// A key of an object with the place of its value; without an end where the text ends first.
pub(crate) struct Member {
    pub key: String,
    pub start: usize,
    pub end: Option<usize>,
}

/// The keys of the object that begins at `at`; as many as can be made out.
pub(crate) fn members(bytes: &[u8], at: usize) -> Vec<Member> {
    let (mut found, mut at) = (Vec::new(), at + 1);
    loop {
        let key_start = skip_between(bytes, at);
        let Some(key_end) = end(bytes, key_start).filter(|_| bytes.get(key_start) == Some(&b'"')) else { break };
        let Ok(Value::String(key)) = parse(bytes.get(key_start..key_end).unwrap_or_default()) else { break };
        let colon = skip_blank(bytes, key_end);
        if bytes.get(colon) != Some(&b':') {
            break;
        }
        let start = skip_blank(bytes, colon + 1);
        let end = end(bytes, start);
        found.push(Member { key, start, end });
        match end {
            Some(end) if start < bytes.len() => at = end,
            _ => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_opened_as_often_as_it_was_wrapped_within_reason() {
        assert_eq!(embedded(r#" {"a":1} "#).unwrap()["a"], 1);
        assert_eq!(embedded(r#""{\"a\":1}""#).unwrap()["a"], 1);
        assert!(embedded("12").is_none() && embedded("open").is_none() && embedded("\"open\"").is_none());
    }

    #[test]
    fn ends_are_found_without_reading() {
        for (text, wanted) in [(r#"{"}\"":[1]} x"#, Some(11)), ("12,", Some(2)), ("[[]", None), ("\"a", None)] {
            assert_eq!(end(text.as_bytes(), 0), wanted, "{text}");
        }
        let keys = |text: &str| members(text.as_bytes(), 0).into_iter().map(|m| (m.key, m.end)).collect::<Vec<_>>();
        assert_eq!(keys(r#"{"a" : 1, "b":[2"#), [("a".to_owned(), Some(8)), ("b".to_owned(), None)]);
        assert_eq!(keys("{"), []);
    }

    #[test]
    fn what_is_too_deep_to_be_written_stands_as_text() {
        let deep = "[".repeat(60) + &"]".repeat(60);
        assert_eq!(bounded(parse(deep.as_bytes()).unwrap()), Value::String(deep));
    }
}
