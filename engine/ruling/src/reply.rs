//! The one JSON object that a reply is or holds. What it says is hostile input: nothing in it is mended.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use probity_wire::lenient::whole_characters;

/// Longest reply with words around its object, in bytes.
const LONGEST: usize = 20_000;

/// The object that a reply is: alone, or alone in a fenced block.
/// An error: why it is none, as the model is told.
pub fn alone<T: DeserializeOwned>(reply: &str) -> Result<T, String> {
    let text = unfenced(reply.trim());
    if !text.starts_with('{') {
        return Err("it is not one JSON object alone".to_owned());
    }
    serde_json::from_str(&whole_characters(text).0).map_err(|error| format!("it cannot be read: {error}"))
}

/// The inside of a block that is the whole reply; else the reply.
fn unfenced(reply: &str) -> &str {
    let inside = reply.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(reply, |inside| inside.strip_prefix("json").unwrap_or(inside).trim())
}

/// The object that a reply holds, in a fence or among words: from its first brace to its last.
/// An error: why it is none, as the model is told: there is none, it is cut off or broken, or there are several.
pub fn among_words<T: DeserializeOwned>(reply: &str) -> Result<T, String> {
    if reply.len() > LONGEST {
        return Err(format!("it is {} bytes long, more than {LONGEST}", reply.len()));
    }
    let inside = reply.find('{').zip(reply.rfind('}')).and_then(|(first, last)| reply.get(first..=last));
    let object = inside.ok_or_else(|| "it holds no JSON object".to_owned())?;
    serde_json::from_str(object).map_err(|error| format!("it is not one JSON object: {error}"))
}

/// The keys and values of an object as they stand there: a key that is given twice is a fault to be told, not a value to
/// be lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entries(pub Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Entries, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = object.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn among(reply: &str) -> Result<Entries, String> {
        among_words(reply)
    }

    #[test]
    fn an_object_stands_alone_or_in_a_fence() {
        for reply in ["{\"a\": 1}", "\n```json\n{\"a\": 1}\n```\n", "```\n{\"a\": 1}\n```", " ```json {\"a\": 1}```"] {
            assert_eq!(alone::<Value>(reply), Ok(json!({"a": 1})), "{reply}");
        }
        for reply in ["", "I would say 4.", "[4]", "4", "```json\n```", "Here it is:\n```json\n{}\n```"] {
            assert_eq!(alone::<Value>(reply), Err("it is not one JSON object alone".to_owned()), "{reply}");
        }
        for reply in ["{}\nI hope this helps.", "{}{}"] {
            assert!(alone::<Value>(reply).unwrap_err().contains("trailing characters"), "{reply}");
        }
    }

    #[test]
    fn an_object_is_found_among_words() {
        for reply in
            ["{\"a\": 1}", "\n ```json\n{\"a\": 1}\n```\n", "```{\"a\": 1}```", "So.\n{\"a\": 1}\nThat is all."]
        {
            assert_eq!(among(reply), Ok(Entries(vec![("a".to_owned(), json!(1))])), "{reply}");
        }
        for reply in ["", "I would say 1.", "} {", "null", "[1]", "a: 1"] {
            assert_eq!(among(reply), Err("it holds no JSON object".to_owned()), "{reply}");
        }
        for reply in [
            "{\"a\": 1}\nNo, rather {\"a\": 1}",
            "{'a': 1}",
            "{\"a\": 1,}",
            "{\"a\": __import__('os').system('true')}",
            "{\"a\": NaN}",
            "{\"a\": 1e999}",
            "<think>{maybe}</think> {\"a\": 1}",
            &format!("{}{}", "{\"a\":".repeat(3000), "}".repeat(3000)),
        ] {
            assert!(among(reply).unwrap_err().starts_with("it is not one JSON object: "), "{reply}");
        }
        assert_eq!(among(&"x".repeat(20_001)), Err("it is 20001 bytes long, more than 20000".to_owned()));
    }

    #[test]
    fn a_key_that_is_given_twice_is_kept() {
        let twice = [("b", json!([1, -1])), ("a", json!("x")), ("b", json!({}))];
        let twice = twice.map(|(key, value)| (key.to_owned(), value)).to_vec();
        assert_eq!(among(r#"{"b": [1, -1], "a": "x", "b": {}}"#), Ok(Entries(twice)));
    }
}
