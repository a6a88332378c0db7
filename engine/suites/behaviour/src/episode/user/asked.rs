//! Words by which the contract user knows what is spoken of, read from `asked.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskedWords {
    price: Vec<String>,
    kin: Vec<String>,
    family: Vec<String>,
    anaphor: Vec<String>,
    giving_up: Vec<String>,
    soonest: Vec<String>,
    /// What stands before a thing that is set aside.
    pub(super) contrast: Vec<String>,
}

pub(super) static ASKED: LazyLock<AskedWords> =
    LazyLock::new(|| toml::from_str(include_str!("asked.toml")).unwrap_or_default());

impl AskedWords {
    /// Whether what something costs is asked with this word.
    pub(super) fn is_price(&self, word: &str) -> bool {
        self.price.iter().any(|known| known == word)
    }

    /// Whether this is somebody of the user's family.
    pub(super) fn is_kin(&self, word: &str) -> bool {
        self.kin.iter().any(|known| known == word)
    }

    /// Whether this points to something named before.
    pub(super) fn is_anaphor(&self, word: &str) -> bool {
        self.anaphor.iter().any(|known| known == word)
    }

    /// Whether words are about ending something, in other words than a tool has.
    pub(super) fn gives_up(&self, text: &str) -> bool {
        self.giving_up.iter().any(|phrase| text.contains(phrase.as_str()))
    }

    /// Whether this asks for the first of several.
    pub(super) fn is_soonest(&self, word: &str) -> bool {
        self.soonest.iter().any(|known| known == word)
    }

    /// Whether people of one family share this field.
    pub(super) fn is_of_family(&self, field: &str) -> bool {
        let first = field.split(|c: char| !c.is_lowercase()).next().unwrap_or_default();
        self.family.iter().any(|known| known == first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_read() {
        assert!(ASKED.is_price("fee") && ASKED.is_kin("twin") && !ASKED.is_kin("fee") && ASKED.is_anaphor("him"));
        assert!(ASKED.is_of_family("last_name") && ASKED.is_of_family("lastName") && !ASKED.is_of_family("name"));
    }
}
