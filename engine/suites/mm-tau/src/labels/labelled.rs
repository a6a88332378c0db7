//! A conversation with the labels of one judge, and the line of a file that holds it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::counts::{CountSource, LabelCounts, LabelSubject};
use crate::measures::MessageRole;
use probity_engine::Problem;
use probity_ruling::journal::Record;
use probity_ruling::reply::Entries;

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
