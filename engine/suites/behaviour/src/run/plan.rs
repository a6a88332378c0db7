//! The units of a run: which agent plays which task under which behaviour, in a fixed order.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config::{RunConfig, Selection, UserKind};
use super::directory::RunError;
use super::episodes::Entry;
use super::journal::Place;
use crate::episode::agent::Agent;
use crate::episode::play::{Setting, header, play};
use crate::episode::replay::ReplayAgent;
use crate::episode::spec::AgentSpec;
use crate::episode::user::{ContractUser, ModelUser, ScriptedUser, User};
use crate::run::record::EpisodeRecord;
use crate::score::episode::Scorer;
use crate::suite::Suite;
use crate::task::Task;
use probity_bench::event::EndReason;
use probity_bench::provider::client::Client;
use probity_bench::trace::{Header, Limits, Trace};
use probity_engine::model::ids::Variant;
use probity_engine::model::stream::Stream;

/// How the name of a user's unit begins in a cassette.
pub const USER_UNIT: &str = "user of ";

/// One rollout that is to be played.
#[derive(Clone)]
pub struct Unit {
    /// The agent's name in the report.
    pub agent: String,
    /// The task, with what scoring asks of it.
    pub scorer: Arc<Scorer<Arc<Task>>>,
    /// The user's behaviour.
    pub variant: Variant,
    /// Which repetition, from 0.
    pub trial: u32,
    seed: u64,
    limits: Limits,
    user: UserKind,
    user_name: Arc<str>,
    user_client: Option<Arc<Client>>,
    turns: Arc<Vec<String>>,
}

impl Unit {
    /// The task.
    pub fn task(&self) -> &Task {
        self.scorer.task()
    }

    /// What is played.
    pub fn setting(&self) -> Setting<'_> {
        let seed = self.episode_seed();
        Setting { task: self.task(), variant: self.variant, seed, limits: self.limits, user: &self.user_name }
    }

    /// The episode's own seed: from the run's seed, the task, the behaviour and the trial alone.
    pub fn episode_seed(&self) -> u64 {
        let name = format!("{}/{}/{}", self.task().id(), self.variant, self.trial);
        // Below 2^53, so that it is the same number in every JSON reader.
        Stream::new(self.seed, "episode", &name).below(1 << 53)
    }

    /// The same with another kind of user.
    #[must_use]
    pub fn of_user(&self, user: UserKind) -> Unit {
        Unit { user, user_name: user.name().into(), ..self.clone() }
    }

    /// The header that its trace will have: a finished episode is known by it.
    pub fn header(&self) -> Header {
        header(self.setting())
    }

    /// Whether a record is this unit's.
    pub fn is_recorded_in(&self, record: &EpisodeRecord) -> bool {
        record.agent == self.agent && record.trial == self.trial && record.trace.header == self.header()
    }

    /// The order of episodes in files and digests.
    pub fn order(&self) -> (&str, &str, Variant, u32) {
        (&self.agent, self.task().id(), self.variant, self.trial)
    }

    /// The entry of its record, which stands there.
    pub(super) fn entry(&self, place: Place) -> Entry {
        let (agent, task, variant, trial) = self.order();
        Entry { agent: agent.to_owned(), task: task.to_owned(), variant, trial, place }
    }

    /// `agent task variant trial`, as [`EpisodeRecord::name`] has it.
    pub fn name(&self) -> String {
        format!("{} {} {} #{}", self.agent, self.task().id(), self.variant, self.trial)
    }

    /// Whether the agent has something to play there.
    pub fn is_playable(&self, agent: &AgentSpec) -> bool {
        agent.create(self.task(), self.variant, self.episode_seed()).is_some()
    }

    /// Plays and scores it; `None` when the agent has nothing to play there.
    pub fn play(&self, agent: &AgentSpec) -> Option<EpisodeRecord> {
        let mut agent = agent.create(self.task(), self.variant, self.episode_seed())?;
        self.play_by(agent.as_mut())
    }

    /// The same by an agent at hand; `None` also where the user's turns stand in a trace alone.
    pub fn play_by(&self, agent: &mut dyn Agent) -> Option<EpisodeRecord> {
        let mut user = self.user()?;
        let mut record = self.play_with(agent, user.as_mut())?;
        record.user_usage = user.usage();
        Some(record)
    }

    /// Plays it again as a trace has it: the agent says what it said, and so does a user whose turns were typed; a
    /// user without a model is found anew, and of one with a model the words are taken if they mean what is found anew.
    pub fn replay(&self, trace: &Trace) -> Option<EpisodeRecord> {
        let mut user: Box<dyn User + '_> = match self.user {
            UserKind::Model => Box::new(ModelUser::recorded(self.task(), trace)?),
            UserKind::Typed => Box::new(ScriptedUser::new(trace.heard().map(|(_, text)| text.to_owned()).collect())),
            UserKind::Scripted | UserKind::ScriptedSwapped | UserKind::Contract => self.user()?,
        };
        self.play_with(&mut ReplayAgent::new(trace), user.as_mut())
    }

    /// Gives a model user the provider to ask.
    pub fn ask(&mut self, client: &Arc<Client>) {
        self.user_client = Some(Arc::clone(client));
    }

    fn user(&self) -> Option<Box<dyn User + '_>> {
        Some(match self.user {
            UserKind::Scripted | UserKind::ScriptedSwapped => Box::new(ScriptedUser::new(self.turns.to_vec())),
            UserKind::Contract => Box::new(ContractUser::new(self.task(), self.variant)?),
            UserKind::Model => {
                let client = Arc::clone(self.user_client.as_ref()?);
                let model = self.user_name.split_once(':').map(|(_, model)| model.to_owned())?;
                let seed = self.episode_seed();
                let unit = format!("{USER_UNIT}{} {} {} {seed}", self.agent, self.task().id(), self.variant);
                Box::new(ModelUser::new(self.task(), self.variant, client, model, unit)?)
            }
            UserKind::Typed => return None,
        })
    }

    fn play_with(&self, agent: &mut dyn Agent, user: &mut dyn User) -> Option<EpisodeRecord> {
        let trace = play(self.setting(), agent, user);
        let mut record = EpisodeRecord::new(&self.agent, self.trial, &self.scorer, trace)?;
        record.usage = agent.usage();
        if matches!(record.trace.end(), Some((EndReason::AgentFailed, _))) {
            record.agent_errors = agent.errors();
        }
        Some(record)
    }
}

