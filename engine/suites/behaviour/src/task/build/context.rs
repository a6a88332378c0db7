//! What the checks of a task look things up in.

use std::collections::BTreeMap;

use probity_engine::{CallPattern, Environment, Pattern, Problem, State};

/// What the checks of a task's parts look things up in.
pub(super) struct Context<'a> {
    pub(super) environment: &'a Environment,
    pub(super) initial: &'a State,
    pub(super) bindings: &'a BTreeMap<String, String>,
}

impl Context<'_> {
    pub(super) fn pattern(&self, source: &CallPattern, at: String, problems: &mut Vec<Problem>) -> Option<Pattern> {
        self.environment.pattern(source).map_err(|problem| problems.push(problem.below(&at))).ok()
    }
}
