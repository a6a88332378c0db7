//! What passes between the user and the rest: what is heard, what is done, and what is said with its meaning.

use crate::measures::{Consent, FieldMention, UserSpoke};
use serde_json::{Map, Value};

use crate::people::understanding::ConsentTopic;

/// What has happened since the user's last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserHears<'t> {
    /// Nothing: the call begins.
    Beginning,
    /// The agent said this.
    Agent(&'t str),
    /// The phone showed this after the tool that was called.
    Shown(&'t str),
    /// The agent handed the user over.
    Transferred,
}

/// What the user does next.
#[derive(Clone, Debug, PartialEq)]
pub enum UserMove {
    /// Uses the phone, and hears what it shows next.
    Act {
        /// The tool.
        tool: &'static str,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// Says something and waits for the agent.
    Say(UserSpeech),
    /// Ends the call with last words.
    Leave {
        /// The last words.
        farewell: UserSpeech,
        /// Why the call ends.
        parting: Parting,
    },
}

/// Why a user ends the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parting {
    /// What was wanted was seen.
    Content,
    /// Somebody else takes over.
    HandedOver,
    /// Patience is at its end.
    GaveUp,
}

/// An answer to a question for consent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConsentAnswer {
    /// What was asked.
    pub topic: ConsentTopic,
    /// The answer.
    pub answer: Consent,
}

/// What a user says, and what is meant by it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserSpeech {
    /// The words.
    pub text: String,
    /// The fields that are mentioned.
    pub mentions: Vec<FieldMention>,
    /// The fields of which a wrong value is corrected.
    pub corrects: Vec<String>,
    /// Whether a value is said sign by sign.
    pub spelled: bool,
    /// Answers to questions for consent.
    pub consents: Vec<ConsentAnswer>,
}

impl UserSpeech {
    /// The event that the measures count; `heard` where a channel lies between.
    pub fn spoke(&self, heard: Option<String>) -> UserSpoke {
        UserSpoke {
            said: self.text.clone(),
            heard,
            mentions: self.mentions.clone(),
            corrects: self.corrects.clone(),
            spelled: self.spelled,
        }
    }

    /// Adds a sentence.
    pub(crate) fn add(&mut self, sentence: &str) {
        if !self.text.is_empty() && !sentence.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(sentence);
    }
}
