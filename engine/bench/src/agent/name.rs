//! Agents by name: what `--agent` takes.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::cheat::Cheat;
use crate::provider::form::{Form, ModelName};
use probity_engine::{as_text, suggest};

/// What an agent's name stands for, before any file is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentName {
    /// `oracle`: plays what the benchmark has as the right way.
    Oracle,
    /// `noop`: never calls a tool.
    Noop,
    /// `coin:PERCENT`: the oracle so many times in a hundred, else nothing.
    Coin(u8),
    /// `fault:NAME`: one of the benchmark's planted faults.
    Fault(String),
    /// `cheat:NAME`: tries to get numbers without the work.
    Cheat(Cheat),
    /// `replay:RUN` or `replay:RUN#AGENT`: says again what recorded episodes say.
    Replay(PathBuf),
    /// `exec:CMD`: a process that speaks JSON lines.
    Exec(String),
    /// `openai:MODEL` and the like: a model behind a provider.
    Model(ModelName),
    /// Another word: an agent of the benchmark's own.
    Own(String),
}

/// What an agent is in a run for; the tables of a page stand in tiers by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentGroup {
    /// A model, a process or a recorded agent: what the run is for.
    Examined,
    /// Built in, to have something beside them: what perfect, simple and no acting give.
    BuiltIn,
    /// Built in, with one known fault: what the scores must notice.
    PlantedFault,
    /// Built in, to get numbers without the work: what the scores must not give.
    Cheat,
}

impl AgentName {
    /// Whether it does the same every time it is asked the same. A model does not, and of a process nobody knows.
    pub fn is_repeatable(&self) -> bool {
        match self {
            AgentName::Oracle
            | AgentName::Noop
            | AgentName::Fault(_)
            | AgentName::Cheat(_)
            | AgentName::Replay(_)
            | AgentName::Own(_) => true,
            AgentName::Coin(_) | AgentName::Exec(_) | AgentName::Model(_) => false,
        }
    }

    /// What it is in the run for.
    pub fn group(&self) -> AgentGroup {
        match self {
            AgentName::Oracle | AgentName::Noop | AgentName::Coin(_) | AgentName::Own(_) => AgentGroup::BuiltIn,
            AgentName::Fault(_) => AgentGroup::PlantedFault,
            AgentName::Cheat(_) => AgentGroup::Cheat,
            AgentName::Exec(_) | AgentName::Model(_) | AgentName::Replay(_) => AgentGroup::Examined,
        }
    }

    /// The model behind which it is, if it asks a provider.
    pub fn model(&self) -> Option<&ModelName> {
        if let AgentName::Model(name) = self { Some(name) } else { None }
    }

    /// Whether an agent that only a suite can know is one of these, which stand beside the oracle and `noop`.
    ///
    /// # Errors
    /// One line, with what was perhaps meant.
    pub fn known_among<'a>(&self, own: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let name = self.to_string();
        let own: Vec<&str> = own.into_iter().collect();
        if !matches!(self, AgentName::Own(_) | AgentName::Fault(_)) || own.contains(&name.as_str()) {
            return Ok(());
        }
        let near = suggest::nearest(&name, own.into_iter().chain(["oracle", "noop"]));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(format!("there is no agent `{name}`{near}"))
    }
}

as_text!(AgentName);

impl FromStr for AgentName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "oracle" => Ok(AgentName::Oracle),
            None if text == "noop" => Ok(AgentName::Noop),
            None => Ok(AgentName::Own(text.to_owned())),
            Some(("coin", percent)) => match percent.parse() {
                Ok(percent @ 0..=100) => Ok(AgentName::Coin(percent)),
                Ok(_) | Err(_) => Err(format!("`{percent}` is no share of 100")),
            },
            Some(("fault", name)) => Ok(AgentName::Fault(name.to_owned())),
            Some(("cheat", name)) => name.parse().map(AgentName::Cheat),
            Some(("replay", file)) if !file.is_empty() => Ok(AgentName::Replay(file.into())),
            Some(("exec", command)) if !command.trim().is_empty() => Ok(AgentName::Exec(command.to_owned())),
            Some(_) => text.parse().map(AgentName::Model).map_err(|_| format!("there is no agent `{text}`")),
        }
    }
}

impl std::fmt::Display for AgentName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AgentName::Oracle => f.write_str("oracle"),
            AgentName::Noop => f.write_str("noop"),
            AgentName::Coin(percent) => write!(f, "coin:{percent}"),
            AgentName::Fault(name) => write!(f, "fault:{name}"),
            AgentName::Cheat(cheat) => write!(f, "cheat:{}", cheat.name()),
            AgentName::Replay(path) => write!(f, "replay:{}", path.display()),
            AgentName::Exec(command) => write!(f, "exec:{command}"),
            AgentName::Model(name) => write!(f, "{name}"),
            AgentName::Own(name) => f.write_str(name),
        }
    }
}

/// An agent as `probity run --list-agents` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// What `--agent` takes.
    pub name: String,
    /// What it does, in one line.
    pub description: String,
    /// The metrics that it must lower against the oracle.
    #[serde(default)]
    pub must_lower: Vec<String>,
}

impl AgentEntry {
    /// One that is there for no metric in particular.
    pub fn plain(name: &str, description: &str) -> AgentEntry {
        AgentEntry { name: name.to_owned(), description: description.to_owned(), must_lower: Vec::new() }
    }
}

/// The agents that every benchmark has; its own stand behind the second.
pub fn shared() -> [AgentEntry; 6] {
    let others: Vec<String> = Form::all().skip(1).map(|form| format!("{form}:MODEL is {}", form.about)).collect();
    let model = format!(
        "a model behind {}; needs --base-url, or the key in {}; {}",
        Form::default().about,
        Form::default().key_env,
        others.join(", ")
    );
    [
        ("oracle", "plays the first accepted outcome, as one who knows the task"),
        ("noop", "never calls a tool: what it passes, nothing tests"),
        ("coin:PERCENT", "plays the oracle so many times in a hundred: noise of a known size, to try a gate with"),
        ("replay:RUN#AGENT", "says again what an agent of a recorded run said"),
        ("exec:CMD", "a process of its own that speaks JSON lines"),
        ("openai:MODEL", model.as_str()),
    ]
    .map(|(name, description)| AgentEntry::plain(name, description))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for text in [
            "oracle",
            "noop",
            "coin:40",
            "fault:x@mild",
            "cheat:nonsense",
            "replay:a#b",
            "exec:cat",
            "openai:m",
            "anthropic:m:1",
            "heuristic",
        ] {
            assert_eq!(text.parse::<AgentName>().unwrap().to_string(), text);
        }
        for text in ["coin:101", "exec: ", "openai:", "gemini: ", "replay:", "cheat:x", "strange:x"] {
            assert!(text.parse::<AgentName>().is_err(), "{text}");
        }
    }
}
