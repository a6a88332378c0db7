//! The tau2 suite as a benchmark.

use std::sync::Arc;

use crate::agents::{Manner, PlannedAgent};
use crate::card::{CARD, COMPAT, NAME};
use crate::play::{Fidelity, LimitedUser, Mode, ModelUser, Reader, RecordedUser, Tau2World, brief};
use crate::score::scores;
use crate::suite::{Tau2Suite, read};
use crate::task::{Tau2Task, wanted};
use probity_bench::{
    Agent, AgentName, Benchmark, Brief, Card, Dialogue, Extent, Files, Header, Instance, Loaded, MODEL_USER, Options,
    Registered, Rollout, Scores, ScriptedUser, Setting, User, Wanted, Words, kit::StateWorld,
};
use probity_engine::{Diagnostic, Environment, Hash, State};

const READER: &str = "reader";

pub const REGISTERED: Registered = Registered::new(NAME, read, open);

fn open(files: Files, refused: Vec<Diagnostic>) -> Loaded {
    let mut suite = Tau2Suite::from_files(files, refused);
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

impl<'b> Opened<'b> {
    fn beginning(&self, options: &Options) -> Option<State> {
        let fidelity = match CARD.option(options, COMPAT)? {
            "on" => Fidelity::AsThere,
            _ => Fidelity::Corrected,
        };
        self.world.beginning(&self.task.file.start, fidelity).ok()
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Header {
        let hashes = [Hash::of_serialized(&[self.task.hash, self.world.hash]), Hash::of_serialized(&self.brief)];
        Header::new(NAME, &self.world.environment, (&self.task.id, at.setting.clone()), setting, hashes)
    }

    /// Where there is nobody to ask, whoever would be the user hands in the ticket.
    fn user(&self, spoken: impl FnOnce(&Tau2Task) -> Option<Box<dyn User>>) -> Option<Box<dyn User>> {
        match self.mode {
            Mode::Solo => Some(Box::new(LimitedUser::new(ScriptedUser::new(vec![self.task.file.ticket.clone()?])))),
            Mode::Dual => spoken(self.task),
        }
    }

    fn reader(&self) -> Box<dyn User> {
        Box::new(LimitedUser::new(Reader::new(&self.task.file.scenario, &self.world.environment)))
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

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        let opened = self.opened(at)?;
        let environment = &opened.world.environment;
        let manner = Manner::from_name(&name.to_string())?;
        Some(Box::new(PlannedAgent::new(&opened.task.file, environment, opened.mode, manner)?))
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        speaker(setting.user)?;
        Some(self.opened(at)?.header(at, setting))
    }

    /// What a model said and did is taken from the trace; the reader is found anew.
    fn open<'a>(&'a self, at: &Instance, setting: &Setting, words: Words<'a>) -> Option<Dialogue<'a>> {
        let (opened, speaker) = (self.opened(at)?, speaker(setting.user)?);
        let user = opened.user(|task| match (speaker, words) {
            (Speaker::Reader, _) => Some(opened.reader()),
            (Speaker::Model(model), Words::Found(with)) => {
                let asked = (Arc::clone(with.user_client?), model, with.user_unit);
                let user = ModelUser::new(&task.file.scenario, &opened.world.environment, asked);
                Some(Box::new(LimitedUser::new(user)))
            }
            (Speaker::Model(_), Words::Of(trace)) => Some(Box::new(LimitedUser::new(RecordedUser::new(trace)))),
        })?;
        let beginning = opened.beginning(setting.options)?;
        let world = StateWorld::new(&opened.world.environment, beginning).alone(opened.mode == Mode::Solo);
        Some(Dialogue::new(opened.header(at, setting), (opened.brief, Extent::Turn), world, user))
    }

    fn score(&self, at: &Instance, Rollout { trace, .. }: &Rollout) -> Option<Scores> {
        if (&trace.header.task, &trace.header.levels) != (&at.task, &at.setting) {
            return None;
        }
        let opened = self.opened(at)?;
        let beginning = opened.beginning(&trace.header.options)?;
        Some(scores(&opened.world.environment, opened.mode, &opened.task.file, &beginning, trace))
    }

    fn environment(&self, at: &Instance) -> Option<&Environment> {
        Some(&self.opened(at)?.world.environment)
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        Some(wanted(&self.opened(at)?.task.file))
    }

    fn files(&self, tasks: &[String]) -> Files {
        self.suite.files_of(tasks)
    }
}

#[cfg(test)]
#[path = "benchmark_tests.rs"]
mod tests;
