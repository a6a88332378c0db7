//! The checks of all tasks of a suite.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::dialogue::inference::Sheet;
use super::environment::Explored;
use super::oracle::OracleProblems;
use super::{dialogue, environment, leaks, oracle, policy, told, unfinished};
use crate::store::{NoStore, Store, key, problems};
use crate::suite::{LoadedTask, Suite};
use probity_engine::{Diagnostic, Problem, recall};

/// Checks every task of a suite beyond what loading found; all diagnostics, in order. What `store` knows to be clean
/// is not looked at again.
pub fn check(suite: &Suite, store: &dyn Store) -> Vec<Diagnostic> {
    let mut diagnostics = of_files(suite, store);
    diagnostics.extend(of_tasks(suite, |loaded| {
        let task = loaded.task.as_ref();
        let key = key("oracle", task.environment(), &[task]);
        problems(store, &key, || recall::within(|| check_task(suite, loaded)))
    }));
    settle(&mut diagnostics);
    diagnostics
}

/// What is found without playing a task.
fn of_files(suite: &Suite, store: &dyn Store) -> Vec<Diagnostic> {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(policy::check(suite));
    diagnostics.extend(told::check(suite));
    diagnostics.extend(unfinished::check(suite));
    diagnostics.extend(environment::bank::check(suite, store));
    diagnostics
}

/// What comes of each task whose initial state is what it says, several at once, in their order.
fn of_tasks<T: Send>(suite: &Suite, check: impl Fn(&LoadedTask) -> Vec<T> + Send + Sync) -> Vec<T> {
    let tasks: Vec<&LoadedTask> = suite.tasks.values().filter(|loaded| !loaded.has_drifted).collect();
    tasks.into_par_iter().map(check).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// Tables of where everything can be known from.
pub type Sheets = BTreeMap<String, Vec<Sheet>>;

/// [`check`] and all that takes its time: every environment is explored (L1), and what is asked of dialogues
/// (L3). `is_done` is told of each environment.
pub fn check_all(suite: &Suite, store: &dyn Store, is_done: &(dyn Fn() + Sync)) -> Explored {
    let mut explored = environment::check(suite, store, is_done);
    explored.diagnostics.extend(of_files(suite, store));
    explored.diagnostics.extend(of_tasks(suite, |loaded| {
        let task = loaded.task.as_ref();
        let key = key("dialogue", task.environment(), &[task]);
        problems(store, &key, || recall::within(|| check_dialogue(suite, loaded).0))
    }));
    settle(&mut explored.diagnostics);
    explored
}

/// Where everything can be known from, by task.
pub fn sheets(suite: &Suite) -> Sheets {
    let read = of_tasks(suite, |loaded| vec![(loaded.task.id().to_owned(), dialogue::check(&loaded.task).1)]);
    read.into_iter().collect()
}

/// [`check`] and what is asked of dialogues (L3); with where everything can be known from, by task.
pub fn check_dialogues(suite: &Suite) -> (Vec<Diagnostic>, Sheets) {
    let mut diagnostics = of_files(suite, &NoStore);
    let read = of_tasks(suite, |loaded| {
        let (found, sheets) = recall::within(|| check_dialogue(suite, loaded));
        vec![(found, (loaded.task.id().to_owned(), sheets))]
    });
    let (found, sheets): (Vec<_>, Sheets) = read.into_iter().unzip();
    diagnostics.extend(found.concat());
    settle(&mut diagnostics);
    (diagnostics, sheets)
}

/// What is asked of a task's oracles and of its dialogues; with where everything can be known from.
fn check_dialogue(suite: &Suite, loaded: &LoadedTask) -> (Vec<Diagnostic>, Vec<Sheet>) {
    let (problems, read) = dialogue::check(&loaded.task);
    let OracleProblems { of_task, of_environment } = oracle::check(&loaded.task);
    let mut found = in_environment(suite, loaded, of_environment);
    let known = of_task.into_iter().filter(|known| !dialogue::is_same(known, &problems));
    let leaks = leaks::check(&loaded.task);
    let broken = environment::broken_at_start(&loaded.task);
    found.extend(loaded.file.diagnose(known.chain(leaks).chain(broken).chain(problems.clone())));
    (found, read)
}

fn check_task(suite: &Suite, loaded: &LoadedTask) -> Vec<Diagnostic> {
    let OracleProblems { mut of_task, of_environment } = oracle::check(&loaded.task);
    of_task.extend(leaks::check(&loaded.task));
    of_task.extend(environment::broken_at_start(&loaded.task));
    let mut found = loaded.file.diagnose(of_task);
    found.extend(in_environment(suite, loaded, of_environment));
    found
}

/// Faults of a task's environment that its oracles met.
fn in_environment(suite: &Suite, loaded: &LoadedTask, problems: Vec<Problem>) -> Vec<Diagnostic> {
    let file = suite.files.get(loaded.task.environment().id());
    file.map(|file| file.diagnose(problems)).unwrap_or_default()
}

/// Sorts diagnostics; a fault that several tasks meet is told once.
fn settle(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort();
    diagnostics.dedup_by(|next, kept| Diagnostic { help: kept.help.clone(), ..next.clone() } == *kept);
}
