//! The MM-tau suite as a benchmark.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::card::{CARD, EXPOSURE, GUARD, NAME, NOISE, PERSONA};
use crate::play::{AGENTS, CHANNEL, Caller, Channel, LineSource, TelecomPlay, brief, modality};
use crate::score::{PlayedTask, scores};
use crate::suite::{Exposure, MmTauSuite, desk_instances, instances, persona, read};
use crate::survey::PairedSurvey;
use crate::telecom::{Persona, task};
use probity_bench::kit::StateWorld;
use probity_bench::{
    Agent, AgentEntry, AgentName, Benchmark, Brief, Card, Event, Extent, Files, Header, Instance, Levels, Limits,
    Loaded, Options, Registered, ReplayAgent, Rollout, Scores, Services, Setting, Survey, Trace, Wanted, dialogue,
};
use probity_engine::{Diagnostic, Environment, Hash, State};

/// The user that the suite has: the person of the task.
const CALLER: &str = "caller";

pub const REGISTERED: Registered = Registered::new(NAME, read, open);

fn open(files: Files, refused: Vec<Diagnostic>) -> Loaded {
    let mut suite = MmTauSuite::from_files(files, refused);
    let mut diagnostics = std::mem::take(&mut suite.diagnostics);
    let mut benchmark = MmTauBenchmark { suite, household: OnceLock::new(), optimal: Mutex::default() };
    let lost = benchmark.lost_by_oracle();
    for (task, what) in lost {
        benchmark.suite.desk.tasks.remove(&task);
        let found = Diagnostic::file(format!("mm-tau/desk/{task}.json"), "not_certified", what);
        diagnostics.push(found.help("an agent that says each `offer` and makes each `call` must succeed: hold them against `until`, `named` and `tells`"));
    }
    Loaded { benchmark: Arc::new(benchmark), diagnostics }
}

/// The telecom tasks, played and scored.
pub struct MmTauBenchmark {
    suite: MmTauSuite,
    /// The state from which every telecom task begins, once one is played.
    household: OnceLock<Option<State>>,
    /// How many messages the oracle needs, by task and persona.
    optimal: Mutex<BTreeMap<(String, Persona), u64>>,
}

impl MmTauBenchmark {
    fn task(&self, at: &Instance) -> Option<Box<dyn PlayedTask + '_>> {
        if let Some(task) = self.suite.desk.tasks.get(&at.task) {
            return Some(Box::new(task.clone()));
        }
        let environment = self.suite.environment.as_deref()?;
        Some(Box::new(TelecomPlay { environment, household: &self.household, task: task(&at.task)? }))
    }

    fn told(&self, task: &dyn PlayedTask, at: &Instance, options: &Options) -> Option<Brief> {
        let (persona, exposure) = (persona(&at.setting)?, Exposure::of(&at.setting)?);
        let known = (exposure == Exposure::Told).then_some(persona);
        Some(brief(task, CARD.option(options, GUARD) == Some("on"), known))
    }

    /// Desk tasks in which the oracle does not succeed with a user of nobody in particular, in text; and why.
    fn lost_by_oracle(&self) -> Vec<(String, String)> {
        let wanted = Levels::from_iter([(CHANNEL, "text"), (PERSONA, "none"), (EXPOSURE, "p0")]);
        let mut lost = Vec::new();
        for at in desk_instances(&self.suite.desk).into_iter().filter(|at| at.setting == wanted) {
            let options = Options::new();
            let setting = Setting { seed: 0, limits: Limits::default(), user: CALLER, options: &options, next: None };
            let trace = self
                .agent(&AgentName::Oracle, &at, 0)
                .and_then(|mut oracle| self.rollout(&at, &setting, LineSource::Line(None), oracle.as_mut()));
            let scores = trace.and_then(|trace| self.score(&at, &trace));
            let found = scores.iter().flat_map(|scores| &scores.found).flat_map(|found| &found.findings).next();
            if let Some(found) = found {
                lost.push((at.task.clone(), format!("the oracle fails: {}", found.text)));
            }
        }
        lost
    }

    fn rollout(
        &self,
        at: &Instance,
        setting: &Setting,
        source: LineSource<'_>,
        agent: &mut dyn Agent,
    ) -> Option<Trace> {
        if setting.user != CALLER {
            return None;
        }
        let noise = CARD.option(setting.options, NOISE)?;
        let task = self.task(at)?;
        let brief = self.told(&*task, at, setting.options)?;
        let header = header(at, setting, (task.environment(), task.hash(), &brief));
        let channel = Channel::of(&at.setting, noise, setting.seed, &task.names(), source)?;
        let mut world = StateWorld::new(task.environment(), task.beginning()?);
        let is_profiled = Exposure::of(&at.setting)? == Exposure::Inferred;
        let mut caller = Caller::new(task.person(persona(&at.setting)?), channel, is_profiled);
        Some(dialogue::play(header, (&brief, Extent::Turn), &mut world, agent, &mut caller))
    }

    /// How many messages the oracle writes to this user, in text.
    fn optimal(&self, at: &Instance, persona: Persona) -> Option<u64> {
        let key = (at.task.clone(), persona);
        if let Some(known) = self.optimal.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(*known);
        }
        let text = at.setting.with(&Levels::from_iter([(CHANNEL, "text")]));
        let at = Instance { setting: text, ..at.clone() };
        let options = Options::new();
        let setting = Setting { seed: 0, limits: Limits::default(), user: CALLER, options: &options, next: None };
        let mut oracle = self.agent(&AgentName::Oracle, &at, 0)?;
        let trace = self.rollout(&at, &setting, LineSource::Line(None), oracle.as_mut())?;
        let messages =
            trace.events.iter().filter(|event| matches!(event, Event::Reply { aside: false, .. })).count() as u64;
        self.optimal.lock().unwrap_or_else(PoisonError::into_inner).insert(key, messages);
        Some(messages)
    }
}

