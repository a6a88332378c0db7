//! The profile of a user by rule, for agents that are not asked.

use std::sync::LazyLock;

use probity_prose::Vocabulary;
use serde::{Deserialize, Serialize};

/// What can be said of a user from their own words. Skills and frustration go from 0 to 10; age and gender are in no
/// word that is looked for, and so are not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct InferredProfile {
    /// How much they say: 0 for one word a message, 10 for twenty and more, in the mean.
    pub(super) articulation_skill: u8,
    /// 10, less the share of messages that show that they have not understood.
    pub(super) language_understanding_skill: u8,
    /// 5, up to 10 with the share of messages that name settings, down to 0 with that of messages that ask where or what
    /// something is.
    pub(super) technical_skill: u8,
    /// The share of messages that are worried or impatient.
    pub(super) frustration_level: u8,
}

impl InferredProfile {
    pub(super) fn of(said: &[&str]) -> InferredProfile {
        let lower: Vec<String> = said.iter().map(|text| text.to_lowercase()).collect();
        let count = |clue: Clue| lower.iter().filter(|text| clue.is_in(text)).count();
        let words: usize = said.iter().map(|text| text.split_whitespace().count()).sum();
        let mean = words.checked_div(said.len()).unwrap_or(0);
        let confused = tenths(count(Clue::Confused), said.len());
        let (technical, lost) = (count(Clue::Technical), count(Clue::Lost));
        let (more, less) = (technical.saturating_sub(lost), lost.saturating_sub(technical));
        InferredProfile {
            articulation_skill: tenths(mean.saturating_sub(1).min(19), 19),
            language_understanding_skill: 10 - confused,
            technical_skill: 5 + tenths(more, said.len()) / 2 - tenths(less, said.len()) / 2,
            frustration_level: tenths(count(Clue::Upset), said.len()),
        }
    }
}

/// A share in tenths, rounded half up; 0 of nothing.
fn tenths(part: usize, whole: usize) -> u8 {
    let share = (20 * part.min(whole) + whole).checked_div(2 * whole).unwrap_or(0);
    u8::try_from(share).unwrap_or(10).min(10)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Clue {
    /// They know what a setting is called.
    Technical,
    /// They ask where something is, or what it means.
    Lost,
    /// They have not understood, or not heard.
    Confused,
    /// They are out of patience, or worried.
    Upset,
}

/// Words that say so, and beginnings of words.
static CLUES: LazyLock<Vocabulary<Clue>> = LazyLock::new(|| Vocabulary::of("clues"));

impl Clue {
    fn is_in(self, text: &str) -> bool {
        CLUES.phrases(&self).any(|phrase| text.contains(phrase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_little_and_is_lost_is_told_apart_from_who_names_settings() {
        let lost =
            InferredProfile::of(&["Help.", "Where do I find that? I am so worried.", "Sorry? What do you mean?"]);
        let versed = InferredProfile::of(&[
            "My APN settings look right, and roaming is on in the menu where I can see it under mobile network.",
            "I have set the network mode to 4G and 5G preferred, and the speed test says it is poor all the same.",
        ]);
        assert!(lost.technical_skill < 5 && versed.technical_skill == 10, "{lost:?} {versed:?}");
        assert!(lost.frustration_level == 3 && versed.frustration_level == 0, "{lost:?} {versed:?}");
        assert!(lost.language_understanding_skill == 7 && lost.articulation_skill < versed.articulation_skill);
    }

    #[test]
    fn of_no_message_nothing_is_said() {
        let none = InferredProfile::of(&[]);
        assert_eq!((none.articulation_skill, none.technical_skill, none.frustration_level), (0, 5, 0));
    }
}
