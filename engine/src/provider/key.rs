//! The key of a provider: it can be sent, and taken out of texts, but not printed.

use std::fmt;

/// What stands in texts where a key was.
const BLOT: &str = "[key]";
/// Keys shorter than this are not looked for: they could stand in any text by chance.
const SHORTEST: usize = 6;

/// A secret.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key, without the white space around it.
    ///
    /// # Errors
    /// It is empty, or no header can hold it.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(ApiKey(text.to_owned())),
            false => Err("the key is empty or holds characters that no header can hold".to_owned()),
        }
    }

    /// The header that carries it.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// The text without the key, for servers that say back what they were sent.
    pub fn blot(&self, text: &str) -> String {
        match self.0.len() < SHORTEST {
            true => text.to_owned(),
            false => text.replace(&self.0, BLOT),
        }
    }
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
        assert!(ApiKey::new("").is_err());
        assert!(ApiKey::new("a\nb").is_err());
    }
}
