//! What a good agent says next in a dialogue, found from the dialogue alone; and what the model `user` says: the
//! message it was given in slightly other words, or spoiled as a mode asks.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::mode::Deed;
use probity_behaviour::episode::play;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::{Agent, AgentMessage, Brief, Heard, MAX_EXTRA_REPLIES};

type Played = (Arc<Task>, Variant);

/// Plays the oracle of whichever task a dialogue is about.
pub struct Speaker {
    /// Tasks and behaviours by the system prompt and the first turn.
    tasks: BTreeMap<(String, String), Vec<Played>>,
}

impl Speaker {
    pub fn new(suite: &Suite) -> Self {
        let mut tasks: BTreeMap<_, Vec<Played>> = BTreeMap::new();
        for loaded in suite.tasks.values() {
            let task = &loaded.task;
            let system = task.brief().system.clone();
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
        let with_extras = |(task, variant): &Played| {
            let extras = extras(&task.behaviour(*variant)?.turns, &heard);
            (extras.len() <= MAX_EXTRA_REPLIES).then(|| (extras, Arc::clone(task), *variant))
        };
        let mut fitting: Vec<_> = known?.1.iter().filter_map(with_extras).collect();
        fitting.sort_by_key(|(extras, ..)| extras.len());
        fitting.iter().find_map(|(extras, task, variant)| answer(task, *variant, &heard, extras))
    }
}

/// What the user says beside these turns, by place.
fn extras(turns: &[String], heard: &[Heard]) -> Vec<usize> {
    let mut turns = turns.iter().peekable();
    let is_extra = |said: &Heard| match said {
        Heard::User(text) => turns.next_if(|turn| *turn == text).is_none(),
        Heard::Observations(_) => false,
    };
    heard.iter().map(is_extra).enumerate().filter(|(_, is_extra)| *is_extra).map(|(at, _)| at).collect()
}

fn answer(task: &Task, variant: Variant, heard: &[Heard], extras: &[usize]) -> Option<AgentMessage> {
    let mut agent = play::agent(task, variant)?;
    agent.start(&Brief { system: String::new(), tools: json!([]), history: Vec::new() }).ok()?;
    let respond = |(at, heard): (usize, &Heard)| {
        if extras.contains(&at) {
            agent.expect_extra();
        }
        agent.respond(heard).ok()
    };
    heard.iter().enumerate().map(respond).collect::<Option<Vec<_>>>()?.pop()
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

/// The model that speaks for a user; every other one is an agent.
pub(super) const MODEL: &str = "user";
/// Other words around the same ones.
const FRAMES: [(&str, &str); 4] =
    [("", " Thanks."), ("Right. ", ""), ("Hello again. ", ""), ("", " Please and thank you.")];

/// The words, from the messages of a request; nothing when there is no message to rephrase.
pub(super) fn users_words(messages: &[Value], deed: Deed, speaker: &Speaker) -> Option<String> {
    let meant = messages.get(1)?.get("content")?.as_str()?;
    let is_first = messages.len() == 2;
    Some(match deed {
        Deed::UserAdds => format!("{meant} My card is 4711 8823."),
        Deed::UserSlips if is_first => format!("{meant} My card is 4711 8823."),
        Deed::UserChanges => changed(meant),
        Deed::UserLeaks => match speaker.withheld(meant) {
            Some(fact) => format!("{meant} It is {fact}."),
            None => framed(meant),
        },
        _ => framed(meant),
    })
}

fn framed(meant: &str) -> String {
    let (before, after) = FRAMES.get(meant.len() % FRAMES.len()).copied().unwrap_or_default();
    format!("{before}{meant}{after}")
}

/// Every digit one more; where there is none, a yes to nothing or a no to it.
fn changed(meant: &str) -> String {
    let more = |c: char| c.to_digit(10).and_then(|digit| char::from_digit((digit + 1) % 10, 10)).unwrap_or(c);
    let other: String = meant.chars().map(more).collect();
    match (other == meant, meant.to_lowercase().contains("yes")) {
        (false, _) => other,
        (true, true) => "Never mind.".to_owned(),
        (true, false) => "Yes, go ahead.".to_owned(),
    }
}
