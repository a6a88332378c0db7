//! What a good agent says next in a dialogue, found from the dialogue alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::episode::agent::{Agent, AgentMessage, Brief, Heard};
use crate::episode::{oracle, prompt};
use crate::load::suite::Suite;
use crate::model::ids::Variant;
use crate::task::Task;

/// Plays the oracle of whichever task a dialogue is about.
pub struct Speaker {
    /// Tasks and behaviours by the system prompt and the first turn.
    tasks: BTreeMap<(String, String), Vec<(Arc<Task>, Variant)>>,
}

impl Speaker {
    /// A speaker who knows the tasks of a suite.
    pub fn new(suite: &Suite) -> Self {
        let mut tasks: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for loaded in suite.tasks.values() {
            let task = &loaded.task;
            let system = prompt::brief(task.environment(), task.initial()).system;
            for (variant, behaviour) in task.variants() {
                let first = behaviour.turns.first().cloned().unwrap_or_default();
                tasks.entry((system.clone(), first)).or_default().push((Arc::clone(task), *variant));
            }
        }
        Speaker { tasks }
    }

    /// A fact that is withheld in the dialogue that a turn comes from, as the user would say it.
    pub fn withheld(&self, turn: &str) -> Option<String> {
        self.tasks.values().flatten().find_map(|(task, variant)| {
            let behaviour = task.behaviour(*variant)?;
            let name = behaviour.withheld.first().filter(|_| behaviour.turns.iter().any(|known| known == turn))?;
            let value = &task.file().facts.get(name)?.value;
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })
    }

    /// The next message; nothing when the dialogue is of no task, or did not go as its oracle does.
    pub fn next(&self, messages: &[Value]) -> Option<AgentMessage> {
        let system = words(messages.first()?)?;
        let heard = heard(messages.get(1..)?)?;
        let Heard::User(first) = heard.first()? else { return None };
        let known = self.tasks.iter().find(|((known, turn), _)| system.starts_with(known.as_str()) && turn == first);
        known?.1.iter().find_map(|(task, variant)| {
            let turns = &task.behaviour(*variant)?.turns;
            let said = heard.iter().filter_map(|heard| match heard {
                Heard::User(text) => Some(text),
                Heard::Observations(_) => None,
            });
            let is_this = said.enumerate().all(|(at, text)| turns.get(at) == Some(text));
            is_this.then(|| answer(task, *variant, &heard))?
        })
    }
}

fn answer(task: &Task, variant: Variant, heard: &[Heard]) -> Option<AgentMessage> {
    let mut agent = oracle::agent(task, variant)?;
    agent.start(&Brief { system: String::new(), tools: json!([]) }).ok()?;
    heard.iter().map(|heard| agent.respond(heard).ok()).collect::<Option<Vec<_>>>()?.pop()
}

/// What an agent heard, from the messages of a dialogue: the user's words, and what the calls before returned.
fn heard(messages: &[Value]) -> Option<Vec<Heard>> {
    let mut all = Vec::new();
    for message in messages {
        match message.get("role").and_then(Value::as_str)? {
            "user" => all.push(said(&words(message)?)),
            "tool" => {
                let value = serde_json::from_str(&words(message)?).ok()?;
                match all.last_mut() {
                    Some(Heard::Observations(values)) => values.push(value),
                    Some(Heard::User(_)) | None => all.push(Heard::Observations(vec![value])),
                }
            }
            "assistant" => {
                // Between two messages of calls, so that their observations are told apart.
                if let Some(Heard::Observations(_)) = all.last() {
                    all.push(Heard::Observations(Vec::new()));
                }
            }
            _ => {}
        }
    }
    all.retain(|heard| !matches!(heard, Heard::Observations(values) if values.is_empty()));
    Some(all)
}

/// A user message: words, or in the prompt mode what calls returned.
fn said(text: &str) -> Heard {
    let block = text.split_once("```json").and_then(|(_, rest)| rest.split_once("```"));
    let value: Option<Value> = block.and_then(|(block, _)| serde_json::from_str(block).ok());
    match value.as_ref().and_then(|value| value.get("observations")?.as_array()) {
        Some(values) => Heard::Observations(values.clone()),
        None => Heard::User(text.to_owned()),
    }
}

fn words(message: &Value) -> Option<String> {
    message.get("content")?.as_str().map(str::to_owned)
}
