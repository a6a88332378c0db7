//! What a run was asked to do: `run.json`. A run is played again, or on, from it and its inputs alone; so its agents
//! are made from them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::episodes;
use super::error::RunError;
use super::part::Part;
use crate::agent::name::AgentName;
use crate::agent::process::Interrupt;
use crate::agent::quarters::{Isolation, Quarters};
use crate::agent::spec::AgentSpec;
use crate::instance::{Instance, Limits, Options};
use crate::provider::client::Client;
use crate::provider::config::ProviderConfig;
use crate::provider::form::ModelName;
use probity_engine::{Hash, MAX_SAFE_INTEGER};

/// The version of the run format this build writes and reads.
pub const FORMAT: u32 = 2;

/// The user whose words a model finds.
pub const MODEL_USER: &str = "model";

/// Trials at most.
pub const MAX_TRIALS: u32 = 10_000;
/// The largest root seed: the same number in every JSON reader.
pub const MAX_SEED: u64 = MAX_SAFE_INTEGER as u64;
/// Agent messages in one episode at most.
pub const MAX_MESSAGES: u32 = 1000;
/// Seconds for each message of an `exec:` agent at most.
pub const MAX_AGENT_TIMEOUT: u64 = 86_400;
/// The same where nobody says otherwise.
pub const DEFAULT_AGENT_TIMEOUT: u64 = 60;
/// Units of one run at most, in however many parts it is played.
pub(crate) const MAX_UNITS: usize = 100_000_000;
/// Units that one command plays at most: where their episodes stand is held in memory.
pub const MAX_EPISODES: usize = 1_000_000;

/// The content of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Version of the run format.
    pub format: u32,
    /// Version of the engine.
    pub engine: String,
    /// The benchmark, by the name of its card.
    pub suite: String,
    /// The agents.
    pub agents: Vec<NamedAgent>,
    /// Which tasks, at which levels, and how many.
    pub selection: Selection,
    /// How often each is played.
    pub trials: u32,
    /// The root seed.
    pub seed: u64,
    /// The limits of an episode.
    pub limits: Limits,
    /// The benchmark's options that are not the usual ones.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// Seconds an `exec:` agent has for each message.
    pub agent_timeout: u64,
    /// How agents in a process are kept apart; nothing where there is none, or none was known when the run began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// Which of the benchmark's users.
    pub user: String,
    /// The model of a model user, and how it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_model: Option<UserModel>,
    /// The programs that what the user says goes through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech: Option<RunSpeech>,
    /// How agents behind a model ask their provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderConfig>,
    /// What agents behind a model are told in place of the suite's own advice how to work; nothing where they are told that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The model that grades episodes as they end, and how it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<RunJudge>,
    /// Which units of a plan it is; nothing where it is a whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The content hashes of all authored files it needs, by path.
    pub inputs: BTreeMap<String, Hash>,
}

impl RunConfig {
    /// Whether it stays within the bounds of the command line; a `run.json` can say anything.
    ///
    /// # Errors
    /// What is out of bounds.
    pub fn check(&self) -> Result<(), String> {
        let bounds = [
            ("trials", u64::from(self.trials), 1, u64::from(MAX_TRIALS)),
            ("seed", self.seed, 0, MAX_SEED),
            ("limits.max_messages", u64::from(self.limits.max_messages), 1, u64::from(MAX_MESSAGES)),
            ("agent_timeout", self.agent_timeout, 1, MAX_AGENT_TIMEOUT),
        ];
        match bounds.into_iter().find(|(_, value, least, most)| value < least || value > most) {
            Some((name, value, least, most)) => Err(format!("`{name}` is {value}, not from {least} to {most}")),
            None if (self.user == MODEL_USER) != self.user_model.is_some() => {
                Err("`user_model` belongs to the user `model`, and to no other".to_owned())
            }
            None => {
                let mut names = BTreeSet::new();
                if let Some(twice) = self.agents.iter().find(|agent| !names.insert(&agent.name)) {
                    return Err(format!("two agents are called `{}`", twice.name));
                }
                let judge = self.judge.iter().map(|judge| &judge.provider);
                self.providers().chain(judge).try_for_each(ProviderConfig::check)
            }
        }
    }

    /// All providers that episodes ask.
    pub fn providers(&self) -> impl Iterator<Item = &ProviderConfig> {
        self.provider.iter().chain(self.user_model.iter().map(|model| &model.provider))
    }

    /// Whether an agent and the user do the same whenever they are asked the same.
    pub(crate) fn is_deterministic(&self, agent: &str) -> bool {
        let is_free =
            |named: &NamedAgent| named.name == agent && matches!(named.agent, AgentName::Model(_) | AgentName::Exec(_));
        self.user_model.is_none() && self.speech.is_none() && !self.agents.iter().any(is_free)
    }

    /// The spelling of the user in traces.
    pub fn user_name(&self) -> String {
        match &self.user_model {
            Some(model) => format!("{}:{}", self.user, model.model),
            None => self.user.clone(),
        }
    }

    /// How many units it has on so many task instances.
    ///
    /// # Errors
    /// More than a run may have.
    pub(crate) fn count_units(&self, instances: usize) -> Result<usize, String> {
        let trials = usize::try_from(self.trials).unwrap_or(usize::MAX);
        let count = self.agents.len().checked_mul(instances).and_then(|count| count.checked_mul(trials));
        count.filter(|count| *count <= MAX_UNITS).ok_or_else(|| {
            let agents = self.agents.len();
            format!("{agents} agents x {instances} task instances x {trials} trials: {MAX_UNITS} episodes is the most")
        })
    }
}

/// The programs that what the user says goes through: one speaks, the other writes down what it hears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpeech {
    /// The command that speaks.
    pub tts: String,
    /// The command that writes down what it hears.
    pub asr: String,
}

/// The model that speaks for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserModel {
    /// The model.
    pub model: String,
    /// How it is asked.
    pub provider: ProviderConfig,
}

/// The model that grades the episodes of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunJudge {
    /// The model.
    pub model: String,
    /// The version of the wording it is asked in.
    pub wording: String,
    /// How it is asked.
    pub provider: ProviderConfig,
}

/// An agent and its name in the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedAgent {
    /// The name in the report.
    pub name: String,
    /// What `--agent` was given.
    pub agent: AgentName,
    /// For `replay:`, the hash of the recorded episodes it says again; they are among the inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Hash>,
}

/// Which task instances are played; an empty list means all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Task ids, or the last part of one.
    pub tasks: Vec<String>,
    /// Levels by factor.
    pub levels: BTreeMap<String, Vec<String>>,
    /// At most so many task instances.
    pub limit: Option<usize>,
}

impl Selection {
    /// Those of some instances that it means, in their order.
    pub fn of(&self, instances: Vec<Instance>) -> Vec<Instance> {
        let is_meant = |list: &[String], name: &str| list.is_empty() || list.iter().any(|wanted| wanted == name);
        let is_chosen = |at: &Instance| {
            let short = at.task.rsplit('/').next().unwrap_or_default();
            let factors = at.factors();
            let mut levels = self.levels.iter();
            (is_meant(&self.tasks, &at.task) || is_meant(&self.tasks, short))
                && levels.all(|(factor, wanted)| factors.get(factor).is_some_and(|level| is_meant(wanted, level)))
        };
        instances.into_iter().filter(is_chosen).take(self.limit.unwrap_or(usize::MAX)).collect()
    }
}

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
