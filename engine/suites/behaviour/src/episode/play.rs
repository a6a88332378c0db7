//! Playing a task under a behaviour: its world, its header, and the dialogue that all benchmarks share.

use std::sync::Arc;

use super::user::{SCRIPTED, ScriptedUser};
use crate::card::NAME;
use crate::model::variant::Variant;
use crate::task::Task;
use crate::task::position::Position;
use probity_bench::{Agent, Dialogue, Extent, Header, Limits, Move, Options, Rollout, Step, Trace, User, World};
use probity_engine::{Actor, Hash, State, ToolCall};

/// What is played: a task under a behaviour, with a seed and limits.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub task: &'a Task,
    pub variant: Variant,
    pub seed: u64,
    pub limits: Limits,
    /// What the header says of the user: `scripted`, `contract`, `model:NAME`.
    pub user: &'a str,
}

#[derive(Clone)]
struct PlayedTask<'a> {
    task: &'a Task,
    position: Position,
}

impl World for PlayedTask<'_> {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>) {
        let (step, made) = self.position.step(self.task, call, by, message);
        (step, Some(made))
    }

    fn state(&self) -> Option<&State> {
        Some(self.position.state())
    }

    fn fingerprint(&self) -> Hash {
        self.task.environment().fingerprint(self.position.state())
    }
}

/// A task that nobody has spoken in, with such a user.
pub fn open<'a>(task: &'a Task, header: Header, user: Box<dyn User + 'a>) -> Dialogue<'a> {
    let world = PlayedTask { task, position: Position::start(task) };
    Dialogue::new(header, (Arc::clone(task.brief()), Extent::Episode), world, user)
}

pub fn play<'a>(setting: Setting<'a>, agent: &mut dyn Agent, user: impl User + 'a) -> Trace {
    open(setting.task, header(setting), Box::new(user)).play(agent).trace
}

/// Plays an episode with the user who says the task's turns; nothing where the task has no such variant.
pub fn play_scripted(task: &Task, variant: Variant, seed: u64, agent: &mut dyn Agent) -> Option<Rollout> {
    let turns = task.behaviour(variant)?.turns.clone();
    let setting = Setting { task, variant, seed, limits: Limits::default(), user: SCRIPTED };
    Some(open(task, header(setting), Box::new(ScriptedUser::new(turns))).play(agent))
}

pub fn header(setting: Setting) -> Header {
    let Setting { task, variant, seed, limits, user } = setting;
    let played = probity_bench::Setting { seed, limits, user, options: &Options::new(), next: None };
    Header::new(NAME, task.environment(), (task.id(), variant.levels()), &played, [task.hash(), task.prompt()])
}
