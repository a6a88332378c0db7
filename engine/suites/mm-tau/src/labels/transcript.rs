//! An episode as judges are shown it, and as what they say is placed.

use super::label_set::JudgedEpisode;
use super::prompt::DialogueMessage;
use crate::card::{DOMAIN, EXPOSURE, PERSONA};
use crate::measures::MessageRole;
use crate::play::modality;
use probity_bench::{EpisodeRecord, Event};

/// What a task of each domain hangs on, in a reader's words.
const CRITICAL: [(&str, &[&str]); 3] = [
    ("telecom", &["phone number"]),
    ("retail", &["order id", "user id", "e-mail address", "name and zip code"]),
    ("airline", &["user id", "reservation id"]),
];

/// The messages of an episode that have words, as they were meant and as they arrived.
pub(super) fn transcript(record: &EpisodeRecord) -> Vec<DialogueMessage> {
    let message = |event: &Event| match event {
        Event::User { text, said, .. } => {
            let said = said.clone().unwrap_or_else(|| text.clone());
            Some(DialogueMessage { role: MessageRole::User, said, heard: text.clone() })
        }
        // What stands beside calls nobody hears.
        Event::Reply { aside: true, .. } => None,
        Event::Reply { text, .. } => {
            Some(DialogueMessage { role: MessageRole::Agent, said: text.clone(), heard: text.clone() })
        }
        Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
    };
    record.trace.events.iter().filter_map(message).collect()
}

/// Where the labels of an episode belong; nothing for a record of another suite.
pub fn judged_episode(record: &EpisodeRecord) -> Option<JudgedEpisode> {
    let level = |factor: &str| record.factors.get(factor).map(str::to_owned);
    Some(JudgedEpisode {
        agent: record.agent.clone(),
        domain: level(DOMAIN)?,
        exposure: level(EXPOSURE)?,
        modality: modality(&record.factors)?,
        task: format!("{} {}", record.task(), level(PERSONA)?),
        roles: transcript(record).iter().map(|message| message.role).collect(),
    })
}

pub(super) fn critical_fields(domain: &str) -> &'static [&'static str] {
    CRITICAL.iter().find(|(known, _)| *known == domain).map_or(&[], |(_, fields)| fields)
}