fn header(at: &Instance, setting: &Setting, (environment, task, brief): (&Environment, Hash, &Brief)) -> Header {
    let levels = at.setting.clone();
    Header::new(NAME, environment, (&at.task, levels), setting, [task, Hash::of_serialized(brief)])
}

impl Benchmark for MmTauBenchmark {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn instances(&self) -> Vec<Instance> {
        let telecom = if self.suite.environment.is_some() { instances() } else { Vec::new() };
        telecom.into_iter().chain(desk_instances(&self.suite.desk)).collect()
    }

    fn users(&self) -> &'static [&'static str] {
        &[CALLER]
    }

    fn agents(&self) -> Vec<AgentEntry> {
        AGENTS.entries()
    }

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        Some(self.task(at)?.agent(AGENTS.manner(name)?))
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        (setting.user == CALLER).then_some(())?;
        let task = self.task(at)?;
        let brief = self.told(&*task, at, setting.options)?;
        Some(header(at, setting, (task.environment(), task.hash(), &brief)))
    }

    fn brief(&self, at: &Instance, setting: &Setting) -> Option<Brief> {
        self.told(&*self.task(at)?, at, setting.options)
    }

    fn play(&self, at: &Instance, setting: &Setting, agent: &mut dyn Agent, with: &Services) -> Option<Rollout> {
        Some(Rollout { trace: self.rollout(at, setting, LineSource::Line(with.line), agent)?, user_usage: None })
    }

    fn replay(&self, at: &Instance, setting: &Setting, trace: &Trace) -> Option<Trace> {
        self.rollout(at, setting, LineSource::Trace(trace), &mut ReplayAgent::new(trace))
    }

    fn score(&self, at: &Instance, trace: &Trace) -> Option<Scores> {
        if (&trace.header.task, &trace.header.levels) != (&at.task, &at.setting) {
            return None;
        }
        let persona = persona(&at.setting)?;
        scores(&*self.task(at)?, (persona, modality(&at.setting)?), trace, self.optimal(at, persona))
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        Some(self.task(at)?.wanted(persona(&at.setting)?))
    }

    fn survey(&self) -> Option<Box<dyn Survey>> {
        Some(Box::new(PairedSurvey::default()))
    }

    fn files(&self, _tasks: &[String]) -> Files {
        self.suite.files.clone()
    }
}
