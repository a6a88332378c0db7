//! What comes of exploring environments, and of trying the states that `populate` makes of every size and many seeds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::cases::Cases;
use super::explorer::Explorer;
use super::findings::{BROKEN, Flaw};
use super::goals::Coverage;
use crate::store::{Store, kept, key, problems};
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_engine::{Diagnostic, Difficulty, Environment, Problem};

/// Seeds of each size whose states `check` tries.
const BANK_SEEDS: u64 = 50;
/// After so many seeds in a row of which a size cannot be made it is not tried with others.
const BANK_FAILURES: u64 = 3;

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

const SIZES: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];

/// Tries a sample of the states of each size of every environment, and those that its tasks pin: they are made, what
/// always holds does, and they offer what they promise.
pub fn check_states(suite: &Suite, store: &dyn Store) -> Vec<Diagnostic> {
    let environments: Vec<_> = suite.environments.iter().collect();
    let found = environments.par_iter().with_max_len(1).map(|(id, environment)| {
        let tasks: Vec<&Task> = suite.tasks_of(id).map(|loaded| loaded.task.as_ref()).collect();
        let pinned = || tasks.iter().map(|task| (task.file().initial_state.size, task.file().initial_state.seed));
        let found = problems(store, &key("states", environment, &tasks), || sampled(environment, pinned()));
        suite.files.get(*id).map(|file| file.diagnose(found)).unwrap_or_default()
    });
    found.collect::<Vec<_>>().concat()
}

/// What is wrong with states of an environment, those of `pinned` among them: each once, with the size and the seed
/// that show it.
fn sampled(environment: &Environment, pinned: impl Iterator<Item = (Difficulty, u64)>) -> Vec<Problem> {
    let mut wrong: BTreeMap<(String, String), Problem> = BTreeMap::new();
    // How many states in a row could not be made: a function that never ends costs its whole fuel each time.
    let mut failed: BTreeMap<Difficulty, u64> = BTreeMap::new();
    let sizes = SIZES.into_iter().filter(|size| environment.file().populate.sizes.contains_key(size));
    let drawn = sizes.flat_map(|size| (1..=BANK_SEEDS).map(move |seed| (size, seed)));
    let mut tried = BTreeSet::new();
    for (size, seed) in drawn.chain(pinned).filter(|state| tried.insert(*state)) {
        let shown = format!("shown by size `{}` and seed {seed}; a task may pin any seed", size.name());
        let mut note = |at: String, name: String, problem: Problem| {
            wrong.entry((at, name)).or_insert(problem);
        };
        let failed = failed.entry(size).or_default();
        if *failed == BANK_FAILURES {
            continue;
        }
        let state = match environment.populate(size, seed) {
            Ok(state) => {
                *failed = 0;
                state
            }
            Err(what) => {
                *failed += 1;
                let at = "/populate/function";
                let message = format!("with size `{}` and seed {seed} the state cannot be made: {what}", size.name());
                let problem = Problem::error(at, "populate_failed", message);
                note(at.to_owned(), String::new(), problem.help("a task may pin any seed; mend the function"));
                continue;
            }
        };
        for broken in environment.broken_invariants(&state) {
            let what = format!("`{}` does not hold: {}", broken.name, broken.what);
            let flaw = Flaw::new(broken.at.clone(), BROKEN, what, "mend `populate`, or say less in the invariant");
            note(broken.at, broken.name, flaw.shown(&shown));
        }
        for missing in environment.missing_structure(&state, size) {
            let what = format!("`{}` does not hold of a populated state: {}", missing.name, missing.what);
            let help = "let `populate` make it of every seed, or name the `sizes` that offer it";
            note(
                missing.at.clone(),
                missing.name,
                Flaw::new(missing.at, "structure_missing", what, help).shown(&shown),
            );
        }
    }
    wrong.into_values().collect()
}
