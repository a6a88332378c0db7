//! The labels of all judges of a run's episodes: each judge labels an episode once, and all of its messages.

use std::collections::BTreeMap;

use super::labelled::{ConversationLabels, LabelLine};
use super::quotation;
use crate::measures::{MessageRole, Modality};
use probity_engine::{Diagnostic, Problem};
use probity_ruling::lines;

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

    pub fn has(&self, judge: &str, episode: &str) -> bool {
        self.labels.get(judge).is_some_and(|known| known.contains_key(episode))
    }

    /// Adds the labels of one judge of one episode.
    /// An error: they cannot be labels of an episode of the run, or are there already; then nothing is added.
    pub fn add(&mut self, labels: ConversationLabels) -> Result<(), Problem> {
        let name = quotation::name(&labels.episode);
        let Some(episode) = self.episodes.get(&labels.episode) else {
            let problem = Problem::error("/episode", "unknown_episode", format!("the run has no episode {name}"));
            return Err(problem.help("name an episode of this run"));
        };
        let (there, labelled) = (episode.roles.len(), labels.messages.len());
        if there != labelled {
            let message = format!("the episode has {there} messages, the label {labelled}");
            let help = "list every message, with `null` as its `counts` if there are none";
            return Err(Problem::error("/messages", "other_messages", message).help(help));
        }
        if let Some(index) = episode.roles.iter().zip(labels.roles()).position(|(there, labelled)| *there != labelled) {
            let message = format!("message {index} is of the other party");
            let help = "list the messages as the episode has them";
            return Err(Problem::error("/messages", "other_messages", message).help(help));
        }
        if self.has(&labels.judge, &labels.episode) {
            let message = format!("judge {} has labelled episode {name} before", quotation::name(&labels.judge));
            return Err(Problem::error("", "duplicate_label", message).help("leave one of the two out"));
        }
        self.labels.entry(labels.judge.clone()).or_default().insert(labels.episode.clone(), labels);
        Ok(())
    }

    /// These labels and those of a file (docs/MM_TAU.md, section "Judges").
    /// An error: all that is wrong, each with its line and column.
    pub fn with_file(mut self, file: &str, text: &str) -> Result<LabelSet, Vec<Diagnostic>> {
        let empty = Problem::error("", "no_labels", "the file holds no label").help("write one JSON object a line");
        lines::read(file, text, empty, |line: LabelLine| {
            line.labels().and_then(|labels| self.add(labels).map_err(|problem| vec![problem]))
        })?;
        Ok(self)
    }
}

#[cfg(test)]
#[path = "label_set_tests.rs"]
mod tests;
