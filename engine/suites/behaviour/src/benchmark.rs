//! The behaviour suite as a benchmark: a task under each of its behaviours is an instance.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::episode::fault::{FAULTS, PlantedFault};
use crate::episode::heuristic::HeuristicAgent;
use crate::episode::play::{self, PlanAgent};
use crate::episode::user::{ContractUser, ModelUser, ScriptedUser, User, UserKind};
use crate::figures::figures;
use crate::model::variant::Variant;
use crate::score::episode::Scorer;
use crate::score::honesty::Grounds;
use crate::score::success::Success;
use crate::suite::Suite;
use crate::task::Task;
use crate::wanted::wanted;
use probity_bench::census::Figure;
use probity_bench::{
    Agent, AgentEntry, AgentName, Benchmark, Card, Dialogue, EpisodeRecord, Files, Header, Instance, MODEL_USER,
    Rollout, Scores, Setting, Trace, Wanted, Words,
};
use probity_engine::Environment;

pub use crate::card::{CARD, NAME};
pub use crate::episode::user::{CONTRACT, SCRIPTED, SCRIPTED_SWAPPED, TYPED};

/// The agent that picks calls from the user's words.
/// The suite's own agent that is no fault.
pub(crate) const HEURISTIC: &str = "heuristic";

/// What is known of an episode beyond its scores. Who knows it proves things about tasks, and this crate proves none.
pub type Remark = fn(&Task, &Trace, &Success) -> Option<String>;

/// The tasks of a suite, played and scored.
pub struct BehaviourBenchmark {
    suite: Arc<Suite>,
    remark: Option<Remark>,
    scorers: BTreeMap<String, OnceLock<Scorer<Arc<Task>>>>,
    grounds: Grounds,
}

impl BehaviourBenchmark {
    pub fn new(suite: Arc<Suite>) -> BehaviourBenchmark {
        let scorers = suite.tasks.keys().map(|id| (id.clone(), OnceLock::new())).collect();
        BehaviourBenchmark { suite, remark: None, scorers, grounds: Grounds::default() }
    }

    pub fn with_remark(self, remark: Remark) -> BehaviourBenchmark {
        BehaviourBenchmark { remark: Some(remark), ..self }
    }

    fn task(&self, at: &Instance) -> Option<(&Arc<Task>, Variant)> {
        let variant = Variant::of(&at.setting)?;
        let task = &self.suite.tasks.get(&at.task)?.task;
        task.behaviour(variant).map(|_| (task, variant))
    }

    fn scorer(&self, task: &str) -> Option<&Scorer<Arc<Task>>> {
        let made = self.scorers.get(task)?;
        let task = &self.suite.tasks.get(task)?.task;
        Some(made.get_or_init(|| Scorer::of_suite(Arc::clone(task), &self.grounds)))
    }

    /// A user who says what the files hold, the same each time; the words of others stand in a trace alone.
    fn plain_user<'a>(&'a self, kind: UserKind, at: &Instance, setting: &Setting) -> Option<Box<dyn User + 'a>> {
        let scripted = |speaker: &Instance| -> Option<Box<dyn User + 'a>> {
            let (task, variant) = self.task(speaker)?;
            Some(Box::new(ScriptedUser::new(task.behaviour(variant)?.turns.clone())))
        };
        match kind {
            UserKind::Scripted => scripted(at),
            UserKind::Swapped => scripted(setting.next?),
            UserKind::Contract => {
                let (task, variant) = self.task(at)?;
                Some(Box::new(ContractUser::new(task, variant)?))
            }
            UserKind::Model(_) | UserKind::Typed => None,
        }
    }
}

pub fn instance(task: &Task, variant: Variant) -> Instance {
    let environment = task.environment().id();
    let properties =
        [("domain", task.domain()), ("environment", environment), ("difficulty", task.difficulty().name())];
    Instance { task: task.id().to_owned(), setting: variant.levels(), properties: properties.into_iter().collect() }
}

/// An episode of a task as a record, scored; `None` when it is not one of this task.
pub fn record(agent: &str, trial: u32, task: &Task, played: Rollout) -> Option<EpisodeRecord> {
    let scores = Scorer::new(task).score(&played)?.by_card();
    let factors = instance(task, Variant::of(&played.trace.header.levels)?).factors();
    Some(EpisodeRecord::new(agent, trial, factors, played.trace, scores))
}

