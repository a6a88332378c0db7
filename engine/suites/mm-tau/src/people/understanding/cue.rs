//! What an agent says to a user with a phone, or at a desk: the lists of the section `talk` of the vocabulary.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_prose::{Heard, Vocabulary};
use serde::Deserialize;

/// A list of phrases; the vocabulary says what each is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cue {
    Asking,
    Spelling,
    Again,
    Right,
    Named,
    MayI,
    WillYou,
    Answer,
    OwnDeed,
    Problem,
    Whereabouts,
    Else,
    Waiting,
    Solved,
    Outcome,
    Handed,
    NoNegations,
    Negations,
    Urges,
    Expectations,
    NoChoice,
    AllPermissions,
    Directions,
    Confirming,
    Awaiting,
    Open,
    Refusing,
    NotFound,
    Others,
    Done,
    More,
    Denials,
    Keeping,
    AskingBack,
    Agreeing,
    Declining,
    Asked,
    Tried,
    Confirm,
    Gigabytes,
    Data,
    HowMuch,
    Usage,
    Plainly,
    GoesAhead,
    HandOver,
    Resume,
    Refuel,
    OtherPlan,
    Bill,
    Suspend,
    Roaming,
    WhetherItWorks,
    Numbers,
    Requests,
    Tests,
    Internet,
    Flips,
    OnlyFour,
    Four,
    Preferred,
    AskingAtDesk,
    AskingOpen,
    AskingLeave,
    ConfirmingOutright,
    Okay,
}

static CUES: LazyLock<Vocabulary<Cue>> = LazyLock::new(|| Vocabulary::of("talk"));

pub(crate) fn heard(words: &[CompactString]) -> Heard<'static, Cue> {
    CUES.heard(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_there() {
        assert_eq!(CUES.lists().len(), Cue::Okay as usize + 1);
    }
}
