//! What a user says at once.

use crate::event::Rephrased;

/// What a user says at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// The words.
    pub text: String,
    /// Whether it answers the agent beside the script.
    pub extra: bool,
    /// How a model came to these words, if one was asked.
    pub rephrased: Option<Rephrased>,
}

impl Utterance {
    /// A turn of the script.
    pub fn scripted(text: impl Into<String>) -> Self {
        Utterance { text: text.into(), extra: false, rephrased: None }
    }

    /// A reply beside the script.
    pub fn extra(text: impl Into<String>) -> Self {
        Utterance { text: text.into(), extra: true, rephrased: None }
    }
}
