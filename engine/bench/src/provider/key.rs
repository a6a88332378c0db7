//! The key of a provider: it can be sent, and taken out of texts, but not printed.

use std::fmt;

use regex::Regex;

/// What stands in texts where a key was.
const BLOT: &str = "[key]";
/// Keys shorter than this are not looked for: they could stand in any text by chance.
const SHORTEST: usize = 6;

/// A secret.
#[derive(Clone)]
pub struct ApiKey {
    text: String,
    /// How it stands in texts; nothing for one that is too short to be looked for.
    traces: Option<Regex>,
}

impl ApiKey {
    /// A key, without the white space around it.
    ///
    /// # Errors
    /// It is empty, or no header can hold it.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(ApiKey { text: text.to_owned(), traces: traces(text)? }),
            false => Err("the key is empty or holds characters that no header can hold".to_owned()),
        }
    }

    /// The header that carries it.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.text)
    }

    /// The text without the key, for servers that say back what they were sent.
    pub fn blot(&self, text: &str) -> String {
        self.traces.as_ref().map_or_else(|| text.to_owned(), |traces| traces.replace_all(text, BLOT).into_owned())
    }
}

/// The key as it is and as JSON may escape it, JSON within JSON included: `\\/`, `\\u002f`, `\\\\/`.
fn traces(key: &str) -> Result<Option<Regex>, String> {
    let way = |c: char| {
        let plain = regex::escape(&c.to_string());
        let slashes = if c.is_ascii_alphanumeric() { "" } else { r"\\*" };
        format!(r"(?:{slashes}{plain}|\\+u(?i:{:04x}))", u32::from(c))
    };
    let pattern = (key.len() >= SHORTEST).then(|| Regex::new(&key.chars().map(way).collect::<String>()));
    pattern.transpose().map_err(|_| "the key is too long".to_owned())
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(BLOT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new(" sk-abcdef \n").unwrap();
        assert_eq!(format!("{key:?}"), "[key]");
        assert_eq!(key.blot("wrong key sk-abcdef!"), "wrong key [key]!");
        assert_eq!(key.header(), "Bearer sk-abcdef");
        let key = ApiKey::new("sk/ab+c\\d\"e").unwrap();
        let json = serde_json::json!({"arguments": serde_json::json!({"k": "sk/ab+c\\d\"e"}).to_string()}).to_string();
        for text in [r#"<sk/ab+c\d"e>"#, r#"<sk\/ab+c\\d\"e>"#, r#"<\u0073k\u002Fab\u002bc\\d\u0022e>"#, &json] {
            let blotted = key.blot(text);
            assert!(blotted.contains(BLOT) && !blotted.contains("ab"), "{text}: {blotted}");
        }
        assert!(ApiKey::new("").is_err());
        assert!(ApiKey::new("a\nb").is_err());
    }
}
