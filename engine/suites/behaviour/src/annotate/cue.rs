//! What people say who behave in a way, and what an agent answers to it: phrases that are looked for whole, without
//! regard to case. They stand in the section `behaviour` of the vocabulary.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::{Heard, Vocabulary};
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cue {
    SecondThoughts,
    Wavering,
    Pressure,
    Haste,
    Calm,
    Clashes,
    Unnamed,
    Asks,
    Prefers,
    Denies,
    Cannots,
    Choices,
    Nothings,
}

static CUES: LazyLock<Vocabulary<Cue>> = LazyLock::new(|| Vocabulary::of("behaviour"));

pub fn heard(words: &[CompactString]) -> Heard<'static, Cue> {
    CUES.heard(words)
}

/// The phrases of a list that were heard, each once, as they are listed.
pub fn listed(heard: &Heard<'static, Cue>, cue: Cue) -> Vec<&'static str> {
    let own = heard.iter().filter(|mention| *mention.list == cue);
    own.map(|mention| (mention.order, mention.phrase)).collect::<BTreeMap<_, _>>().into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_prose::token::whole_words;

    #[test]
    fn cues_are_whole_words() {
        let found = |text: &str, cue| listed(&heard(&whole_words(text)), cue);
        assert_eq!(found("Hurry up -- I'm WAITING! Hurry!", Cue::Pressure), ["hurry", "hurry up", "waiting"]);
        assert!(found("I await the hurrying", Cue::Pressure).is_empty());
        assert_eq!(CUES.lists().len(), Cue::Nothings as usize + 1);
    }
}
