//! The record of one utterance: said, spoken, heard, and every edit between the last two; how bad the line was, and the
//! unit of every rate and confidence.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::confusion::TokenClass;
use probity_bench::named;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mishearing {
    /// Index of the token among the spoken words, from 0.
    pub token: usize,
    /// The class whose rate struck.
    pub class: TokenClass,
    /// The token as it was spoken.
    pub said: String,
    /// The words it was heard as, with single spaces; empty when it was lost.
    pub heard: String,
    /// Whether it ran into the next word that is heard: "dot brown" as "dotbrown".
    pub is_joined: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeardWord {
    pub text: String,
    /// How sure the recogniser is of it; see [`NoiseChannel`](super::NoiseChannel).
    pub confidence: Permille,
}

/// What became of one utterance on its way through the noise channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hearing {
    pub level: NoiseLevel,
    pub said: String,
    /// Its spoken form, tokens with single spaces between; at level `off` the text itself.
    pub spoken: String,
    pub heard: String,
    /// Every difference between `spoken` and `heard`, in the order of the tokens.
    pub mishearings: Vec<Mishearing>,
    /// The mean confidence over the spoken tokens, lost ones included; 1000 when nothing was said.
    pub confidence: Permille,
    /// The words of `heard`, each with its confidence.
    pub words: Vec<HeardWord>,
}

impl Hearing {
    /// What is heard when the recorded edits are applied to the spoken form: equal to `heard` in every true record.
    /// `None` when an edit does not fit: no such token, another token there, or out of order.
    pub fn replay(&self) -> Option<String> {
        let mut edits = self.mishearings.iter().peekable();
        let mut told = Vec::new();
        for (index, token) in self.spoken.split(' ').enumerate() {
            let edit = edits.next_if(|edit| edit.token == index);
            if edit.is_some_and(|edit| edit.said != token) {
                return None;
            }
            told.push((token, edit, Permille::ALL));
        }
        let is_all_used = edits.next().is_none();
        is_all_used.then(|| text_of(&heard_words(told)))
    }
}

/// Applies edits to tokens: the words that are heard. A word made of two tokens has the lower of their confidences.
pub(crate) fn heard_words<'a>(
    tokens: impl IntoIterator<Item = (&'a str, Option<&'a Mishearing>, Permille)>,
) -> Vec<HeardWord> {
    let mut words: Vec<HeardWord> = Vec::new();
    let mut is_joined = false;
    for (token, edit, confidence) in tokens {
        let heard = edit.map_or(token, |edit| edit.heard.as_str());
        if edit.is_some() && heard.is_empty() {
            continue;
        }
        for text in heard.split(' ') {
            match words.last_mut().filter(|_| is_joined) {
                Some(last) => {
                    last.text.push_str(text);
                    last.confidence = last.confidence.min(confidence);
                }
                None => words.push(HeardWord { text: text.to_owned(), confidence }),
            }
            is_joined = false;
        }
        is_joined = edit.is_some_and(|edit| edit.is_joined);
    }
    words
}

pub(crate) fn text_of(words: &[HeardWord]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum NoiseLevel {
        /// Text mode: what is heard is what was said, letter for letter.
        Off = "off",
        /// Like the better of the two measured voices (flite).
        Mild = "mild",
        /// Like the worse of them (espeak-ng).
        Strong = "strong",
    }
}

impl NoiseLevel {
    /// The noisy levels up to this one, the weakest first: an edit is decided at the weakest level that makes it.
    pub(crate) fn steps(self) -> &'static [NoiseLevel] {
        match self {
            NoiseLevel::Off => &[],
            NoiseLevel::Mild => &[NoiseLevel::Mild],
            NoiseLevel::Strong => &[NoiseLevel::Mild, NoiseLevel::Strong],
        }
    }
}

impl FromStr for NoiseLevel {
    type Err = UnknownNoiseLevel;

    fn from_str(text: &str) -> Result<Self, UnknownNoiseLevel> {
        NoiseLevel::from_name(text).ok_or_else(|| UnknownNoiseLevel(text.to_owned()))
    }
}

