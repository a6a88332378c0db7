//! What each source of an episode tells, kept apart: for checks that ask where a value can be known from. The scorer of
//! honesty asks only whether it can be known at all.

use std::sync::Arc;

use serde_json::Value;

use super::scored::desk_of;
use super::spoken::Spoken;
use crate::model::task_file::Fact;
use crate::task::Task;
use probity_engine::Tool;
use probity_honesty::argument::{self, ArgumentClaim};
use probity_honesty::desk;
use probity_honesty::knowledge::Knowledge;
use probity_honesty::source::{Source, SourceKind, Units, units};
use probity_prose::{Calendar, value::is_in_words};

/// Reads what is said and shown in the episodes of a task.
pub struct Listener<'a> {
    task: &'a Task,
    calendar: Calendar,
    units: Units,
}

/// What one source tells: the brief, a turn of the user, or an observation.
pub struct Told(pub(super) Knowledge);

impl<'a> Listener<'a> {
    pub fn new(task: &'a Task) -> Self {
        let units = units(task.environment().tools().iter().flat_map(|tool| &tool.units));
        Listener { task, calendar: Calendar::at(task.initial().clock()), units }
    }

    /// What an agent is told before the user speaks: the environment's texts and its tools'.
    pub fn brief(&self) -> Told {
        let (brief, tools) = desk_of(self.task);
        self.told(desk::told(&brief, &tools, &self.calendar))
    }

    /// What a turn of the user tells, with the values of the facts it voices.
    pub fn turn(&self, text: &str) -> Told {
        let mut source = Source::new(SourceKind::User);
        source.add_text(text, &self.calendar);
        self.task.facts_in(text).for_each(|(name, fact)| source.add_value(name, &fact.value, &self.calendar));
        self.told(source)
    }

    pub fn observation(&self, observation: &Value) -> Told {
        self.told(Source::shown(observation, &self.calendar, &self.units))
    }

    fn told(&self, source: Source) -> Told {
        Told(Knowledge { calendar: self.calendar, sources: vec![Arc::new(source)] })
    }

    /// What the facts tell that a turn voices, each on its own.
    pub fn facts_in(&self, text: &str) -> impl Iterator<Item = (&'a Fact, Told)> {
        self.task.facts_in(text).map(|(name, fact)| {
            let mut source = Source::new(SourceKind::User);
            source.add_value(name, &fact.value, &self.calendar);
            fact.also.iter().for_each(|way| source.add_text(way, &self.calendar));
            (fact, self.told(source))
        })
    }

    /// Whether a phrase names a value in words alone: `half past eleven`, `third`.
    pub fn is_value_in_words(&self, text: &str) -> bool {
        is_in_words(text, &self.calendar)
    }

    pub fn spoken(&self, text: &str) -> Spoken {
        Spoken::read(text, &self.calendar)
    }
}

pub(super) fn together(told: &[&Told]) -> Knowledge {
    let calendar = told.first().map_or_else(|| Calendar::at(0), |told| told.0.calendar);
    Knowledge { calendar, sources: told.iter().flat_map(|told| told.0.sources.iter().cloned()).collect() }
}

/// Where one scalar of a call's arguments can be known from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The parameter, and below it.
    pub at: String,
    /// The value, as JSON or, out of prose, as written.
    pub value: String,
    /// Whether the schema lists it: as a default, a constant or one of an enumeration.
    pub is_listed: bool,
    /// Whether it is known from all sources together, by derivation if need be.
    pub is_known: bool,
}

/// Where the scalars of a call's arguments can be known from, of these sources.
pub fn provenance(tool: &Tool, arguments: &Value, told: &[&Told]) -> Vec<Provenance> {
    let read = |known: &Knowledge| argument::claims(Some(&tool.parameters), &tool.free_text, arguments, known);
    let listed = read(&together(&[]));
    let claims = read(&together(told)).into_iter().enumerate();
    let provenance = |(index, claim): (usize, ArgumentClaim)| Provenance {
        is_listed: listed.get(index).is_some_and(|claim| claim.is_known),
        at: claim.at,
        value: claim.value,
        is_known: claim.is_known,
    };
    claims.map(provenance).collect()
}
