//! The units of a run: which agent plays which task under which behaviour, in a fixed order.

use std::sync::Arc;

use super::config::{RunConfig, Selection, UserKind};
use super::directory::RunError;
use crate::episode::play::{Setting, header, play};
use crate::episode::spec::AgentSpec;
use crate::episode::user::ScriptedUser;
use crate::load::suite::Suite;
use crate::model::event::EndReason;
use crate::model::ids::Variant;
use crate::model::stream::Stream;
use crate::run::record::EpisodeRecord;
use crate::task::Task;
use crate::trace::{Header, Limits, Trace};

/// One rollout that is to be played.
#[derive(Clone)]
pub struct Unit {
    /// The agent's name in the report.
    pub agent: String,
    /// The task.
    pub task: Arc<Task>,
    /// The user's behaviour.
    pub variant: Variant,
    /// Which repetition, from 0.
    pub trial: u32,
    seed: u64,
    limits: Limits,
    user: UserKind,
    turns: Arc<Vec<String>>,
}

impl Unit {
    /// What is played.
    pub fn setting(&self) -> Setting<'_> {
        let seed = self.episode_seed();
        Setting { task: &self.task, variant: self.variant, seed, limits: self.limits, user: self.user.name() }
    }

    /// The episode's own seed: from the run's seed, the task, the behaviour and the trial alone.
    pub fn episode_seed(&self) -> u64 {
        let name = format!("{}/{}/{}", self.task.id(), self.variant, self.trial);
        // Below 2^53, so that it is the same number in every JSON reader.
        Stream::new(self.seed, "episode", &name).below(1 << 53)
    }

    /// The same with another kind of user.
    #[must_use]
    pub fn of_user(&self, user: UserKind) -> Unit {
        Unit { user, ..self.clone() }
    }

    /// The same with the user who speaks in a trace, where nothing else knows what that user says.
    #[must_use]
    pub fn heard_in(&self, trace: &Trace) -> Unit {
        let turns = match self.user {
            UserKind::Scripted | UserKind::ScriptedSwapped => Arc::clone(&self.turns),
            UserKind::Typed => Arc::new(trace.turns().map(str::to_owned).collect()),
        };
        Unit { turns, ..self.clone() }
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
        (&self.agent, self.task.id(), self.variant, self.trial)
    }

    /// `agent task variant trial`, as [`EpisodeRecord::name`] has it.
    pub fn name(&self) -> String {
        format!("{} {} {} #{}", self.agent, self.task.id(), self.variant, self.trial)
    }

    /// Whether the agent has something to play there.
    pub fn is_playable(&self, agent: &AgentSpec) -> bool {
        agent.create(&self.task, self.variant, self.episode_seed()).is_some()
    }

    /// Plays and scores it; `None` when the agent has nothing to play there.
    pub fn play(&self, agent: &AgentSpec) -> Option<EpisodeRecord> {
        let mut agent = agent.create(&self.task, self.variant, self.episode_seed())?;
        self.play_with(agent.as_mut())
    }

    /// Plays and scores it with an agent that is there already.
    pub fn play_with(&self, agent: &mut dyn crate::episode::agent::Agent) -> Option<EpisodeRecord> {
        let trace = play(self.setting(), agent, &mut ScriptedUser::new(self.turns.to_vec()));
        let mut record = EpisodeRecord::new(&self.agent, self.trial, &self.task, trace)?;
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
    let mut units = Vec::with_capacity(count);
    for agent in &config.agents {
        for (index, (task, variant)) in instances.iter().enumerate() {
            let Some(turns) = turns(&instances, index, config.user).map(Arc::new) else { continue };
            units.extend((0..config.trials).map(|trial| Unit {
                agent: agent.name.clone(),
                task: Arc::clone(task),
                variant: *variant,
                trial,
                seed: config.seed,
                limits: config.limits,
                user: config.user,
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
        UserKind::Scripted | UserKind::Typed => Some(task),
        UserKind::ScriptedSwapped => {
            let (before, after) = instances.split_at_checked(index + 1)?;
            let others = after.iter().chain(before).filter(|(_, other)| other == variant).map(|(task, _)| task);
            others.into_iter().find(|other| other.id() != task.id())
        }
    };
    Some(speaker?.behaviour(*variant)?.turns.clone())
}
