//! What passes between the user and the rest: what is heard, what is done, and what is said with its meaning; and how much
//! a user bears and takes in, by persona.

use serde_json::{Map, Value};

use crate::measures::{Consent, FieldMention, UserSpoke};
use crate::telecom::{Manner, Persona, Skill};

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

/// The rules of a user's conduct that depend on the persona.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temper {
    /// How many setbacks it takes until the user gives up. A setback is: a message that is not understood, a claim of
    /// success that is not so, the number asked for more than twice, a value repeated wrongly more than once, the same
    /// step told more than twice, a third waiting.
    pub patience: u32,
    /// Whether a step needs directions, unless it is an everyday one: the user then asks where a thing is found, at
    /// most twice for one step, and tries it all the same the third time. What was once done needs none.
    pub needs_directions: bool,
    /// How many steps of one message are done; the user says so when there were more.
    pub steps_at_once: usize,
    pub volunteers: bool,
}

impl Temper {
    pub fn of(persona: Persona) -> Temper {
        let plain = Temper { patience: 6, needs_directions: false, steps_at_once: 4, volunteers: true };
        let Some(profile) = persona.profile() else { return plain };
        let needs_directions = profile.skill == Skill::Low;
        match profile.manner {
            Manner::Confirming => Temper { patience: 8, needs_directions, ..plain },
            Manner::Anxious => Temper { patience: 6, needs_directions, steps_at_once: 1, volunteers: false },
        }
    }
}
