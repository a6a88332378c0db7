//! The key of a provider: it can be sent, and taken out of texts, but not printed.

use std::fmt;
use std::sync::Arc;

use super::disguise::{BLOT, Disguises};

/// Keys shorter than this are not looked for: they could stand in any text by chance.
pub(super) const SHORTEST: usize = 6;
/// Characters of a key at most.
pub(super) const LONGEST: usize = 4096;

/// A secret.
#[derive(Clone)]
pub struct ApiKey {
    text: String,
    /// How it stands in texts; nothing for one that is too short to be looked for.
    disguises: Option<Arc<Disguises>>,
}

impl ApiKey {
    /// A key, without the white space around it.
    ///
    /// # Errors
    /// It is empty or too long, or no header can hold it.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the key is empty or holds characters that no header can hold".to_owned());
        }
        if text.len() > LONGEST {
            return Err(format!("the key has more than {LONGEST} characters"));
        }
        ApiKey::of_text(text).ok_or_else(|| "the key cannot be looked for".to_owned())
    }

    /// Any other text that must not be told; nothing of one that cannot be looked for: it is too long, or no ASCII.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        if text.len() > LONGEST || !text.is_ascii() {
            return None;
        }
        let is_long = text.len() >= SHORTEST;
        let disguises = if is_long { Some(Arc::new(Disguises::of([text])?)) } else { None };
        Some(ApiKey { text: text.to_owned(), disguises })
    }

    /// What stands in the header of this name.
    pub(super) fn header(&self, name: &str) -> String {
        if name == "authorization" { format!("Bearer {}", self.text) } else { self.text.clone() }
    }

    /// The text without the key, in whatever form, for those who say back what they were sent.
    pub(crate) fn blot(&self, text: &str) -> String {
        self.disguises.as_ref().map_or_else(|| text.to_owned(), |disguises| disguises.blot(text))
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(BLOT)
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
