//! What comes of exploring environments.

use std::sync::Arc;

use rayon::prelude::*;

use super::cases::Cases;
use super::coverage::Coverage;
use super::explorer::Explorer;
use crate::store::{Store, kept, key};
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_engine::{Diagnostic, Environment, Problem};

pub struct Exploration {
    /// What is wrong, placed in the environment's file.
    pub problems: Vec<Problem>,
    pub coverage: Coverage,
    /// The most telling calls of each tool.
    pub cases: Cases,
}

#[derive(Default)]
pub struct Explored {
    pub diagnostics: Vec<Diagnostic>,
    pub coverage: Vec<Coverage>,
}

/// Explores an environment from its populated states and the initial states of `tasks`.
pub fn explore(environment: &Environment, tasks: &[&Task]) -> Exploration {
    Explorer::new(environment, tasks).run()
}

/// Explores all environments of a suite, several at once; `is_done` is told of each.
pub fn check(suite: &Suite, store: &dyn Store, is_done: &(dyn Fn() + Sync)) -> Explored {
    let environments: Vec<(&String, &Arc<Environment>)> = suite.environments.iter().collect();
    let explored: Vec<Explored> = environments
        .par_iter()
        .with_max_len(1)
        .map(|(id, environment)| {
            let tasks = tasks_of(suite, id);
            let mut problems = Vec::new();
            let coverage = kept(store, &key("exploration", environment, &tasks), || {
                let explored = explore(environment, &tasks);
                problems = explored.problems;
                (explored.coverage, problems.is_empty())
            });
            is_done();
            let file = suite.files.get(*id);
            let diagnostics = file.map(|file| file.diagnose(problems)).unwrap_or_default();
            Explored { diagnostics, coverage: vec![coverage] }
        })
        .collect();
    explored.into_iter().fold(Explored::default(), |mut all, one| {
        all.diagnostics.extend(one.diagnostics);
        all.coverage.extend(one.coverage);
        all
    })
}

/// The tasks of an environment whose initial states are what they say.
pub fn tasks_of<'a>(suite: &'a Suite, environment: &'a str) -> Vec<&'a Task> {
    suite.tasks_of(environment).filter(|loaded| !loaded.has_drifted).map(|loaded| loaded.task.as_ref()).collect()
}
