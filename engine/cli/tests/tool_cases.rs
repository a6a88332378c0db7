//! The most telling calls of every tool, found by exploration, as tables that a person can review,
//! in `snapshots/tools/`: is what each call does what the policy and the texts mean?

use probity_proof::check::environment::{cases, explore, tasks_of};
use rayon::prelude::*;

use crate::support::{snapshots, suite};

#[test]
fn tool_cases() {
    let suite = suite();
    assert!(!suite.environments.is_empty(), "{:?}", suite.diagnostics);
    let environments: Vec<_> = suite.environments.iter().collect();
    let explored: Vec<_> =
        environments.par_iter().map(|(id, environment)| explore(environment, &tasks_of(suite, id))).collect();
    for ((id, environment), exploration) in environments.iter().zip(&explored) {
        assert!(exploration.problems.is_empty(), "{id}: {:?}", exploration.problems);
        let text = cases::render(environment, exploration);
        snapshots("tools").bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}
