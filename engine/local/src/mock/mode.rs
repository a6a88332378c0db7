//! The ways in which the mock answers.

use std::sync::LazyLock;

use serde::Deserialize;

use probity_bench::named;
use probity_engine::suggest::nearest;

named! {
    /// What an agent or a judge behind the mock comes to in this mode.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Expected {
        /// It does its work: the mode is only another form of the same answer, or passes when asked again.
        Works = "works",
        /// It goes on, but what it wrote was wrong: it is told so, and that counts against an agent.
        Stumbles = "stumbles",
        /// It fails: the model is at fault.
        Fails = "fails",
        /// It cannot be scored: the provider is at fault.
        Unreachable = "unreachable",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    pub name: &'static str,
    pub description: &'static str,
    /// What comes of it for an agent.
    pub expected: Expected,
    /// What comes of it for a judge.
    pub judge: Expected,
    pub(super) deed: Deed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Deed {
    Plain,
    // Other forms of the same answer.
    ObjectArguments,
    NoIds,
    SameIds,
    TextBesideCalls,
    Reasoning,
    Thoughts,
    Parts,
    NoUsage,
    Stream,
    Late,
    WrongType,
    // The first time a request comes; the second time it is answered.
    Status(u16),
    Dropped,
    Truncated,
    NotJson,
    NoChoices,
    Inside,
    StreamCut,
    // Every time.
    Always(u16),
    Quota,
    EchoKey,
    Redirect,
    Endless,
    Silent,
    Drip,
    Filtered,
    CutWords,
    Empty,
    Unreadable,
    TooLong,
    // What a model writes wrongly, once in a dialogue.
    CutArguments,
    KeyTwice,
    UnknownTool,
    TwoCalls,
    CallAsText,
    // What the model of a user does with what it is to rephrase.
    UserAdds,
    UserChanges,
    UserLeaks,
    UserSlips,
    // How a judge's reply is, once for an episode or always.
    JudgeFenced,
    JudgeProse,
    JudgeOutOfRange,
    JudgeFloat,
    JudgeMissing,
    JudgeExtra,
    JudgeCut,
    JudgeNever,
    JudgeInvents,
    JudgePassesOver,
}

impl Deed {
    /// Whether it is about the replies of judges; an agent is answered plainly then.
    pub(super) fn is_of_judges(self) -> bool {
        self.is_once_of_judges()
            || matches!(self, Deed::JudgeFenced | Deed::JudgeNever | Deed::JudgeInvents | Deed::JudgePassesOver)
    }

    /// Whether a judge that is asked again does better.
    pub(super) fn is_once_of_judges(self) -> bool {
        matches!(
            self,
            Deed::JudgeProse
                | Deed::JudgeOutOfRange
                | Deed::JudgeFloat
                | Deed::JudgeMissing
                | Deed::JudgeExtra
                | Deed::JudgeCut
        )
    }

    /// Whether it is done once in a dialogue: the model heeds what it is told.
    pub(super) fn is_once(self) -> bool {
        matches!(self, Deed::CutArguments | Deed::KeyTwice | Deed::UnknownTool | Deed::TwoCalls)
    }
}

/// All modes, in the order in which they are told. A judge calls nothing: what is about calls it answers plainly.
pub static MODES: LazyLock<Vec<Mode>> =
    LazyLock::new(|| serde_json::from_str(include_str!("mode.json")).unwrap_or_default());

impl std::str::FromStr for &'static Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        MODES.iter().find(|mode| mode.name == text).ok_or_else(|| {
            let near = nearest(text, MODES.iter().map(|mode| mode.name));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("there is no mode `{text}`{near}")
        })
    }
}
