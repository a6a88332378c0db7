//! The keys that a request came with, taken out of whatever of it is written down.

use probity_engine::within::with_texts;
use serde_json::{Map, Value};

use super::disguise::{BLOT, Disguises};
use super::key::{LONGEST, SHORTEST};

/// Keys of one request at most.
const MOST: usize = 32;
/// Shorter pieces of what stands in a header are no keys.
const PIECE: usize = 8;
/// The last words of names of headers and of parameters under which keys stand.
const NAMES: [&str; 13] = [
    "authorization",
    "auth",
    "cookie",
    "key",
    "apikey",
    "token",
    "secret",
    "password",
    "passwd",
    "credential",
    "credentials",
    "signature",
    "sig",
];
/// Keys of messages whose values are labels of the form and no words.
const LABELS: [&str; 2] = ["type", "role"];
/// Further keys of messages that do not come between words that are said in pieces.
const BETWEEN: [&str; 1] = ["id"];
/// Why a request is not written down: a key stands in it in a way in which it cannot be taken out.
const HIDDEN: &str = "a key stands in it in pieces";

/// The keys of one request. What another one says is not touched by them.
#[derive(Default)]
pub struct Masks {
    keys: Option<Disguises>,
    /// Keys that could be words: fields may be called so, too.
    words: Option<Disguises>,
    /// Keys that are looked for as whole words only: they are too short to be told from chance.
    short: Vec<String>,
}

impl Masks {
    /// The keys of a request, from the names and values of its headers and from its query.
    ///
    /// # Errors
    /// One of them cannot be looked for, so that nothing that was sent with it may be written down.
    pub fn of<'a>(headers: impl Iterator<Item = (&'a str, &'a [u8])>, query: &str) -> Result<Masks, &'static str> {
        let mut keys = Vec::new();
        for (name, value) in headers.filter(|(name, _)| is_secret(name)) {
            let value = String::from_utf8_lossy(value);
            match last_word(name).as_str() {
                "cookie" => {
                    value.split(';').for_each(|pair| add(&mut keys, pair.split_once('=').map_or(pair, |(_, it)| it)))
                }
                _ => add(&mut keys, &value),
            }
        }
        of_query(query).for_each(|value| add(&mut keys, &value));
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > MOST {
            return Err("it came with too many keys");
        }
        let unsought = "it came with a key that cannot be looked for";
        if !keys.iter().all(|key| key.len() <= LONGEST && key.bytes().all(|byte| matches!(byte, b' '..=b'~'))) {
            return Err(unsought);
        }
        let (short, long): (Vec<String>, Vec<String>) = keys.into_iter().partition(|key| key.len() < SHORTEST);
        let (words, keys): (Vec<String>, Vec<String>) = long.into_iter().partition(|key| is_word(key));
        let sought = |keys: &[String]| match keys {
            [] => Ok(None),
            keys => Disguises::of(keys.iter().map(String::as_str)).map(Some).ok_or(unsought),
        };
        Ok(Masks { keys: sought(&keys)?, words: sought(&words)?, short })
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        let text = [&self.keys, &self.words].into_iter().flatten().fold(text.to_owned(), |text, keys| keys.blot(&text));
        self.short.iter().fold(text, |text, key| without(&text, key))
    }

    /// A message, or something else that was said, without them: the texts in it lose them, its fields and labels stay.
    ///
    /// # Errors
    /// One of them stands in it in a way in which it cannot be taken out.
    pub fn value(&self, value: &Value) -> Result<Value, &'static str> {
        let value = self.masked(value)?;
        let mut words = String::new();
        leaves(&value, &mut words);
        if self.is_free(&words) { Ok(value) } else { Err(HIDDEN) }
    }

    /// Whether none of them stands in a text that must stay as it is. Those that could be words are no matter there.
    pub fn is_free(&self, text: &str) -> bool {
        self.keys.as_ref().is_none_or(|keys| !keys.is_in(text))
    }

    fn masked(&self, value: &Value) -> Result<Value, &'static str> {
        Ok(match value {
            Value::String(text) => self.text(text).into(),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.masked(item)).collect::<Result<_, _>>()?),
            Value::Object(map) => {
                let field = |(name, value): (&String, &Value)| {
                    let label = value.as_str().filter(|_| LABELS.contains(&name.as_str()));
                    if !self.is_free(name) || label.is_some_and(|label| !self.is_free(label)) {
                        return Err(HIDDEN);
                    }
                    Ok((name.clone(), if label.is_some() { value.clone() } else { self.masked(value)? }))
                };
                Value::Object(map.iter().map(field).collect::<Result<_, _>>()?)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        })
    }
}

