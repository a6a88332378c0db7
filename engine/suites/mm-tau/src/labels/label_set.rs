//! The labels of all judges of a run's episodes: each judge labels an episode once, and all of its messages; and the line
//! of a file that holds those of one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::counts::{CountSource, LabelCounts, LabelSubject};
use super::prompt::quoted_name;
use crate::measures::{MessageRole, Modality};
use probity_engine::{Diagnostic, Problem};
use probity_ruling::{journal::Record, lines, reply::Entries};

/// Characters of the name of a judge or an episode.
const MOST_NAME: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledMessage {
    pub role: MessageRole,
    /// The counts; nothing where the judge gave nothing readable, or was not asked.
    pub counts: Option<LabelCounts>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationLabels {
    pub judge: String,
    pub episode: String,
    /// Every message of the episode, in its order.
    pub messages: Vec<LabelledMessage>,
    /// The counts of the whole; nothing where the judge gave nothing readable.
    pub conversation: Option<LabelCounts>,
}

impl ConversationLabels {
    pub(super) fn roles(&self) -> impl Iterator<Item = MessageRole> {
        self.messages.iter().map(|message| message.role)
    }
}

impl Serialize for ConversationLabels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = |(index, message): (usize, &LabelledMessage)| json!({"index": index, "role": message.role, "counts": message.counts});
        let messages: Vec<Value> = self.messages.iter().enumerate().map(message).collect();
        let line = json!({"judge": self.judge, "episode": self.episode, "messages": messages,
            "conversation": self.conversation});
        line.serialize(serializer)
    }
}

impl Record for ConversationLabels {
    type Key = (String, String);

    fn key(&self) -> Self::Key {
        (self.judge.clone(), self.episode.clone())
    }

    fn read(line: &[u8]) -> Result<Self, String> {
        let line: LabelLine = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        line.labels().map_err(|problems| Problem::lines(&problems))
    }
}

/// A line of a label file: what one judge counted in one episode. Every key must stand there, every message of the episode
/// too, and with counts every name of its party; null says that the judge gave nothing readable.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LabelLine {
    /// Who counted.
    judge: String,
    /// The name of the episode in the run.
    episode: String,
    /// Every message of the episode, in its order.
    messages: Vec<MessageLine>,
    /// The counts of the whole; null where there are none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(with = "Value")]
    conversation: Option<Entries>,
}

/// What a judge counted in one message.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MessageLine {
    /// Its number, from 0.
    index: usize,
    /// Whose it is: `user` or `agent`.
    #[schemars(with = "String")]
    role: MessageRole,
    /// The counts; null where there are none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(with = "Value")]
    counts: Option<Entries>,
}

impl LabelLine {
    /// The labels, with whole numbers up to 1000.
    /// An error: what only the meaning of the keys tells.
    pub(super) fn labels(self) -> Result<ConversationLabels, Vec<Problem>> {
        let mut problems = Vec::new();
        for (place, name) in [("/judge", &self.judge), ("/episode", &self.episode)] {
            if name.trim().is_empty() || name.chars().count() > MOST_NAME {
                let message = format!("a name has 1 to {MOST_NAME} characters");
                problems.push(Problem::error(place, "bad_value", message).help("write the name that the run uses"));
            }
        }
        let mut messages = Vec::new();
        for (index, message) in self.messages.into_iter().enumerate() {
            let place = format!("/messages/{index}");
            if message.index != index {
                let problem = Problem::error(format!("{place}/index"), "bad_value", format!("`index` is not {index}"));
                problems.push(problem.help("count the messages of the episode from 0"));
            }
            let counts = counts(&format!("{place}/counts"), message.counts, message.role.into(), &mut problems);
            messages.push(LabelledMessage { role: message.role, counts });
        }
        let conversation = counts("/conversation", self.conversation, LabelSubject::Conversation, &mut problems);
        match problems.is_empty() {
            true => Ok(ConversationLabels { judge: self.judge, episode: self.episode, messages, conversation }),
            false => Err(problems),
        }
    }
}

/// The counts, or the nothing that a judge gave.
fn counts(place: &str, given: Option<Entries>, subject: LabelSubject, wrong: &mut Vec<Problem>) -> Option<LabelCounts> {
    let below = |problem: Problem| problem.below(place);
    LabelCounts::read(&given?, subject, CountSource::File)
        .map_err(|found| wrong.extend(found.into_iter().map(below)))
        .ok()
}

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

    /// The episodes that labels are about, by their names.
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
        let name = quoted_name(&labels.episode);
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
            let message = format!("judge {} has labelled episode {name} before", quoted_name(&labels.judge));
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
