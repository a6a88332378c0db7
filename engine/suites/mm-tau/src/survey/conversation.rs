//! Scored conversations as the tables of the paper count them, voice beside text.

use serde::Deserialize;

use crate::card::{DOMAIN, EXPOSURE, PERSONA};
use crate::measures::TraceCounts;
use crate::play::CHANNEL;
use probity_bench::{EpisodeRecord, Reading};

#[derive(Clone, Debug)]
pub struct Conversation {
    /// The world: `telecom`.
    pub domain: String,
    pub bare_task: String,
    /// The task with its persona: what is played in text and in voice.
    pub task: String,
    pub persona: String,
    pub exposure: String,
    pub is_voice: bool,
    pub trial: u32,
    pub pass: bool,
    pub counts: TraceCounts,
    /// Messages of the oracle, where they are known.
    pub optimal: Option<u64>,
}

#[derive(Deserialize)]
struct Details {
    counts: TraceCounts,
    optimal: Option<u64>,
}

impl Conversation {
    /// The conversation of a record; nothing where it was not scored.
    pub fn of(record: &EpisodeRecord) -> Option<Conversation> {
        let level = |factor: &str| record.factors.get(factor).map(str::to_owned);
        let Reading::Scored { value, .. } = record.scores.metrics.get("sr")? else { return None };
        let details = Details::deserialize(&record.scores.details).ok()?;
        let persona = level(PERSONA)?;
        Some(Conversation {
            domain: level(DOMAIN)?,
            bare_task: record.task().to_owned(),
            task: format!("{} {persona}", record.task()),
            persona,
            exposure: level(EXPOSURE)?,
            is_voice: record.factors.get(CHANNEL)? == "voice",
            trial: record.trial,
            pass: *value > 0.5,
            counts: details.counts,
            optimal: details.optimal,
        })
    }
}
