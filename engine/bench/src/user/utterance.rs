//! What a user says at once.

use crate::agent::Past;
use crate::event::Rephrased;

/// What a user says at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// The words.
    pub text: String,
    /// Whether it answers the agent beside the script.
    pub extra: bool,
    /// How a model came to these words, if one was asked.
    pub rephrased: Option<Rephrased>,
    /// Where the agent has to begin anew before it hears this, what counts as said so far.
    pub afresh: Option<Vec<Past>>,
}

impl Utterance {
    /// A turn of the script.
    pub fn scripted(text: impl Into<String>) -> Self {
        Utterance { text: text.into(), extra: false, rephrased: None, afresh: None }
    }

    /// A reply beside the script.
    pub fn extra(text: impl Into<String>) -> Self {
        Utterance { text: text.into(), extra: true, rephrased: None, afresh: None }
    }
}
