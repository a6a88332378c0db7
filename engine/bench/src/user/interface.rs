//! What a user of a dialogue has to do.

use super::utterance::Utterance;
use crate::usage::Usage;

/// Why a user has no words although the dialogue is not over: its provider could not be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UserFault(pub String);

/// A user. The scripted one is the default, as in the paper.
pub trait User: Send {
    /// What the user says next, after the agent's reply (none before the first turn); nothing ends the dialogue.
    ///
    /// # Errors
    /// The user's provider could not be reached.
    fn speak(&mut self, reply: Option<&str>) -> Result<Option<Utterance>, UserFault>;

    /// How it takes its leave when it has no more to say; nobody answers that.
    fn farewell(&self, _reply: Option<&str>) -> Option<Utterance> {
        None
    }

    /// What its provider was asked for in this episode; nothing for a user without one.
    fn usage(&self) -> Option<Usage> {
        None
    }
}