impl Benchmark for BehaviourBenchmark {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn instances(&self) -> Vec<Instance> {
        let tasks = self.suite.tasks.values().map(|loaded| &loaded.task);
        tasks.flat_map(|task| task.variants().keys().map(|variant| instance(task, *variant))).collect()
    }

    fn figures(&self) -> Vec<Figure> {
        figures(&self.suite)
    }

    fn users(&self) -> &'static [&'static str] {
        &[SCRIPTED, CONTRACT, MODEL_USER, SCRIPTED_SWAPPED]
    }

    fn agents(&self) -> Vec<AgentEntry> {
        let faults = FAULTS.iter().map(|fault| AgentEntry {
            name: format!("fault:{}", fault.name),
            description: match fault.is_graded() {
                true => format!("{}; also @mild and @severe", fault.description),
                false => fault.description.clone(),
            },
            must_lower: fault.must_lower().into_iter().map(str::to_owned).collect(),
        });
        CARD.agents.iter().cloned().chain(faults).collect()
    }

    fn knows(&self, agent: &AgentName) -> Result<(), String> {
        match agent {
            AgentName::Fault(name) => PlantedFault::parse(name).map(drop),
            _ => agent.known_among([HEURISTIC]),
        }
    }

    fn agent(&self, name: &AgentName, at: &Instance, seed: u64) -> Option<Box<dyn Agent>> {
        let (task, variant) = self.task(at)?;
        match name {
            AgentName::Oracle => play::agent(task, variant).map(|agent| Box::new(agent) as Box<dyn Agent>),
            AgentName::Fault(name) => {
                let plan = PlantedFault::parse(name).ok()?.plant(task, variant, seed)?;
                Some(Box::new(PlanAgent::new(plan)))
            }
            AgentName::Own(name) if name == HEURISTIC => Some(Box::new(HeuristicAgent::default())),
            _ => None,
        }
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        let (task, variant) = self.task(at)?;
        if UserKind::parse(setting.user)? == UserKind::Swapped {
            setting.next?;
        }
        Some(play::header(scene(task, variant, setting)))
    }

    /// A user whose turns were typed says them again; one without a model is found anew, and of one with a model the
    /// words are taken if they mean what is found anew.
    fn open<'a>(&'a self, at: &Instance, setting: &Setting, words: Words<'a>) -> Option<Dialogue<'a>> {
        let (task, variant) = self.task(at)?;
        let user: Box<dyn User + 'a> = match (UserKind::parse(setting.user)?, words) {
            (UserKind::Model(model), Words::Found(with)) => {
                let client = Arc::clone(with.user_client?);
                Box::new(ModelUser::new(task, variant, client, model.to_owned(), with.user_unit.to_owned())?)
            }
            (UserKind::Model(_), Words::Of(trace)) => Box::new(ModelUser::recorded(task, trace)?),
            (UserKind::Typed, Words::Of(trace)) => {
                Box::new(ScriptedUser::new(trace.heard().map(|(_, text)| text.to_owned()).collect()))
            }
            (kind, _) => self.plain_user(kind, at, setting)?,
        };
        Some(play::open(task, play::header(scene(task, variant, setting)), user))
    }

    fn score(&self, at: &Instance, played: &Rollout) -> Option<Scores> {
        Some(self.scorer(&at.task)?.score(played)?.by_card())
    }

    fn environment(&self, at: &Instance) -> Option<&Environment> {
        Some(self.task(at)?.0.environment())
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        let (task, variant) = self.task(at)?;
        wanted(task, variant)
    }

    fn remarks(&self, at: &Instance, trace: &Trace) -> Vec<String> {
        let said = || {
            let (task, _) = self.task(at)?;
            let scores = self.scorer(&at.task)?.score_trace(trace)?;
            self.remark?(task, trace, &scores.success)
        };
        said().into_iter().collect()
    }

    fn files(&self, tasks: &[String]) -> Files {
        self.suite.files_of(tasks)
    }
}

fn scene<'a>(task: &'a Task, variant: Variant, setting: &Setting<'a>) -> play::Setting<'a> {
    play::Setting { task, variant, seed: setting.seed, limits: setting.limits, user: setting.user }
}
