//! A recorded episode.

use serde::{Deserialize, Serialize};

use super::header::Header;
use crate::event::{EndReason, Event, Step};
use probity_engine::Hash;

/// A recorded episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// What was played.
    pub header: Header,
    /// What happened, in order; the last event is the end.
    pub events: Vec<Event>,
    /// The hash of the state it ended in.
    pub final_state: Hash,
}

impl Trace {
    /// SHA-256 over the canonical JSON of header, events and final state.
    pub fn digest(&self) -> Hash {
        Hash::of_serialized(self)
    }

    /// The steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.events.iter().filter_map(Event::step)
    }

    /// The user's words with the turn they belong to, in order.
    pub fn heard(&self) -> impl Iterator<Item = (u32, &str)> {
        self.events.iter().filter_map(Event::heard)
    }

    /// How often a model's words were refused so often that the contract user's own were taken.
    pub fn user_fallbacks(&self) -> u32 {
        let fell_back = |event: &&Event| matches!(event, Event::User { rephrased: Some(r), .. } if r.fell_back);
        u32::try_from(self.events.iter().filter(fell_back).count()).unwrap_or(u32::MAX)
    }

    /// Why it ended, and for people what went wrong.
    pub fn end(&self) -> Option<(EndReason, Option<&str>)> {
        match self.events.last() {
            Some(Event::End { reason, detail }) => Some((*reason, detail.as_deref())),
            Some(Event::User { .. } | Event::Reply { .. } | Event::Step(_) | Event::Finding(_) | Event::Note(_))
            | None => None,
        }
    }
}
