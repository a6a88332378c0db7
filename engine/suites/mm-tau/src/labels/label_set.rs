//! The labels of all judges of a run's episodes: each judge labels an episode once, and all of its messages.

use std::collections::BTreeMap;

use thiserror::Error;

use super::labelled::ConversationLabels;
use super::quotation;
use crate::measures::{MessageRole, Modality};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedEpisode {
    pub agent: String,
    /// The domain, such as `telecom`.
    pub domain: String,
    /// What the agent knew of who called, such as `p0`.
    pub exposure: String,
    /// Whether a channel lay between the parties.
    pub modality: Modality,
    /// The task, with the persona where tasks have one: what is paired between voice and text.
    pub task: String,
    pub roles: Vec<MessageRole>,
}

/// Why labels cannot be those of an episode of the run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LabelConflict {
    #[error("the run has no episode {0}")]
    UnknownEpisode(String),
    #[error("judge {judge} has labelled episode {episode} before")]
    Repeated { judge: String, episode: String },
    /// The labels name more or fewer messages than there are.
    #[error("the episode has {there} messages, the label {labelled}")]
    OtherLength { there: usize, labelled: usize },
    #[error("message {0} is of the other party")]
    OtherParty(usize),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSet {
    episodes: BTreeMap<String, JudgedEpisode>,
    labels: BTreeMap<String, BTreeMap<String, ConversationLabels>>,
}

impl LabelSet {
    /// No labels yet, of the episodes of a run by their names.
    pub fn new(episodes: BTreeMap<String, JudgedEpisode>) -> LabelSet {
        LabelSet { episodes, labels: BTreeMap::new() }
    }

    pub fn episodes(&self) -> &BTreeMap<String, JudgedEpisode> {
        &self.episodes
    }

    /// The judges with their labels by episode, in the order of their names.
    pub fn judges(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, ConversationLabels>)> {
        self.labels.iter().map(|(judge, labels)| (judge.as_str(), labels))
    }

    /// Adds the labels of one judge of one episode.
    /// An error: when they cannot be labels of an episode of the run, or are there already; then nothing is added.
    pub fn add(&mut self, labels: ConversationLabels) -> Result<(), LabelConflict> {
        let episode = self.episodes.get(&labels.episode);
        let episode = episode.ok_or_else(|| LabelConflict::UnknownEpisode(quotation::name(&labels.episode)))?;
        let (there, labelled) = (episode.roles.len(), labels.messages.len());
        if there != labelled {
            return Err(LabelConflict::OtherLength { there, labelled });
        }
        if let Some(index) = episode.roles.iter().zip(labels.roles()).position(|(there, labelled)| *there != labelled) {
            return Err(LabelConflict::OtherParty(index));
        }
        if self.labels.get(&labels.judge).is_some_and(|known| known.contains_key(&labels.episode)) {
            let (judge, episode) = (quotation::name(&labels.judge), quotation::name(&labels.episode));
            return Err(LabelConflict::Repeated { judge, episode });
        }
        self.labels.entry(labels.judge.clone()).or_default().insert(labels.episode.clone(), labels);
        Ok(())
    }
}
