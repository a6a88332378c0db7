//! The labels of all judges of a run's episodes: each judge labels an episode once, and all of its messages.

use std::collections::BTreeMap;

use thiserror::Error;

use super::labelled::ConversationLabels;
use super::quotation;
use crate::measures::{MessageRole, Modality};

/// What there is to know of an episode that judges label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedEpisode {
    /// Who served.
    pub agent: String,
    /// The domain, such as `telecom`.
    pub domain: String,
    /// What the agent knew of who called, such as `p0`.
    pub exposure: String,
    /// Whether a channel lay between the parties.
    pub modality: Modality,
    /// The task, with the persona where tasks have one: what is paired between voice and text.
    pub task: String,
    /// The parties of its messages, in order.
    pub roles: Vec<MessageRole>,
}

/// Why labels cannot be those of an episode of the run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LabelConflict {
    /// The run has no such episode.
    #[error("the run has no episode {0}")]
    UnknownEpisode(String),
    /// The judge has labelled this episode before.
    #[error("judge {judge} has labelled episode {episode} before")]
    Repeated {
        /// The judge.
        judge: String,
        /// The episode.
        episode: String,
    },
    /// The labels name more or fewer messages than there are.
    #[error("the episode has {there} messages, the label {labelled}")]
    OtherLength {
        /// Messages of the episode.
        there: usize,
        /// Messages of the label.
        labelled: usize,
    },
    /// A message is the other party's.
    #[error("message {0} is of the other party")]
    OtherParty(usize),
}

/// The labels of a run's episodes, by judge and episode.
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

    /// The episodes by their names.
    pub fn episodes(&self) -> &BTreeMap<String, JudgedEpisode> {
        &self.episodes
    }

    /// The judges with their labels by episode, in the order of their names.
    pub fn judges(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, ConversationLabels>)> {
        self.labels.iter().map(|(judge, labels)| (judge.as_str(), labels))
    }

    /// Adds the labels of one judge of one episode.
    ///
    /// # Errors
    /// When they cannot be labels of an episode of the run, or are there already; then nothing is added.
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
