//! The MM-tau suite as a benchmark.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::card::{CARD, EXPOSURE, GUARD, NAME, NOISE, PERSONA};
use crate::certificate::{beginning_at, household};
use crate::desk::{DeskPlay, DeskTask};
use crate::play::{AGENTS, CHANNEL, Caller, Channel, JointWorld, LineSource, ServicePlayer, brief, modality};
use crate::score::scores;
use crate::suite::{Exposure, MmTauSuite, desk_instances, instances, persona, read};
use crate::survey::PairedSurvey;
use crate::telecom::{CUSTOMER_NAME, Persona, TaskRecord, TelecomTask, task};
use probity_bench::{
    Agent, AgentEntry, AgentName, Benchmark, Brief, Card, Event, Extent, Files, Header, Instance, Levels, Limits,
    Loaded, Options, Registered, ReplayAgent, Rollout, Scores, Section, Services, Setting, Survey, Trace, Wanted,
    WantedCall, WantedWay, dialogue,
};
use probity_engine::{Diagnostic, Environment, Hash, State};

/// The user that the suite has: the person of the task.
const CALLER: &str = "caller";
/// The seed of the population in which every task begins.
const POPULATION: u64 = 41;

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

/// A telecom task as it is told: who plays it needs its beginning as well.
struct Opened<'b> {
    environment: &'b Environment,
    task: TelecomTask,
    persona: Persona,
    exposure: Exposure,
    brief: Brief,
}

impl MmTauBenchmark {
    fn opened(&self, at: &Instance, options: &Options) -> Option<Opened<'_>> {
        let environment = self.suite.environment.as_deref()?;
        let (task, persona) = (task(&at.task)?, persona(&at.setting)?);
        let exposure = Exposure::of(&at.setting)?;
        let known = (exposure == Exposure::Told).then_some(persona);
        Some(Opened {
            environment,
            brief: brief(environment, CARD.option(options, GUARD) == Some("on"), known),
            task,
            persona,
            exposure,
        })
    }

    /// The state in which a telecom task begins.
    fn beginning(&self, opened: &Opened<'_>) -> Option<State> {
        let household = self.household.get_or_init(|| household(opened.environment, POPULATION).ok());
        beginning_at(opened.environment, household.clone()?, &opened.task).ok()
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

    fn desk_task(&self, at: &Instance) -> Option<&Arc<DeskTask>> {
        self.suite.desk.tasks.get(&at.task)
    }

    fn desk(&self, task: &Arc<DeskTask>, at: &Instance, options: &Options) -> Option<DeskPlay> {
        let who = (persona(&at.setting)?, Exposure::of(&at.setting)?);
        DeskPlay::new(task, who, CARD.option(options, GUARD) == Some("on"))
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
        let channel = |names: &[&str]| Channel::of(&at.setting, noise, setting.seed, names, source);
        if let Some(task) = self.desk_task(at) {
            let play = self.desk(task, at, setting.options)?;
            let header = header(at, setting, play.stamped());
            return Some(play.trace(header, channel(&task.names())?, agent));
        }
        let opened = self.opened(at, setting.options)?;
        let channel = channel(&[CUSTOMER_NAME])?;
        let header = header(at, setting, opened.stamped());
        let mut world = JointWorld::new(opened.environment, self.beginning(&opened)?);
        let caller = Caller::new(&opened.task, opened.persona, channel);
        let mut caller = if opened.exposure == Exposure::Inferred { caller.profiled() } else { caller };
        Some(dialogue::play(header, (&opened.brief, Extent::Turn), &mut world, agent, &mut caller))
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

impl Opened<'_> {
    /// The world, the task and what the agent is told, as a header has them.
    fn stamped(&self) -> (&Environment, Hash, &Brief) {
        (self.environment, Hash::of_serialized(&TaskRecord::from(self.task.clone())), &self.brief)
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
        match self.desk_task(at) {
            Some(task) => Some(task.agent(AGENTS.manner(name)?)),
            None => Some(Box::new(ServicePlayer::new(&task(&at.task)?, AGENTS.manner(name)?))),
        }
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        (setting.user == CALLER).then_some(())?;
        match self.desk_task(at) {
            Some(task) => Some(header(at, setting, self.desk(task, at, setting.options)?.stamped())),
            None => Some(header(at, setting, self.opened(at, setting.options)?.stamped())),
        }
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
        let (optimal, modality) = (self.optimal(at, persona(&at.setting)?), modality(&at.setting)?);
        if let Some(task) = self.desk_task(at) {
            return Some(self.desk(task, at, &trace.header.options)?.scores(trace, modality, optimal));
        }
        let opened = self.opened(at, &trace.header.options)?;
        let of = (&opened.task, opened.persona, modality);
        Some(scores(opened.environment, self.beginning(&opened)?, of, trace, optimal))
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        if let Some(task) = self.desk_task(at) {
            return Some(task.wanted(persona(&at.setting)?));
        }
        let (task, persona) = (task(&at.task)?, persona(&at.setting)?);
        let gold = task.gold();
        let call = |call: &crate::telecom::Call| WantedCall {
            tool: call.function.to_owned(),
            arguments: call.object(),
            turn: 1,
        };
        let assertions = task.assertions().into_iter().map(|assertion| {
            let arguments = serde_json::Value::Object(assertion.call.object());
            format!("{} {arguments}", assertion.call.function)
        });
        let sections = [
            Section::of("What must hold at the end", assertions.collect()),
            Section::of("What the user knows", vec![task.scenario().text()]),
            Section::of("Who calls", persona.profile().map(|profile| profile.text.to_owned()).into_iter().collect()),
        ];
        let goal = if gold.is_transfer() { "Find out that it cannot be mended, and hand over." } else { "Mend it." };
        Some(Wanted {
            goal: goal.to_owned(),
            ways: vec![WantedWay { name: "gold".to_owned(), calls: gold.calls().iter().map(call).collect() }],
            sections: sections.into_iter().flatten().collect(),
        })
    }

    fn survey(&self) -> Option<Box<dyn Survey>> {
        Some(Box::new(PairedSurvey::default()))
    }

    fn files(&self, _tasks: &[String]) -> Files {
        self.suite.files.clone()
    }
}
