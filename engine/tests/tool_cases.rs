//! The most telling calls of every tool, found by exploration, as tables that a person can review,
//! in `snapshots/tools/`: is what each call does what the policy and the texts mean?

use std::path::Path;

use probity::check::environment::{explore, table, tasks_of};
use probity::load::suite::Suite;
use rayon::prelude::*;

#[test]
fn tool_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let suite = Suite::load(&root);
    assert!(!suite.environments.is_empty(), "{:?}", suite.diagnostics);
    let environments: Vec<_> = suite.environments.iter().collect();
    let explored: Vec<_> =
        environments.par_iter().map(|(id, environment)| explore(environment, &tasks_of(&suite, id))).collect();
    for ((id, environment), exploration) in environments.iter().zip(&explored) {
        assert!(exploration.problems.is_empty(), "{id}: {:?}", exploration.problems);
        let text = table::render(environment, exploration);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../snapshots/tools");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}
