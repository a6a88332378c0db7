//! Turns of a recorded dialogue: what the customer wrote, the calls that were made, one reply.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recording::{RecordedCall, canonical_name};
use probity_engine::Fields;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    User,
    Assistant,
    Tool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub role: Role,
    pub text: Option<String>,
    /// Calls of an agent: their ids, tools and arguments.
    pub calls: Vec<(String, String, Fields)>,
    pub answers: Option<String>,
}

impl Recorded {
    pub(super) fn asks(&self) -> bool {
        self.role == Role::Assistant && self.text.as_deref().is_some_and(|text| text.contains(['?', '？']))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Turn {
    pub user: String,
    /// Calls in the order of their results.
    pub calls: Vec<RecordedCall>,
    pub reply: String,
}

/// The turns of a dialogue, and what had no place in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Turns {
    /// In order.
    pub turns: Vec<Turn>,
    /// Messages of the agent before the customer's first.
    pub dropped_leading: usize,
    pub orphan_calls: usize,
    pub orphan_results: usize,
    /// Whether the customer had the last word, which was dropped.
    pub dropped_trailing: bool,
}

impl Turns {
    /// Puts messages in turns. A customer's message closes a turn only when the agent has said something in it, so
    /// that each turn has a reply; texts of one side are joined.
    pub fn of(messages: &[Recorded]) -> Turns {
        let mut all = Turns::default();
        let mut open: Option<Turn> = None;
        let mut waiting: BTreeMap<&str, (&str, &Fields)> = BTreeMap::new();
        for message in messages {
            let text = message.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
            match (message.role, &mut open) {
                (Role::User, _) => {
                    let Some(text) = text else { continue };
                    if open.as_ref().is_some_and(|turn| !turn.reply.is_empty()) {
                        all.turns.extend(open.take());
                    }
                    join(&mut open.get_or_insert_default().user, text);
                }
                (Role::Assistant, None) => all.dropped_leading += 1,
                (Role::Assistant, Some(turn)) => {
                    text.into_iter().for_each(|text| join(&mut turn.reply, text));
                    let calls = message.calls.iter().map(|(id, tool, fields)| (id.as_str(), (tool.as_str(), fields)));
                    waiting.extend(calls);
                }
                (Role::Tool, turn) => {
                    let made = message.answers.as_deref().and_then(|id| waiting.remove(id));
                    match (made, turn) {
                        (Some((tool, arguments)), Some(turn)) => turn.calls.push(RecordedCall {
                            tool: canonical_name(tool),
                            arguments: arguments.clone(),
                            result: Value::from(message.text.clone().unwrap_or_default()),
                        }),
                        (None, _) | (Some(_), None) => all.orphan_results += 1,
                    }
                }
            }
        }
        match open {
            Some(turn) if turn.reply.is_empty() => all.dropped_trailing = true,
            open => all.turns.extend(open),
        }
        all.orphan_calls = waiting.len();
        all
    }
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// What people say without saying anything, normalised.
const USUAL: &str = include_str!("fillers.txt");

/// Texts that are dropped wherever they are all that is said.
#[derive(Clone, Debug)]
pub struct Fillers(BTreeSet<String>);

impl Default for Fillers {
    fn default() -> Self {
        Fillers(USUAL.lines().map(str::to_owned).collect())
    }
}

impl Fillers {
    /// These texts and no others.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Fillers {
        Fillers(texts.into_iter().map(normalised).filter(|text| !text.is_empty()).collect())
    }

    /// Whether a message says nothing. One with a digit, an address or a question never does, nor one with calls.
    pub(super) fn holds(&self, message: &Recorded) -> bool {
        let Some(text) = message.text.as_deref().filter(|_| message.calls.is_empty() && message.answers.is_none())
        else {
            return false;
        };
        let tells = text.chars().any(|c| c.is_numeric()) || text.contains("://") || text.contains(['?', '？']);
        !tells && self.0.contains(&normalised(text))
    }
}

/// Lower case, letters and single spaces.
fn normalised(text: &str) -> String {
    let letters: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    letters.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
