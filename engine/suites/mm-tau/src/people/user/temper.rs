//! How much a user bears and takes in, by persona.

use crate::telecom::{Manner, Persona, Skill};

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
