//! The user's side of a dialogue: what a user has to do, and what carries their words.

use dyn_clone::DynClone;

use crate::agent::Past;
use crate::event::{Event, Rephrased, Ruling};
use crate::usage::Usage;
use probity_engine::ToolCall;

/// Why a user has no words although the dialogue is not over: its provider could not be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UserFault(pub String);

/// A user. The scripted one is the default, as in the paper. A clone is the same user in another course of things.
pub trait User: DynClone + Send + Sync {
    /// What the user says next, after what happened `since` it last spoke (nothing before the first turn); nothing ends
    /// the dialogue.
    ///
    /// # Errors
    /// The user's provider could not be reached.
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault>;

    /// A call of one of the user's own tools, before they speak; asked again with what came of it until there is none.
    fn act(&mut self, _since: &[Event]) -> Option<ToolCall> {
        None
    }

    /// What the agent is asked beside the dialogue before it hears the last of `events`; nothing where it is asked
    /// nothing.
    fn question(&mut self, _events: &[&Event]) -> Option<String> {
        None
    }

    /// What the agent is told from here on, after its `answer` to the question, if it gave one.
    fn context(&mut self, _answer: Option<&str>) -> Option<String> {
        None
    }

    /// How it takes its leave when it has no more to say; nobody answers that.
    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        None
    }

    /// What a model decided for it since it was last asked for that.
    fn rulings(&mut self) -> Vec<Ruling> {
        Vec::new()
    }

    /// What its provider was asked for in this episode; nothing for a user without one.
    fn usage(&self) -> Option<Usage> {
        None
    }
}

dyn_clone::clone_trait_object!(User);

/// The reply that ends an agent's turn; nothing before the first one, and where the agent came to none.
pub fn reply_in(events: &[Event]) -> Option<&str> {
    events.iter().rev().find_map(Event::last_reply)
}

/// Programs that speak a sentence and write down what they hear, in place of a formula.
pub trait Line: Send + Sync {
    /// What is heard of what was said.
    ///
    /// # Errors
    /// One line: a program failed.
    fn hear(&self, said: &str) -> Result<String, String>;
}

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
