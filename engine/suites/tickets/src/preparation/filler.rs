//! Messages that say nothing, which a ticket is easier to read without (paper, 3.1).

use std::collections::BTreeSet;

use super::turns::Recorded;

/// What people say without saying anything, normalised.
const USUAL: [&str; 14] = [
    "ok",
    "okay",
    "hi",
    "hello",
    "are you there",
    "one moment",
    "one moment please",
    "please wait",
    "just a moment",
    "thanks",
    "thank you",
    "hm",
    "yes",
    "sure",
];

/// Texts that are dropped wherever they are all that is said.
#[derive(Clone, Debug)]
pub struct Fillers(BTreeSet<String>);

impl Default for Fillers {
    fn default() -> Self {
        Fillers(USUAL.into_iter().map(str::to_owned).collect())
    }
}

impl Fillers {
    /// These texts and no others.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Fillers {
        Fillers(texts.into_iter().map(normalised).filter(|text| !text.is_empty()).collect())
    }

    /// Whether a message says nothing. One with a digit, an address or a question never does, nor one with calls.
    pub(super) fn holds(&self, message: &Recorded) -> bool {
        let Some(text) = message.text.as_deref().filter(|_| message.calls.is_empty() && message.answers.is_none())
        else {
            return false;
        };
        let tells = text.chars().any(|c| c.is_numeric()) || text.contains("://") || text.contains(['?', '？']);
        !tells && self.0.contains(&normalised(text))
    }
}

/// Lower case, letters and single spaces.
fn normalised(text: &str) -> String {
    let letters: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    letters.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
