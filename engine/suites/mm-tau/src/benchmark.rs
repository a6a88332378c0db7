//! The MM-tau suite as a benchmark.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::card::{CARD, EXPOSURE, GUARD, NAME, NOISE, PERSONA};
use crate::people::ServiceManner;
use crate::play::{CHANNEL, Caller, Channel, TelecomPlay, modality};
use crate::score::{PlayedTask, scores};
use crate::suite::{Exposure, MmTauSuite, desk_instances, instances, persona, read};
use crate::survey::PairedSurvey;
use crate::telecom::{Persona, task};
use probity_bench::kit::StateWorld;
use probity_bench::{
    Agent, AgentName, Benchmark, Brief, Card, Dialogue, Event, Extent, Files, Header, Instance, Levels, Limits, Loaded,
    Options, Registered, Rollout, Scores, Services, Setting, Survey, Wanted, Words,
};
use probity_engine::{Actor, Diagnostic, Environment, Hash, State};

/// The user that the suite has: the person of the task.
const CALLER: &str = "caller";

pub const REGISTERED: Registered = Registered::new(NAME, read, open);

fn open(files: Files, refused: Vec<Diagnostic>) -> Loaded {
    let mut suite = MmTauSuite::from_files(files, refused);
    let mut diagnostics = std::mem::take(&mut suite.diagnostics);
    let mut benchmark = MmTauBenchmark { suite, household: OnceLock::new(), optimal: Mutex::default() };
    let lost = benchmark.lost_by_oracle();
    for (task, what) in lost {
        benchmark.suite.desk.remove(&task);
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
        if let Some(task) = self.suite.desk.get(&at.task) {
            return Some(Box::new(task.clone()));
        }
        let environment = self.suite.environment.as_ref()?;
        Some(Box::new(TelecomPlay { environment, household: &self.household, task: task(&at.task)? }))
    }

    fn brief(&self, task: &dyn PlayedTask, at: &Instance, options: &Options) -> Option<Brief> {
        let (persona, exposure) = (persona(&at.setting)?, Exposure::of(&at.setting)?);
        let known = (exposure == Exposure::Told).then_some(persona);
        Some(brief(task, CARD.option(options, GUARD) == Some("on"), known))
    }

    /// Desk tasks in which the oracle does not succeed with a user of nobody in particular, in text; and why.
    fn lost_by_oracle(&self) -> Vec<(String, String)> {
        let wanted = Levels::from_iter([(CHANNEL, "text"), (PERSONA, "none"), (EXPOSURE, "p0")]);
        let mut lost = Vec::new();
        for at in desk_instances(&self.suite.desk).into_iter().filter(|at| at.setting == wanted) {
            let scores = self.oracle(&at).and_then(|played| {
                self.know_optimal(&at, Persona::None, &played);
                self.score(&at, &played)
            });
            let found = scores.iter().flat_map(|scores| &scores.found).flat_map(|found| &found.findings).next();
            if let Some(found) = found {
                lost.push((at.task.clone(), format!("the oracle fails: {}", found.text)));
            }
        }
        lost
    }

    /// What the oracle plays.
    fn oracle(&self, at: &Instance) -> Option<Rollout> {
        let options = Options::new();
        let setting = Setting { seed: 0, limits: Limits::default(), user: CALLER, options: &options, next: None };
        let mut oracle = self.agent(&AgentName::Oracle, at, 0)?;
        self.play(at, &setting, oracle.as_mut(), &Services::default())
    }

    /// How many messages the oracle writes to this user, in text.
    fn optimal(&self, at: &Instance, persona: Persona) -> Option<u64> {
        let key = (at.task.clone(), persona);
        if let Some(known) = self.optimal.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(*known);
        }
        let text = at.setting.with(&Levels::from_iter([(CHANNEL, "text")]));
        let at = Instance { setting: text, ..at.clone() };
        Some(self.know_optimal(&at, persona, &self.oracle(&at)?))
    }

    /// How many messages the oracle wrote to this user in text, which is kept.
    fn know_optimal(&self, at: &Instance, persona: Persona, played: &Rollout) -> u64 {
        let messages = played.trace.events.iter().filter_map(Event::last_reply).count() as u64;
        self.optimal.lock().unwrap_or_else(PoisonError::into_inner).insert((at.task.clone(), persona), messages);
        messages
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

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        Some(self.task(at)?.agent(ServiceManner::from_name(&name.to_string())?))
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        (setting.user == CALLER).then_some(())?;
        let task = self.task(at)?;
        let brief = self.brief(&*task, at, setting.options)?;
        Some(header(at, setting, (task.environment(), task.hash(), &brief)))
    }

    fn open<'a>(&'a self, at: &Instance, setting: &Setting, words: Words<'a>) -> Option<Dialogue<'a>> {
        (setting.user == CALLER).then_some(())?;
        let noise = CARD.option(setting.options, NOISE)?;
        let task = self.task(at)?;
        let brief = self.brief(&*task, at, setting.options)?;
        let header = header(at, setting, (task.environment(), task.hash(), &brief));
        let channel = Channel::of(&at.setting, noise, setting.seed, &task.names(), words)?;
        let world = StateWorld::new(Arc::clone(task.environment()), task.beginning()?);
        let is_profiled = Exposure::of(&at.setting)? == Exposure::Inferred;
        let caller = Caller::new(task.person(persona(&at.setting)?), channel, is_profiled);
        Some(Dialogue::new(header, (brief, Extent::Turn), world, Box::new(caller)))
    }

    fn score(&self, at: &Instance, Rollout { trace, .. }: &Rollout) -> Option<Scores> {
        if (&trace.header.task, &trace.header.levels) != (&at.task, &at.setting) {
            return None;
        }
        let persona = persona(&at.setting)?;
        scores(&*self.task(at)?, (persona, modality(&at.setting)?), trace, self.optimal(at, persona))
    }

    fn environment(&self, at: &Instance) -> Option<&Environment> {
        match self.suite.desk.get(&at.task) {
            Some(task) => Some(&task.environment),
            None => self.suite.environment.as_deref(),
        }
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

/// What the agent of a task is told; `guarded` with the guard against early hand-overs, `known` with who calls.
pub fn brief(task: &dyn PlayedTask, guarded: bool, known: Option<Persona>) -> Brief {
    let (environment, (manual, guard)) = (task.environment(), task.manual());
    let file = environment.file();
    let rules: String = file.policy.iter().map(|rule| format!("- {}\n", rule.text())).collect();
    let mut system = format!("{}\n{}\n\nRules\n{rules}\n{manual}\n", file.title, file.summary);
    if guarded {
        system.push_str(&format!("\n{guard}\n"));
    }
    if let Some(profile) = known.and_then(Persona::profile) {
        system.push_str(&format!("\nWho calls, in the words of somebody who knows them\n{}\n", profile.text));
    }
    Brief { system, tools: environment.functions(Actor::Agent), history: Vec::new() }
}
