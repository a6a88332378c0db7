//! L1: every tool of an environment is called in many states with valid and invalid arguments, and what
//! happens is held against what the file declares. The exploration is seeded: the same files give the same
//! calls. What it cannot reach within its bounds it reports; it never proves that something cannot happen.

pub mod cases;
pub mod coverage;
mod domain;
mod draw;
mod explorer;
mod findings;
mod goals;
mod invalid;
mod places;
pub mod table;
mod vocabulary;

use std::sync::Arc;

use rayon::prelude::*;

use crate::suite::Suite;
use crate::task::Task;
use cases::Cases;
use coverage::Coverage;
use explorer::Explorer;
use probity_engine::Environment;
use probity_engine::{Diagnostic, Problem};

/// The seed of every draw.
const SEED: u64 = 1;
/// Seeds of `populate` whose states are starts, for each size, beside the initial states of the tasks.
const POPULATE_SEEDS: u64 = 2;
/// Calls of one tool in one state.
const TRIES: usize = 40;
/// Calls of one tool in one state while something of it has not been reached.
const HARD_TRIES: usize = 160;
/// Rounds that are always made: the states at the start, and those after one and two writes.
const ROUNDS: usize = 3;
/// Rounds at most, while something has not been reached.
const MAX_ROUNDS: usize = 8;
/// States kept for the next round for each tool, beside those that show something new.
const KEPT_STATES: usize = 2;
/// States explored in one round at most, after the first.
const ROUND_STATES: usize = 32;
/// Values tried for one parameter at most: those that fit, and those at the edges.
const DOMAIN: usize = 48;
/// Calls of a walk beyond those that the slowest event waits for.
const WALK: usize = 12;

/// What came of exploring one environment.
pub struct Exploration {
    /// What is wrong, placed in the environment's file.
    pub problems: Vec<Problem>,
    /// What was reached.
    pub coverage: Coverage,
    /// The most telling calls of each tool.
    pub cases: Cases,
}

/// What came of exploring a suite.
#[derive(Default)]
pub struct Explored {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// What was reached, environment by environment.
    pub coverage: Vec<Coverage>,
}

/// Explores an environment from its populated states and the initial states of `tasks`.
pub fn explore(environment: &Environment, tasks: &[&Task]) -> Exploration {
    Explorer::new(environment, tasks).run()
}

/// Explores all environments of a suite, several at once; `is_done` is told of each.
pub fn check(suite: &Suite, is_done: &(dyn Fn() + Sync)) -> Explored {
    let environments: Vec<(&String, &Arc<Environment>)> = suite.environments.iter().collect();
    let explored: Vec<Explored> = environments
        .par_iter()
        .map(|(id, environment)| {
            let exploration = explore(environment, &tasks_of(suite, id));
            is_done();
            let file = suite.files.get(*id);
            let diagnostics = file.map(|file| file.diagnose(exploration.problems)).unwrap_or_default();
            Explored { diagnostics, coverage: vec![exploration.coverage] }
        })
        .collect();
    explored.into_iter().fold(Explored::default(), |mut all, one| {
        all.diagnostics.extend(one.diagnostics);
        all.coverage.extend(one.coverage);
        all
    })
}

/// The tasks of an environment whose initial states are what they say.
pub fn tasks_of<'a>(suite: &'a Suite, environment: &str) -> Vec<&'a Task> {
    let loaded = suite.tasks.values().filter(|loaded| !loaded.has_drifted);
    loaded.map(|loaded| loaded.task.as_ref()).filter(|task| task.environment().id() == environment).collect()
}
