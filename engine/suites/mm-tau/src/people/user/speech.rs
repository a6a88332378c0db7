//! What passes between the user and the rest: what is heard, what is done, and what is said with its meaning.

use crate::measures::{Consent, FieldMention, UserSpoke};
use serde_json::{Map, Value};

/// What has happened since the user's last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserHears<'t> {
    /// Nothing: the call begins.
    Beginning,
    Agent(&'t str),
    /// The phone showed this after the tool that was called.
    Shown(&'t str),
    Transferred,
}

#[derive(Clone, Debug, PartialEq)]
pub enum UserMove {
    /// Uses the phone, and hears what it shows next.
    Act {
        tool: &'static str,
        arguments: Map<String, Value>,
    },
    Say(UserSpeech),
    /// Ends the call with last words.
    Leave(UserSpeech),
}

/// Why a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parting {
    Content,
    HandedOver,
    GaveUp,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserSpeech {
    pub text: String,
    pub mentions: Vec<FieldMention>,
    pub corrects: Vec<String>,
    /// Whether a value is said sign by sign.
    pub spelled: bool,
    /// Answers to requests for leave, by the call.
    pub replies: Vec<(String, Consent)>,
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

    pub(crate) fn add(&mut self, sentence: &str) {
        if !self.text.is_empty() && !sentence.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(sentence);
    }
}
