//! What a user says at once.

use crate::agent::Past;
use crate::event::Rephrased;

/// What a user says at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// The words, as the agent hears them.
    pub text: String,
    /// What was said, where a channel between them made something else of it.
    pub said: Option<String>,
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
        Utterance { text: text.into(), said: None, extra: false, rephrased: None, afresh: None }
    }

    /// A reply beside the script.
    pub fn extra(text: impl Into<String>) -> Self {
        Utterance { text: text.into(), said: None, extra: true, rephrased: None, afresh: None }
    }
}
