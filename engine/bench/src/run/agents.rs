//! The agents of a run, made from its `run.json` and its inputs alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::config::{NamedAgent, RunConfig};
use super::episodes;
use super::error::RunError;
use crate::agent::interrupt::Interrupt;
use crate::agent::name::AgentName;
use crate::agent::quarters::Quarters;
use crate::agent::spec::AgentSpec;
use crate::provider::client::Client;
use crate::provider::form::ModelName;
use probity_engine::Hash;

/// What the agents of a run are, by their names in the report; those in a process live in `quarters`, those behind a
/// model ask `provider`, `input` gives the text of an input by its hash.
///
/// # Errors
/// An agent is not known, has no provider, or the episodes it says again are not among the inputs.
pub fn specs(
    config: &RunConfig,
    interrupt: &Arc<Interrupt>,
    quarters: Option<&Arc<Quarters>>,
    provider: Option<&Arc<Client>>,
    input: &dyn Fn(&Hash) -> Result<String, RunError>,
) -> Result<BTreeMap<String, AgentSpec>, RunError> {
    let timeout = Duration::from_secs(config.agent_timeout);
    let mut specs = BTreeMap::new();
    for named in &config.agents {
        let spec = match named.agent.clone() {
            AgentName::Replay(_) => recorded(named, input)?,
            AgentName::Model(ModelName { model, .. }) => {
                let client =
                    provider.cloned().ok_or_else(|| RunError::Agent("no provider is configured".to_owned()))?;
                let system = config.system.as_deref().map(Arc::from);
                AgentSpec::Chat { name: named.name.clone(), model, client, system }
            }
            other => AgentSpec::plain(other, timeout, quarters, interrupt)
                .ok_or_else(|| RunError::Agent(format!("`{}` cannot be made", named.agent)))?,
        };
        specs.insert(named.name.clone(), spec);
    }
    Ok(specs)
}

fn recorded(named: &NamedAgent, input: &dyn Fn(&Hash) -> Result<String, RunError>) -> Result<AgentSpec, RunError> {
    let bad = |what: &str| RunError::Agent(format!("the recorded episodes of agent `{}` {what}", named.name));
    let hash = named.recorded.as_ref().ok_or_else(|| bad("are not among the inputs"))?;
    let unreadable = |what: &str| bad(&format!("cannot be read: {what}"));
    let episodes = episodes::read(input(hash)?.as_bytes()).map_err(|error| unreadable(&error.to_string()))?;
    if let Some((line, what)) = episodes.damaged.first() {
        return Err(unreadable(&format!("line {line}: {what}")));
    }
    if episodes.is_torn {
        return Err(unreadable("the last line is cut off"));
    }
    Ok(AgentSpec::Replay(Arc::new(episodes.records.into_iter().map(|record| record.trace).collect())))
}
