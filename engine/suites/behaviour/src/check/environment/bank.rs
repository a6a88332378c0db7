//! The state bank: the states that `populate` makes of every size and of many seeds, each with what it promises.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::findings::{BROKEN, Flaw};
use super::limits::BANK_SEEDS;
use crate::suite::Suite;
use probity_engine::{Diagnostic, Difficulty, Environment, Problem};

const SIZES: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];

/// Tries a sample of the states of each size of every environment, and those that its tasks pin: they are made, what
/// always holds does, and they offer what they promise.
pub fn check(suite: &Suite) -> Vec<Diagnostic> {
    let environments: Vec<_> = suite.environments.iter().collect();
    let found = environments.par_iter().map(|(id, environment)| {
        let file = suite.files.get(*id);
        file.map(|file| file.diagnose(sampled(environment, &pinned(suite, id)))).unwrap_or_default()
    });
    found.collect::<Vec<_>>().concat()
}

/// The sizes and seeds that the tasks of an environment pin.
fn pinned(suite: &Suite, environment: &str) -> Vec<(Difficulty, u64)> {
    let tasks = suite.tasks.values().map(|loaded| loaded.task.file());
    let own = tasks.filter(|task| task.environment == environment);
    own.map(|task| (task.initial_state.size, task.initial_state.seed)).collect()
}

/// What is wrong with states of an environment, those of `pinned` among them: each once, with the size and the seed
/// that show it.
fn sampled(environment: &Environment, pinned: &[(Difficulty, u64)]) -> Vec<Problem> {
    let mut wrong: BTreeMap<(String, String), Problem> = BTreeMap::new();
    let sizes = SIZES.into_iter().filter(|size| environment.file().populate.sizes.contains_key(size));
    let drawn = sizes.flat_map(|size| (1..=BANK_SEEDS).map(move |seed| (size, seed)));
    for (size, seed) in drawn.chain(pinned.iter().copied()) {
        let shown = format!("shown by size `{}` and seed {seed}; a task may pin any seed", size.name());
        let mut note = |at: String, name: String, problem: Problem| {
            wrong.entry((at, name)).or_insert(problem);
        };
        let state = match environment.populate(size, seed) {
            Ok(state) => state,
            Err(what) => {
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
