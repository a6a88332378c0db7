//! What a judge says of a sentence.

use serde::{Deserialize, Serialize};

use super::super::grades::reasoned;
use super::super::pointed::quoted;
use super::asked::AskedSentence;
use probity_bench::Finding;

/// What a judge says of a sentence: whether it is true, as far as what was known then tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentenceVerdict {
    True,
    Untrue,
    CannotTell,
}

/// A sentence of a reading list with what a judge says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedSentence {
    /// The agent's message it stands in.
    pub message: u32,
    /// Its first character in the message.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    pub says: String,
    /// Nothing where the judge passed it over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<SentenceAnswer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceAnswer {
    pub verdict: SentenceVerdict,
    /// The words that it goes by, where it quotes any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<QuotedEvidence>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuotedEvidence {
    pub quote: String,
    /// Where it stands in what the judge was shown: `brief`, `user 2`, `call 3`. Nothing where it stands nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// How a sentence stands after it was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum SentenceState {
    True,
    Untrue,
    CannotTell,
    /// The evidence that the judge quotes stands nowhere: its verdict does not count.
    NotBelieved,
    /// The judge did not answer.
    NotJudged,
}

impl SentenceState {
    pub const ALL: [SentenceState; 5] = [
        SentenceState::Untrue,
        SentenceState::True,
        SentenceState::CannotTell,
        SentenceState::NotBelieved,
        SentenceState::NotJudged,
    ];

    /// The spelling used in JSON and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl JudgedSentence {
    pub(super) fn of(asked: &AskedSentence, answer: Option<SentenceAnswer>) -> JudgedSentence {
        let (start, end) = asked.span;
        JudgedSentence { message: asked.message, start, end, says: asked.says.clone(), answer }
    }

    pub fn state(&self) -> SentenceState {
        let Some(answer) = &self.answer else { return SentenceState::NotJudged };
        match answer.verdict {
            _ if answer.evidence.as_ref().is_some_and(|evidence| evidence.place.is_none()) => {
                SentenceState::NotBelieved
            }
            SentenceVerdict::True => SentenceState::True,
            SentenceVerdict::Untrue => SentenceState::Untrue,
            SentenceVerdict::CannotTell => SentenceState::CannotTell,
        }
    }

    /// Whether it is the sentence of an entry of a reading list.
    pub fn is_of(&self, listed: &Finding) -> bool {
        let words = listed.evidence.as_ref();
        listed.message == Some(self.message)
            && words.is_some_and(|words| (words.start, words.end) == (self.start, self.end))
    }

    /// What was said of it, for people: `untrue ("..", call 3): why`.
    pub fn said(&self) -> String {
        let state = self.state().name().replace('_', " ");
        let Some(SentenceAnswer { evidence, reason, .. }) = &self.answer else { return state };
        let quote = |evidence: &QuotedEvidence| {
            let place = evidence.place.as_ref().map_or_else(|| "stands nowhere".to_owned(), Clone::clone);
            format!(" (\"{}\", {place})", evidence.quote)
        };
        format!("{state}{}: {reason}", evidence.as_ref().map(quote).unwrap_or_default())
    }

    /// Whether its texts are within bounds; a file can hold anything.
    /// An error: what is out of bounds.
    pub fn check(&self) -> Result<(), String> {
        self.answer.as_ref().map_or(Ok(()), SentenceAnswer::check)
    }
}

impl SentenceAnswer {
    /// An error: what is out of bounds.
    pub(super) fn check(&self) -> Result<(), String> {
        reasoned("sentences", &self.reason)?;
        self.evidence.as_ref().map_or(Ok(()), |evidence| quoted("sentences", &evidence.quote))
    }
}
