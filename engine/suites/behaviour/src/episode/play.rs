//! Playing a task under a behaviour: its world, its header, and the dialogue that all benchmarks share.

use super::user::{SCRIPTED, ScriptedUser};
use crate::card::NAME;
use crate::model::variant::Variant;
use crate::task::Task;
use crate::task::position::Position;
use probity_bench::{Agent, Extent, Finding, Header, Limits, Options, Step, Trace, User, World, dialogue};
use probity_engine::{Actor, Hash, ToolCall};

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

struct PlayedTask<'a> {
    task: &'a Task,
    position: Position,
}

impl World for PlayedTask<'_> {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Vec<Finding>) {
        self.position.step(self.task, call, by, message)
    }

    fn fingerprint(&self) -> Hash {
        self.task.environment().fingerprint(self.position.state())
    }
}

pub fn play(setting: Setting, agent: &mut dyn Agent, user: &mut dyn User) -> Trace {
    let task = setting.task;
    let mut scene = PlayedTask { task, position: Position::start(task) };
    dialogue::play(header(setting), (task.brief(), Extent::Episode), &mut scene, agent, user)
}

/// Plays an episode with the user who says the task's turns; nothing where the task has no such variant.
pub fn play_scripted(task: &Task, variant: Variant, seed: u64, agent: &mut dyn Agent) -> Option<Trace> {
    let turns = task.behaviour(variant)?.turns.clone();
    let setting = Setting { task, variant, seed, limits: Limits::default(), user: SCRIPTED };
    Some(play(setting, agent, &mut ScriptedUser::new(turns)))
}

pub fn header(setting: Setting) -> Header {
    let Setting { task, variant, seed, limits, user } = setting;
    let played = probity_bench::Setting { seed, limits, user, options: &Options::new(), next: None };
    Header::new(NAME, task.environment(), (task.id(), variant.levels()), &played, [task.hash(), task.prompt()])
}
