//! The checks of all tasks of a suite.

use std::collections::BTreeMap;

use super::dialogue::inference::Sheet;
use super::environment::Explored;
use super::oracle::OracleProblems;
use super::{dialogue, environment, leaks, oracle, policy, told, unfinished};
use crate::suite::{LoadedTask, Suite};
use probity_engine::{Diagnostic, Problem};

/// Checks every task of a suite beyond what loading found; all diagnostics, in order.
pub fn check(suite: &Suite) -> Vec<Diagnostic> {
    let mut diagnostics = of_files(suite);
    diagnostics.extend(suite.tasks.values().flat_map(|loaded| check_task(suite, loaded)));
    settle(&mut diagnostics);
    diagnostics
}

/// What is found without playing anything.
fn of_files(suite: &Suite) -> Vec<Diagnostic> {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(policy::check(suite));
    diagnostics.extend(told::check(suite));
    diagnostics.extend(unfinished::check(suite));
    diagnostics.extend(environment::bank::check(suite));
    diagnostics
}

/// Where everything can be known from, by task.
pub type Sheets = BTreeMap<String, Vec<Sheet>>;

/// [`check`] and all that takes its time: every environment is explored (L1), and what is asked of dialogues
/// (L3). `is_done` is told of each environment.
pub fn check_all(suite: &Suite, is_done: &(dyn Fn() + Sync)) -> (Explored, Sheets) {
    let mut explored = environment::check(suite, is_done);
    let (diagnostics, sheets) = check_dialogues(suite);
    explored.diagnostics.extend(diagnostics);
    settle(&mut explored.diagnostics);
    (explored, sheets)
}

/// [`check`] and what is asked of dialogues (L3); with where everything can be known from, by task.
pub fn check_dialogues(suite: &Suite) -> (Vec<Diagnostic>, Sheets) {
    let mut diagnostics = of_files(suite);
    let mut sheets = BTreeMap::new();
    for (id, loaded) in suite.tasks.iter().filter(|(_, loaded)| !loaded.has_drifted) {
        let (problems, read) = dialogue::check(&loaded.task);
        let OracleProblems { of_task, of_environment } = oracle::check(&loaded.task);
        diagnostics.extend(in_environment(suite, loaded, of_environment));
        let known = of_task.into_iter().filter(|known| !dialogue::is_same(known, &problems));
        let leaks = leaks::check(&loaded.task);
        let broken = environment::broken_at_start(&loaded.task);
        diagnostics.extend(loaded.file.diagnose(known.chain(leaks).chain(broken).chain(problems.clone())));
        sheets.insert(id.clone(), read);
    }
    settle(&mut diagnostics);
    (diagnostics, sheets)
}

fn check_task(suite: &Suite, loaded: &LoadedTask) -> Vec<Diagnostic> {
    if loaded.has_drifted {
        return Vec::new();
    }
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