/// The task instances that a selection means, in order.
pub fn instances(suite: &Suite, selection: &Selection) -> Vec<(Arc<Task>, Variant)> {
    let chosen = |list: &[String], name: &str| list.is_empty() || list.iter().any(|wanted| wanted == name);
    let mut instances = Vec::new();
    for loaded in suite.tasks.values() {
        let task = &loaded.task;
        let short = task.id().rsplit('/').next().unwrap_or_default();
        let wanted = chosen(&selection.environments, task.environment().id())
            && chosen(&selection.domains, task.domain())
            && (chosen(&selection.tasks, task.id()) || chosen(&selection.tasks, short))
            && (selection.difficulties.is_empty() || selection.difficulties.contains(&task.difficulty()));
        let variants =
            task.variants().keys().filter(|v| selection.variants.is_empty() || selection.variants.contains(v));
        instances.extend(variants.filter(|_| wanted).map(|variant| (Arc::clone(task), *variant)));
    }
    instances.truncate(selection.limit.unwrap_or(usize::MAX));
    instances
}

/// The units of a run, in unit order.
///
/// # Errors
/// There are more than a run may have.
pub fn units(suite: &Suite, config: &RunConfig) -> Result<Vec<Unit>, RunError> {
    let instances = instances(suite, &config.selection);
    let count = config.count_units(instances.len()).map_err(RunError::TooLarge)?;
    let user_name: Arc<str> = config.user_name().into();
    let mut scorers: BTreeMap<&str, Arc<Scorer<Arc<Task>>>> = BTreeMap::new();
    let mut units = Vec::with_capacity(count);
    for agent in &config.agents {
        for (index, (task, variant)) in instances.iter().enumerate() {
            let Some(turns) = turns(&instances, index, config.user).map(Arc::new) else { continue };
            let scorer = scorers.entry(task.id()).or_insert_with(|| Arc::new(Scorer::new(Arc::clone(task))));
            units.extend((0..config.trials).map(|trial| Unit {
                agent: agent.name.clone(),
                scorer: Arc::clone(scorer),
                variant: *variant,
                trial,
                seed: config.seed,
                limits: config.limits,
                user: config.user,
                user_name: Arc::clone(&user_name),
                user_client: None,
                turns: Arc::clone(&turns),
            }));
        }
    }
    units.sort_by(|a, b| a.order().cmp(&b.order()));
    Ok(units)
}

/// What the user of an instance says: its own turns, or those of the next task with the same variant.
fn turns(instances: &[(Arc<Task>, Variant)], index: usize, user: UserKind) -> Option<Vec<String>> {
    let (task, variant) = instances.get(index)?;
    let speaker = match user {
        UserKind::Scripted | UserKind::Contract | UserKind::Model | UserKind::Typed => Some(task),
        UserKind::ScriptedSwapped => {
            let (before, after) = instances.split_at_checked(index + 1)?;
            let others = after.iter().chain(before).filter(|(_, other)| other == variant).map(|(task, _)| task);
            others.into_iter().find(|other| other.id() != task.id())
        }
    };
    Some(speaker?.behaviour(*variant)?.turns.clone())
}
