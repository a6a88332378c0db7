//! `probity check`: what loading cannot see. Oracles are played (L2) and turns are read for leaks;
//! `--all` explores the environments as well (L1).

pub mod environment;
pub mod leaks;
pub mod oracle;
pub mod update;

use crate::load::suite::{LoadedTask, Suite};
use crate::model::diagnostic::Diagnostic;
use environment::Explored;

/// Checks every task of a suite beyond what loading found; all diagnostics, in order.
pub fn check(suite: &Suite) -> Vec<Diagnostic> {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(suite.tasks.values().flat_map(check_task));
    diagnostics.sort();
    diagnostics.dedup();
    diagnostics
}

/// [`check`] and all that takes its time: every environment is explored (L1). `is_done` is told of each.
pub fn check_all(suite: &Suite, is_done: &(dyn Fn() + Sync)) -> Explored {
    let mut explored = environment::check(suite, is_done);
    // Checks of dialogues (L3) that take their time have their place here.
    explored.diagnostics.extend(check(suite));
    explored.diagnostics.sort();
    explored.diagnostics.dedup();
    explored
}

fn check_task(loaded: &LoadedTask) -> Vec<Diagnostic> {
    if loaded.has_drifted {
        return Vec::new();
    }
    let mut problems = oracle::check(&loaded.task);
    problems.extend(leaks::check(&loaded.task));
    loaded.file.diagnose(problems)
}