/// What is written down of a list of tools: what each is called, is for and takes. Where and with which keys a server of
/// tools is asked is no matter of the dialogue.
pub fn bare_tools(value: &Value) -> Value {
    const SCHEMAS: [&str; 6] =
        ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema", "schema"];
    const WITHIN: [&str; 7] =
        ["function", "toolSpec", "tool", "custom", "functionDeclarations", "function_declarations", "tools"];
    match value {
        Value::Array(items) => items.iter().map(bare_tools).collect(),
        Value::Object(map) => {
            let kept = map.iter().filter_map(|(name, value)| {
                let kept = match name.as_str() {
                    "name" | "description" | "type" if value.is_string() => without_queries(value),
                    name if SCHEMAS.contains(&name) => without_queries(value),
                    name if WITHIN.contains(&name) => bare_tools(value),
                    _ => return None,
                };
                Some((name.clone(), kept))
            });
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Value::Null,
    }
}

/// A value whose URLs bring no user and no parameters.
fn without_queries(value: &Value) -> Value {
    with_texts(value, &mut |text| bare_urls(text).into())
}

fn bare_urls(text: &str) -> String {
    let mut pieces = text.split("://");
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end =
            piece.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`')).unwrap_or(piece.len());
        let (url, behind) = piece.split_at_checked(end).unwrap_or((piece, ""));
        let url = url.split_once('?').filter(|(_, query)| query.contains('=')).map_or(url, |(url, _)| url);
        let host = url.find('/').unwrap_or(url.len());
        let user = url.get(..host).and_then(|host| host.rfind('@')).map_or(0, |at| at + 1);
        kept.extend(["://", url.get(user..).unwrap_or_default(), behind]);
    }
    kept
}

/// Adds what is secret in the value of a header: all of it but its scheme, and each long piece of it.
fn add(keys: &mut Vec<String>, value: &str) {
    let value = value.trim();
    let value = value.split_once(' ').filter(|(scheme, _)| is_word(scheme)).map_or(value, |(_, rest)| rest.trim());
    let mut pieces = value.split([' ', ',', ';']).filter(|piece| !piece.is_empty()).peekable();
    if value.len() >= PIECE || !is_word(value) {
        keys.push(value.to_owned());
    }
    if pieces.peek() != Some(&value) {
        keys.extend(pieces.filter(|piece| piece.len() >= PIECE && !is_word(piece)).map(str::to_owned));
    }
}

/// Whether it could be a word of a language, or a sign: nobody's secret unless it is long.
fn is_word(text: &str) -> bool {
    let is_lower = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_upper = text.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_title = text.starts_with(|c: char| c.is_ascii_uppercase()) && text.get(1..).is_some_and(is_lower);
    is_lower(text) || is_upper || is_title || !text.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

/// A text without a short key, where that stands as a word.
fn without(text: &str, key: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut end = 0;
    for (at, _) in text.match_indices(key) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + key.len()..).and_then(|behind| behind.chars().next());
        if ![before, behind].into_iter().flatten().any(char::is_alphanumeric) {
            kept.extend([text.get(end..at).unwrap_or_default(), BLOT]);
            end = at + key.len();
        }
    }
    kept.push_str(text.get(end..).unwrap_or_default());
    kept
}

fn is_secret(name: &str) -> bool {
    NAMES.contains(&last_word(name).as_str())
}

/// The last word of a name, in small letters: `x-api-key` and `apiKey` end alike.
fn last_word(name: &str) -> String {
    let last = name.rsplit(['-', '_', '.']).next().unwrap_or_default();
    let is_camel = last.bytes().any(|byte| byte.is_ascii_lowercase());
    let begins = last.rfind(|c: char| is_camel && c.is_ascii_uppercase()).unwrap_or_default();
    last.get(begins..).unwrap_or_default().to_ascii_lowercase()
}

/// The values of a query that are keys, as they are written there and as they are meant.
fn of_query(query: &str) -> impl Iterator<Item = String> + '_ {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(name, _)| is_secret(name));
    pairs.flat_map(|(_, value)| [value.to_owned(), super::form::unescaped(value)])
}

/// The texts of a value, one after the other.
fn leaves(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => words.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, words)),
        Value::Object(map) => {
            let is_said = |key: &str| !LABELS.contains(&key) && !BETWEEN.contains(&key);
            map.iter().filter(|(key, _)| is_said(key)).for_each(|(_, item)| leaves(item, words));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KEY: &str = "sk_li-Zx9_bQ7w_r55L_20Pa";

    fn masks(headers: &[(&str, &str)], query: &str) -> Result<Masks, &'static str> {
        Masks::of(headers.iter().map(|(name, value)| (*name, value.as_bytes())), query)
    }

    #[test]
    fn keys_are_known_wherever_they_are_sent() {
        let bearer = format!("Bearer {KEY}");
        let cookie = format!("theme=dark; session={KEY}");
        let query = format!("alt=sse&key={KEY}");
        let all = [
            masks(&[("Authorization", &bearer)], ""),
            masks(&[("X-Api-Key", KEY)], ""),
            masks(&[("x-goog-api-key", KEY)], ""),
            masks(&[("Cookie", &cookie)], ""),
            masks(&[("x-amz-security-token", KEY)], ""),
            masks(&[], &query),
            masks(&[], &query.replace("key", "accessToken")),
        ];
        for masks in all {
            let masks = masks.ok().unwrap();
            let said = json!({"turns": [{"role": "user", "content": format!("mine is {KEY}, the bearer of it")}]});
            let text = masks.value(&said).unwrap().to_string();
            assert!(!text.contains("bQ7w") && text.contains("mine is [key], the bearer of it"), "{text}");
            let pieces = json!([{"type": "text", "text": "sk_li-Zx9_bQ7"}, {"type": "text", "text": "w_r55L_20Pa"}]);
            assert!(masks.value(&pieces).is_err());
            assert!(masks.value(&json!({"content": {KEY: 1}})).is_err());
        }
        let plain =
            masks(&[("content-type", "application/json"), ("x-custom", KEY)], "api-version=2024-10-21").ok().unwrap();
        assert_eq!(plain.text("2024-10-21"), "2024-10-21");
        assert!(
            masks(&[("x-api-key", &"k".repeat(5000))], "").is_err()
                && masks(&[("x-api-key", "schlüssel")], "").is_err()
        );
    }

    #[test]
    fn a_key_takes_texts_away_and_never_what_a_message_is_made_of() {
        let said =
            json!({"role": "assistant", "type": "recorded", "content": "An exchange.", "arguments": {"exchange": 1}});
        for key in ["assistant recorded exchange", "assistant", "recorded", "arguments"] {
            let masked = masks(&[("x-api-key", key)], "").ok().unwrap().value(&said).unwrap();
            assert_eq!(masked, said, "{key}");
        }
        let masked = masks(&[("x-api-key", "exchange")], "").ok().unwrap().value(&said).unwrap();
        assert_eq!((masked["content"].as_str(), &masked["arguments"]), (Some("An [key]."), &said["arguments"]));
    }

    #[test]
    fn names_are_read_by_their_words_and_short_keys_are_keys() {
        let words = "the password of an author, 1234567 tokens, EMPTY";
        let spared = [
            ("x-author", "password"),
            ("x-token-count", "1234567"),
            ("x-monkey", "password"),
            ("authorization", "Bearer EMPTY"),
            ("x-api-key", "author"),
        ];
        for (name, value) in spared {
            assert_eq!(masks(&[(name, value)], "").ok().unwrap().text(words), words, "{name}");
        }
        for (name, value) in [("x-api-key", "pw-12"), ("authorization", "Bearer hunter2"), ("X-Goog-Api-Key", "k1")] {
            let key = value.rsplit(' ').next().unwrap();
            let masks = masks(&[(name, value)], "").ok().unwrap();
            assert_eq!(masks.text(&format!("mine is {key}.")), "mine is [key].", "{name}");
        }
        assert_eq!(masks(&[("x-api-key", "k1")], "").ok().unwrap().text("book12 ak1"), "book12 ak1");
    }

    #[test]
    fn of_tools_stays_what_they_are_and_take() {
        let tools = json!([
            {"type": "mcp", "server_url": "https://h/mcp?api_key=abcdef12", "authorization": "abcdef12",
                "headers": {"X-Key": "abcdef12"}, "env": {"DESK": "abcdef12"}, "args": ["--token", "abcdef12"]},
            {"name": "log_in", "description": "See https://me:abcdef12@h/a?key=abcdef12 (or https://h/why?).",
                "input_schema": {"properties": {"password": {"type": "string"}, "env": {"type": "string"}}}},
            {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}, "key": "abcdef12"}},
            {"functionDeclarations": [{"name": "g", "parametersJsonSchema": {"type": "object"}}]},
            {"toolSpec": {"name": "b", "inputSchema": {"json": {"type": "object"}}}}
        ]);
        let wanted = json!([
            {"type": "mcp"},
            {"name": "log_in", "description": "See https://h/a (or https://h/why?).",
                "input_schema": {"properties": {"password": {"type": "string"}, "env": {"type": "string"}}}},
            {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}},
            {"functionDeclarations": [{"name": "g", "parametersJsonSchema": {"type": "object"}}]},
            {"toolSpec": {"name": "b", "inputSchema": {"json": {"type": "object"}}}}
        ]);
        assert_eq!(bare_tools(&tools), wanted);
    }
}