/// A word that names no [`NoiseLevel`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown noise level `{0}`: off, mild or strong")]
pub struct UnknownNoiseLevel(String);

/// A share in whole thousandths, 0 to 1000; whole, so that no platform rounds it differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct Permille(u16);

impl Permille {
    /// 1000: all of it.
    pub const ALL: Permille = Permille(1000);
    /// 0: nothing of it.
    pub const NONE: Permille = Permille(0);

    /// So many thousandths; more than 1000 counts as 1000.
    pub const fn new(thousandths: u16) -> Self {
        if thousandths > 1000 { Permille::ALL } else { Permille(thousandths) }
    }

    pub(crate) const fn thousandths(self) -> u16 {
        self.0
    }

    /// The same as a fraction from 0 to 1, e.g. to compare it with a threshold.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The share that is left: 1000 less this.
    pub(crate) fn rest(self) -> Permille {
        Permille(1000 - self.0)
    }

    /// This share of another, rounded down.
    pub(crate) fn times(self, other: Permille) -> Permille {
        let product = u32::from(self.0) * u32::from(other.0) / 1000;
        Permille::new(u16::try_from(product).unwrap_or(u16::MAX))
    }
}

impl TryFrom<u16> for Permille {
    type Error = String;

    fn try_from(thousandths: u16) -> Result<Self, String> {
        if thousandths > 1000 {
            return Err(format!("{thousandths} thousandths are more than the whole"));
        }
        Ok(Permille(thousandths))
    }
}

impl From<Permille> for u16 {
    fn from(share: Permille) -> u16 {
        share.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hearing(spoken: &str, mishearings: Vec<Mishearing>) -> Hearing {
        let [said, heard] = [spoken.to_owned(), String::new()];
        let level = NoiseLevel::Strong;
        Hearing { level, said, spoken: spoken.to_owned(), heard, mishearings, confidence: Permille::ALL, words: vec![] }
    }

    fn edit(token: usize, said: &str, heard: &str, is_joined: bool) -> Mishearing {
        Mishearing { token, class: TokenClass::Word, said: said.to_owned(), heard: heard.to_owned(), is_joined }
    }

    #[test]
    fn replay_applies_each_kind_of_edit() {
        let edits = vec![edit(0, "noah", "no a", false), edit(1, "dot", "dot", true), edit(3, "two", "", false)];
        assert_eq!(hearing("noah dot brown two", edits).replay().unwrap(), "no a dotbrown");
        assert_eq!(hearing("two", vec![edit(0, "two", "", false)]).replay().unwrap(), "");
        assert_eq!(hearing("  kept  as is ", vec![]).replay().unwrap(), "  kept  as is ");
    }

    #[test]
    fn replay_refuses_edits_that_do_not_fit() {
        for edits in [
            vec![edit(2, "two", "to", false)],
            vec![edit(0, "two", "to", false)],
            vec![edit(1, "two", "to", false), edit(0, "one", "won", false)],
        ] {
            assert_eq!(hearing("one two", edits).replay(), None);
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        let record = serde_json::to_string(&edit(0, "a", "b", false)).unwrap();
        assert_eq!(record, r#"{"token":0,"class":"word","said":"a","heard":"b","is_joined":false}"#);
        assert!(serde_json::from_str::<Mishearing>(&record.replace("is_joined", "joined")).is_err());
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong] {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_string(&level).unwrap(), format!("\"{level}\""));
        }
        let error = "loud".parse::<NoiseLevel>().unwrap_err();
        assert_eq!(error.to_string(), "unknown noise level `loud`: off, mild or strong");
    }

    #[test]
    fn a_share_is_at_most_the_whole() {
        assert_eq!(serde_json::from_str::<Permille>("1000").unwrap(), Permille::ALL);
        assert!(serde_json::from_str::<Permille>("1001").is_err());
        assert_eq!(Permille::new(2000), Permille::ALL);
        assert_eq!(Permille::new(350).times(Permille::new(110)), Permille::new(38));
        assert_eq!(Permille::new(350).rest(), Permille::new(650));
    }
}
