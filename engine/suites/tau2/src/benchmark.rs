//! The tau2 suite as a benchmark.

use std::path::Path;
use std::sync::Arc;

use crate::agents::{Manner, PlannedAgent};
use crate::card::{CARD, COMPAT, NAME};
use crate::play::{
    Fidelity, LimitedUser, Mode, ModelUser, Reader, RecordedUser, Tau2World, TwoSides, brief, ticket_user,
};
use crate::score::scores;
use crate::suite::Tau2Suite;
use crate::task::Tau2Task;
use crate::wanted::wanted;
use probity_bench::{
    Agent, AgentEntry, AgentName, Benchmark, Brief, Card, Extent, Files, Header, Instance, Loaded, MODEL_USER, Options,
    Registered, ReplayAgent, Rollout, Scores, Services, Setting, Trace, User, Wanted, dialogue, trace::FORMAT,
};
use probity_engine::{Hash, State, suggest};

const READER: &str = "reader";

pub const REGISTERED: Registered = Registered::new(NAME, load, open);

fn load(root: &Path) -> Loaded {
    loaded(Tau2Suite::load(root))
}

fn open(files: Files) -> Loaded {
    loaded(Tau2Suite::from_files(files, Vec::new()))
}

fn loaded(mut suite: Tau2Suite) -> Loaded {
    let diagnostics = std::mem::take(&mut suite.diagnostics);
    Loaded { benchmark: Arc::new(Tau2Benchmark { suite }), diagnostics }
}

/// The tasks of tau2-bench, played and scored.
pub struct Tau2Benchmark {
    suite: Tau2Suite,
}

struct Opened<'b> {
    world: &'b Tau2World,
    task: &'b Tau2Task,
    mode: Mode,
    brief: Brief,
}

/// Who the user is: the reader, or a model.
enum Speaker<'u> {
    Reader,
    Model(&'u str),
}

fn speaker(user: &str) -> Option<Speaker<'_>> {
    match user {
        READER => Some(Speaker::Reader),
        _ => user.strip_prefix(MODEL_USER)?.strip_prefix(':').map(Speaker::Model),
    }
}

impl Tau2Benchmark {
    fn opened(&self, at: &Instance) -> Option<Opened<'_>> {
        let task = self.suite.task(&at.task)?;
        let (world, mode) = (self.suite.world(task)?, Mode::of(&at.setting)?);
        Some(Opened { world, task, mode, brief: brief(world, mode)? })
    }
}

impl Opened<'_> {
    fn beginning(&self, options: &Options) -> Option<State> {
        let fidelity = match CARD.option(options, COMPAT)? {
            "on" => Fidelity::AsThere,
            _ => Fidelity::Corrected,
        };
        self.world.beginning(&self.task.file.start, fidelity).ok()
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Header {
        let environment = self.world.environment();
        Header {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: NAME.to_owned(),
            environment: environment.id().to_owned(),
            environment_hash: environment.hash(),
            scripts: environment.script_hashes().clone(),
            task: self.task.id.clone(),
            task_hash: Hash::of_serialized(&[self.task.hash, self.world.hash()]),
            levels: at.setting.clone(),
            seed: setting.seed,
            limits: setting.limits,
            options: setting.options.clone(),
            user: setting.user.to_owned(),
            prompt: Hash::of_serialized(&self.brief),
        }
    }

    /// Where there is nobody to ask, whoever would be the user hands in the ticket.
    fn user(&self, spoken: impl FnOnce(&Tau2Task) -> Option<Box<dyn User>>) -> Option<Box<dyn User>> {
        match self.mode {
            Mode::Solo => Some(Box::new(LimitedUser::new(ticket_user(self.task.file.ticket.as_deref()?)))),
            Mode::Dual => spoken(self.task),
        }
    }

    fn reader(&self) -> Box<dyn User> {
        Box::new(LimitedUser::new(Reader::new(&self.task.file.scenario, self.world.environment())))
    }

    fn play(&self, at: &Instance, setting: &Setting, agent: &mut dyn Agent, user: &mut dyn User) -> Option<Trace> {
        let mut world = TwoSides::new(self.world.environment(), self.mode, self.beginning(setting.options)?);
        let header = self.header(at, setting);
        Some(dialogue::play(header, (&self.brief, Extent::Turn), &mut world, agent, user))
    }
}

impl Benchmark for Tau2Benchmark {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn instances(&self) -> Vec<Instance> {
        self.suite.instances()
    }

    fn users(&self) -> &'static [&'static str] {
        &[READER, MODEL_USER]
    }

    fn agents(&self) -> Vec<AgentEntry> {
        Manner::entries()
    }

    fn knows(&self, agent: &AgentName) -> Result<(), String> {
        match agent {
            AgentName::Own(_) | AgentName::Fault(_) if Manner::of(agent).is_none() => {
                let (name, all) = (agent.to_string(), Manner::entries());
                let known = all.iter().map(|entry| entry.name.as_str()).chain(["oracle", "noop"]);
                let near = suggest::nearest(&name, known);
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(format!("there is no agent `{name}`{near}"))
            }
            _ => Ok(()),
        }
    }

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        let opened = self.opened(at)?;
        let environment = opened.world.environment();
        let agent = PlannedAgent::new(&opened.task.file, environment, opened.mode, Manner::of(name)?)?;
        Some(Box::new(agent))
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        speaker(setting.user)?;
        Some(self.opened(at)?.header(at, setting))
    }

    fn play(&self, at: &Instance, setting: &Setting, agent: &mut dyn Agent, with: &Services) -> Option<Rollout> {
        let (opened, speaker) = (self.opened(at)?, speaker(setting.user)?);
        let mut user = opened.user(|task| match speaker {
            Speaker::Reader => Some(opened.reader()),
            Speaker::Model(model) => {
                let asked = (Arc::clone(with.user_client?), model, with.user_unit);
                let user = ModelUser::new(&task.file.scenario, opened.world.environment(), asked);
                Some(Box::new(LimitedUser::new(user)))
            }
        })?;
        let trace = opened.play(at, setting, agent, user.as_mut())?;
        Some(Rollout { trace, user_usage: user.usage() })
    }

    /// What a model said and did is taken from the trace; the reader is found anew.
    fn replay(&self, at: &Instance, setting: &Setting, trace: &Trace) -> Option<Trace> {
        let (opened, speaker) = (self.opened(at)?, speaker(setting.user)?);
        let mut user = opened.user(|_| match speaker {
            Speaker::Reader => Some(opened.reader()),
            Speaker::Model(_) => Some(Box::new(LimitedUser::new(RecordedUser::new(trace)))),
        })?;
        opened.play(at, setting, &mut ReplayAgent::new(trace), user.as_mut())
    }

    fn score(&self, at: &Instance, trace: &Trace) -> Option<Scores> {
        if (&trace.header.task, &trace.header.levels) != (&at.task, &at.setting) {
            return None;
        }
        let opened = self.opened(at)?;
        let beginning = opened.beginning(&trace.header.options)?;
        Some(scores(opened.world.environment(), opened.mode, &opened.task.file, &beginning, trace))
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        Some(wanted(&self.opened(at)?.task.file))
    }

    fn remarks(&self, _at: &Instance, _trace: &Trace) -> Vec<String> {
        Vec::new()
    }

    fn files(&self, tasks: &[String]) -> Files {
        self.suite.files_of(tasks)
    }
}

#[cfg(test)]
#[path = "benchmark_tests.rs"]
mod tests;
