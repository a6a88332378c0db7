//! How careful a service agent is, as data; how it takes what it hears, and how it says things.

use crate::people::understanding::words::{Cue, heard};
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use probity_bench::named;
use probity_prose::token::whole_words;

named! {
    /// How careful an agent is, by what `--agent` takes.
    pub enum ServiceManner {
        /// Reads back, asks for consent, looks before it hands over, and hands over only when nothing is left.
        Oracle = "oracle",
        /// Never reads back and never asks for consent.
        Reckless = "reckless",
        /// Hands over after the first complaint.
        PrematureTransfer = "fault:premature_transfer",
        /// Says that it is solved where it should hand over.
        NeverTransfers = "fault:never_transfers",
        /// Looks customers up under a number with a wrong digit.
        WrongNumber = "fault:wrong_number",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandsOver {
    AtOnce,
    WhenRight,
    Never,
}

/// What an agent takes care of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Care {
    pub(super) reads_back: bool,
    pub(super) asks_consent: bool,
    pub(super) hands_over: HandsOver,
    pub(super) keeps_digits: bool,
    /// How often the number is asked for, read back or looked up before the agent goes on without records.
    pub(super) tries: u32,
}

const ORACLE: Care =
    Care { reads_back: true, asks_consent: true, hands_over: HandsOver::WhenRight, keeps_digits: true, tries: 12 };

impl ServiceManner {
    pub(super) const fn care(self) -> Care {
        match self {
            ServiceManner::Oracle => ORACLE,
            ServiceManner::Reckless => Care { reads_back: false, asks_consent: false, tries: 3, ..ORACLE },
            ServiceManner::PrematureTransfer => Care { hands_over: HandsOver::AtOnce, ..ORACLE },
            ServiceManner::NeverTransfers => Care { hands_over: HandsOver::Never, ..ORACLE },
            ServiceManner::WrongNumber => Care { reads_back: false, keeps_digits: false, tries: 2, ..ORACLE },
        }
    }
}

pub(super) fn asks_back(text: &str) -> bool {
    heard(&whole_words(text)).has(Cue::AskingBack)
}

/// Whether the user agrees: by the first word that says either.
pub(crate) fn affirms(text: &str) -> bool {
    let said = heard(&whole_words(text));
    match (said.place(Cue::Agreeing), said.place(Cue::Declining)) {
        (Some(yes), Some(no)) => yes < no,
        (yes, _) => yes.is_some(),
    }
}

/// A value with another last digit, or another last letter.
pub(crate) fn spoilt(value: &str) -> String {
    let mut signs: Vec<char> = value.chars().collect();
    let digit = signs.iter_mut().rev().find(|sign| sign.is_ascii_digit());
    match digit {
        Some(sign) => *sign = if *sign == '9' { '0' } else { '9' },
        None => signs.push('x'),
    }
    signs.into_iter().collect()
}

/// A number of ten digits in groups.
pub(super) fn dashed(digits: &str) -> String {
    let group = |from: usize, count: usize| digits.chars().skip(from).take(count).collect::<String>();
    format!("{}-{}-{}", group(0, 3), group(3, 3), group(6, usize::MAX))
}

/// What agents say, by what it is about.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServiceWords {
    thanks: Vec<String>,
    news: BTreeMap<String, String>,
    questions: BTreeMap<String, String>,
    nouns: BTreeMap<String, String>,
}

static WORDS: LazyLock<ServiceWords> =
    LazyLock::new(|| toml::from_str(include_str!("service.toml")).unwrap_or_default());

/// What is said for a report, so that not every message begins alike.
pub(super) fn thanks(stages_left: usize) -> &'static str {
    WORDS.thanks.get(stages_left % 4).map_or("", String::as_str)
}

/// What is told after a call that was carried out.
pub(super) fn news(tool: &str) -> &'static str {
    WORDS.news.get(tool).map_or("That is done.", String::as_str)
}

/// How a field of a desk is asked for.
pub(crate) fn question(field: &str) -> &'static str {
    WORDS.questions.get(field).map_or("", String::as_str)
}

pub(crate) fn noun(field: &str) -> &'static str {
    WORDS.nouns.get(field).map_or("answer", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides() {
        assert!(affirms("Yes, that's fine. But I don't want another plan."));
        assert!(!affirms("No, thanks, that's fine."));
        assert!(!affirms("It says nothing."));
        assert_eq!(dashed("5551232002"), "555-123-2002");
    }

    #[test]
    fn the_words_of_agents_are_there() {
        let ServiceWords { thanks, news, nouns, .. } = toml::from_str(include_str!("service.toml")).unwrap();
        assert_eq!((thanks.len(), news.len(), nouns.len()), (3, 4, 7));
    }
}
