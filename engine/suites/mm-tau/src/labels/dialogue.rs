//! A message of a recorded dialogue as a judge is shown it.

use super::quotation::quoted;
use crate::measures::MessageRole;

/// Messages of a dialogue that a prompt shows at most: the last ones.
pub(super) const MOST_SHOWN: usize = 1000;

/// A message, as it was meant and as it arrived; in text the two are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogueMessage {
    pub role: MessageRole,
    /// Its words before the channel.
    pub said: String,
    /// Its words after the channel.
    pub heard: String,
}

pub(super) fn party(role: MessageRole) -> &'static str {
    match role {
        MessageRole::User => "user",
        MessageRole::Agent => "agent",
    }
}

impl DialogueMessage {
    /// What arrived: `3 agent: "..."`.
    pub(super) fn heard_line(&self, index: usize, limit: usize) -> String {
        format!("{index} {}: {}\n", party(self.role), quoted(&self.heard, limit))
    }

    pub(super) fn both_lines(&self, index: usize, limit: usize) -> String {
        let (party, said, heard) = (party(self.role), quoted(&self.said, limit), quoted(&self.heard, limit));
        format!("[said] {index} {party}: {said}\n[heard] {index} {party}: {heard}\n")
    }
}

/// The last messages with their numbers, and above them how many are left out.
pub(super) fn lines(messages: &[DialogueMessage], line: impl Fn(usize, &DialogueMessage) -> String) -> String {
    let left_out = messages.len().saturating_sub(MOST_SHOWN);
    let shown = messages.iter().enumerate().skip(left_out).map(|(index, message)| line(index, message));
    let head = (left_out > 0).then(|| format!("({left_out} earlier messages are not shown)\n"));
    head.into_iter().chain(shown).collect()
}
