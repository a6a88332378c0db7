//! Labels and episodes for tests.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::counts::LabelSubject;
use super::label_set::{JudgedEpisode, LabelSet};
use crate::measures::{MessageRole, Modality};

/// The counts of a message of the agent: those given, and 0 for the others.
pub(super) fn agent(given: &[(&str, u64)]) -> Value {
    let zeros = LabelSubject::AgentMessage.sheets().map(|sheet| (sheet.name.clone(), json!(0)));
    let given = given.iter().map(|(name, count)| ((*name).to_owned(), json!(count)));
    json!({"role": "agent", "counts": zeros.chain(given).collect::<serde_json::Map<_, _>>()})
}

pub(super) fn user(effort: u64) -> Value {
    json!({"role": "user", "counts": {"user_effort": effort}})
}

pub(super) fn unread(role: &str) -> Value {
    json!({"role": role, "counts": null})
}

/// The counts of a conversation in the order of their names.
pub(super) fn tasks(counts: [u64; 4]) -> Value {
    LabelSubject::Conversation.sheets().map(|sheet| sheet.name.clone()).zip(counts.map(Value::from)).collect()
}

pub(super) fn line(judge: &str, episode: &str, messages: &[Value], conversation: Value) -> String {
    let numbered = messages
        .iter()
        .enumerate()
        .map(|(index, message)| json!({"index": index, "role": message["role"], "counts": message["counts"]}));
    let messages: Vec<Value> = numbered.collect();
    json!({"judge": judge, "episode": episode, "messages": messages, "conversation": conversation}).to_string()
}

/// An episode of one agent in one domain; `u` and `a` are its messages.
pub(super) fn episode(task: &str, modality: Modality, exposure: &str, roles: &str) -> JudgedEpisode {
    let role = |c| if c == 'a' { MessageRole::Agent } else { MessageRole::User };
    JudgedEpisode {
        agent: "ours".to_owned(),
        domain: "telecom".to_owned(),
        exposure: exposure.to_owned(),
        modality,
        task: task.to_owned(),
        roles: roles.chars().map(role).collect(),
    }
}

pub(super) fn run(episodes: &[(&str, JudgedEpisode)]) -> LabelSet {
    LabelSet::new(episodes.iter().map(|(name, one)| ((*name).to_owned(), one.clone())).collect::<BTreeMap<_, _>>())
}
