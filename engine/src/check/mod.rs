//! `probity check`: what loading cannot see. Oracles are played (L2) and turns are read for leaks.

pub mod leaks;
pub mod oracle;
pub mod update;

use crate::load::suite::{LoadedTask, Suite};
use crate::model::diagnostic::Diagnostic;

/// Checks every task of a suite beyond what loading found; all diagnostics, in order.
pub fn check(suite: &Suite) -> Vec<Diagnostic> {
    let mut diagnostics = suite.diagnostics.clone();
    diagnostics.extend(suite.tasks.values().flat_map(check_task));
    diagnostics.sort();
    diagnostics.dedup();
    diagnostics
}

fn check_task(loaded: &LoadedTask) -> Vec<Diagnostic> {
    if loaded.has_drifted {
        return Vec::new();
    }
    let mut problems = oracle::check(&loaded.task);
    problems.extend(leaks::check(&loaded.task));
    loaded.file.diagnose(problems)
}
