//! The user's expertise, as a factor of its own: any persona can be crossed with any task.

use serde::Serialize;

use probity_bench::named;

named! {
    pub enum Persona {
        None = "None",
        Easy = "Easy",
        /// An anxious user of little experience.
        Hard = "Hard",
    }
}

/// How well a user knows phones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skill {
    /// Knows the usual settings, and follows steps.
    Average,
    /// Knows no term, and needs each explained.
    Low,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// Repeats what was understood and tells all that happened.
    Confirming,
    /// Says nothing unasked and interrupts with worries.
    Anxious,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// Age in years.
    pub age: u8,
    /// Occupation, present or past.
    pub occupation: &'static str,
    /// Knowledge of phones.
    pub skill: Skill,
    pub manner: Manner,
    /// The same as a text for a simulator of users, or for an agent who is told.
    pub text: &'static str,
}

const EASY: Profile = Profile {
    age: 41,
    occupation: "office administrator",
    skill: Skill::Average,
    manner: Manner::Confirming,
    text: "You are 41 and keep an office running. Calls, texts and apps are everyday things to you; for a setting that \
           you have not met you like to be led one step at a time. You stay friendly, say back what you are to do \
           before you do it, and afterwards tell exactly what you saw.",
};

const HARD: Profile = Profile {
    age: 64,
    occupation: "retired librarian",
    skill: Skill::Low,
    manner: Manner::Anxious,
    text: "You are 64 and spent your working life among books. You are uneasy with your phone and afraid of losing \
           what is on it. Technical words mean nothing to you until they are put plainly. You answer what is asked \
           and no more, often break in with a worry, and go on once you have been reassured.",
};

impl Persona {
    /// What is said about the user, if anything.
    pub const fn profile(self) -> Option<&'static Profile> {
        match self {
            Persona::None => None,
            Persona::Easy => Some(&EASY),
            Persona::Hard => Some(&HARD),
        }
    }
}
