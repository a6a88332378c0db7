//! The user with fixed turns.

use super::{User, UserFault, Utterance};
use crate::event::Event;

/// A user with fixed turns, said whatever the agent replies (RUT-Bench, section 3.3).
#[derive(Clone)]
pub struct ScriptedUser {
    turns: std::vec::IntoIter<String>,
}

impl ScriptedUser {
    /// A user who says these turns.
    pub fn new(turns: Vec<String>) -> Self {
        ScriptedUser { turns: turns.into_iter() }
    }
}

impl User for ScriptedUser {
    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        Ok(self.turns.next().map(Utterance::scripted))
    }
}
