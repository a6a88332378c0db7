//! The checks of all tasks of a suite.

use std::collections::BTreeMap;

use super::dialogue::inference::Sheet;
use super::environment::Explored;
use super::{dialogue, environment, leaks, oracle, policy};
use crate::suite::{LoadedTask, Suite};
use probity_engine::Diagnostic;

/// Checks every task of a suite beyond what loading found; all diagnostics, in order.
pub fn check(suite: &Suite) -> Vec<Diagnostic> {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(policy::check(suite));
    diagnostics.extend(suite.tasks.values().flat_map(check_task));
    diagnostics.sort();
    diagnostics.dedup();
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
    explored.diagnostics.sort();
    explored.diagnostics.dedup();
    (explored, sheets)
}

/// [`check`] and what is asked of dialogues (L3); with where everything can be known from, by task.
pub fn check_dialogues(suite: &Suite) -> (Vec<Diagnostic>, Sheets) {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(policy::check(suite));
    let mut sheets = BTreeMap::new();
    for (id, loaded) in suite.tasks.iter().filter(|(_, loaded)| !loaded.has_drifted) {
        let (problems, read) = dialogue::check(&loaded.task);
        let known = oracle::check(&loaded.task).into_iter().filter(|known| !dialogue::is_same(known, &problems));
        let leaks = leaks::check(&loaded.task);
        let broken = environment::broken_at_start(&loaded.task);
        diagnostics.extend(loaded.file.diagnose(known.chain(leaks).chain(broken).chain(problems.clone())));
        sheets.insert(id.clone(), read);
    }
    diagnostics.sort();
    diagnostics.dedup();
    (diagnostics, sheets)
}

pub(super) fn check_task(loaded: &LoadedTask) -> Vec<Diagnostic> {
    if loaded.has_drifted {
        return Vec::new();
    }
    let mut problems = oracle::check(&loaded.task);
    problems.extend(leaks::check(&loaded.task));
    problems.extend(environment::broken_at_start(&loaded.task));
    loaded.file.diagnose(problems)
}
