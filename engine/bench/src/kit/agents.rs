//! A suite's own agents as a table: what `--agent` takes, what each does, and how it plays.

use crate::agent::name::{AgentEntry, AgentName};
use probity_engine::suggest;

/// An agent of a suite's own.
pub struct OwnAgent<M> {
    /// What `--agent` takes: `jumper`, `fault:wrong_value`.
    pub name: &'static str,
    /// What it does, in one line.
    pub what: &'static str,
    /// The metrics that it must lower against the oracle.
    pub must_lower: &'static [&'static str],
    /// How it plays.
    pub manner: M,
}

/// All agents of a suite's own.
pub struct OwnAgents<M: 'static> {
    /// How its oracle plays.
    pub oracle: M,
    /// The others, in the order of their list.
    pub others: &'static [OwnAgent<M>],
}

impl<M: Copy> OwnAgents<M> {
    /// How an agent plays; nothing where it is none of the suite's own.
    pub fn manner(&self, agent: &AgentName) -> Option<M> {
        let name = agent.to_string();
        let other = || self.others.iter().find(|own| own.name == name).map(|own| own.manner);
        if *agent == AgentName::Oracle { Some(self.oracle) } else { other() }
    }

    /// All but the oracle, for a list of them.
    pub fn entries(&self) -> Vec<AgentEntry> {
        let entry = |own: &OwnAgent<M>| AgentEntry {
            must_lower: own.must_lower.to_vec(),
            ..AgentEntry::plain(own.name, own.what)
        };
        self.others.iter().map(entry).collect()
    }
}

/// Whether an agent that only a suite can know is one of these, which stand beside the oracle and `noop`.
///
/// # Errors
/// One line, with what was perhaps meant.
pub fn knows<'a>(agent: &AgentName, own: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    let name = agent.to_string();
    let own: Vec<&str> = own.into_iter().collect();
    if !matches!(agent, AgentName::Own(_) | AgentName::Fault(_)) || own.contains(&name.as_str()) {
        return Ok(());
    }
    let near = suggest::nearest(&name, own.into_iter().chain(["oracle", "noop"]));
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(format!("there is no agent `{name}`{near}"))
}
