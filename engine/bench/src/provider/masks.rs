//! The keys that were seen on their way, taken out of whatever is written down.

use std::collections::BTreeMap;

use serde_json::Value;

use super::key::ApiKey;

/// Keys that are known at the same time; the oldest are as good as any to be forgotten.
const MOST: usize = 64;
/// Pieces of headers and of a query that are taken for keys at most.
const PIECES: usize = 16;
/// Shorter pieces are words, such as `Bearer`.
const SHORTEST: usize = 8;
/// Words in names of headers, of parameters of a query and of settings under which keys stand.
const NAMES: [&str; 8] = ["key", "token", "secret", "auth", "password", "cookie", "credential", "signature"];
/// Keys of messages that are no words of theirs.
const LABELS: [&str; 3] = ["type", "role", "id"];

/// Keys by their texts.
#[derive(Default)]
pub struct Masks {
    keys: BTreeMap<String, ApiKey>,
}

impl Masks {
    /// Learns the keys of a request from the names and values of its headers, and from its query.
    ///
    /// # Errors
    /// One of them cannot be looked for, so that nothing that was sent with it may be written down.
    pub fn learn<'a>(
        &mut self,
        headers: impl Iterator<Item = (&'a str, &'a [u8])>,
        query: &str,
    ) -> Result<(), &'static str> {
        let secrets = headers.filter(|(name, _)| is_secret(name)).map(|(_, value)| String::from_utf8_lossy(value));
        let secrets: Vec<String> = secrets.map(std::borrow::Cow::into_owned).chain(of_query(query)).collect();
        let pieces = secrets.iter().flat_map(|secret| secret.split([' ', ',', ';'])).filter(|it| it.len() >= SHORTEST);
        for (number, piece) in pieces.enumerate() {
            if number >= PIECES {
                return Err("it came with too many keys");
            }
            if self.keys.contains_key(piece) {
                continue;
            }
            let key = ApiKey::new(piece).map_err(|_| "it came with a key that cannot be looked for")?;
            if self.keys.len() >= MOST {
                self.keys.pop_first();
            }
            self.keys.insert(piece.to_owned(), key);
        }
        Ok(())
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        self.keys.values().fold(text.to_owned(), |text, key| key.blot(&text))
    }

    /// A value without them.
    ///
    /// # Errors
    /// One of them stands in it in a way in which it cannot be taken out.
    pub fn value(&self, value: &Value) -> Result<Value, &'static str> {
        const HIDDEN: &str = "a key stands in it in pieces";
        let text = self.text(&value.to_string());
        let value: Value = serde_json::from_str(&text).map_err(|_| HIDDEN)?;
        let mut words = String::new();
        leaves(&value, &mut words);
        if self.text(&words) == words { Ok(value) } else { Err(HIDDEN) }
    }
}

/// Takes settings away under whose names keys stand, such as the headers of a server of tools.
pub fn without_settings(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_settings),
        Value::Object(map) => {
            map.retain(|name, value| {
                !(name == "headers" && value.is_object()) && !(is_secret(name) && value.is_string())
            });
            map.values_mut().for_each(without_settings);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "sig" || NAMES.iter().any(|word| name.contains(word))
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
            let said = map.iter().filter(|(key, _)| !LABELS.contains(&key.as_str()));
            said.for_each(|(_, item)| leaves(item, words));
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
        let mut masks = Masks::default();
        let headers = headers.iter().map(|(name, value)| (*name, value.as_bytes()));
        masks.learn(headers, query).map(|()| masks)
    }

    #[test]
    fn keys_are_known_wherever_they_are_sent() {
        let bearer = format!("Bearer {KEY}");
        let query = format!("alt=sse&key={KEY}");
        let all = [
            masks(&[("Authorization", &bearer)], ""),
            masks(&[("X-Api-Key", KEY)], ""),
            masks(&[("x-goog-api-key", KEY)], ""),
            masks(&[], &query),
        ];
        for masks in all {
            let masks = masks.ok().unwrap();
            let said = json!({"turns": [{"role": "user", "content": format!("mine is {KEY}, the bearer of it")}]});
            let text = masks.value(&said).unwrap().to_string();
            assert!(!text.contains("bQ7w") && text.contains("mine is [key], the bearer of it"), "{text}");
            let pieces = json!([{"type": "text", "text": "sk_li-Zx9_bQ7"}, {"type": "text", "text": "w_r55L_20Pa"}]);
            assert!(masks.value(&pieces).is_err());
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
    fn settings_that_hold_keys_go_and_schemas_stay() {
        let mut tools = json!([
            {"type": "mcp", "server_url": "https://h", "authorization": "abc", "headers": {"X-Key": "abc"}},
            {"name": "log_in", "input_schema": {"properties": {"password": {"type": "string"}}}}
        ]);
        without_settings(&mut tools);
        let wanted = json!([
            {"type": "mcp", "server_url": "https://h"},
            {"name": "log_in", "input_schema": {"properties": {"password": {"type": "string"}}}}
        ]);
        assert_eq!(tools, wanted);
    }
}
