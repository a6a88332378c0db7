//! A conversation with the labels of one judge, and the line of a label file that holds it.

use serde_json::{Value, json};

use super::counts::LabelCounts;
use super::dialogue::party;
use crate::measures::MessageRole;

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

    pub fn line(&self) -> String {
        let message = |(index, message): (usize, &LabelledMessage)| json!({"index": index, "role": party(message.role), "counts": message.counts});
        let messages: Vec<Value> = self.messages.iter().enumerate().map(message).collect();
        json!({
            "judge": self.judge,
            "episode": self.episode,
            "messages": messages,
            "conversation": self.conversation,
        })
        .to_string()
    }
}
