//! The most telling calls of every tool, found by exploration, as tables that a person can review,
//! in `snapshots/tools/`: is what each call does what the policy and the texts mean?

use probity_behaviour::check::environment::{explore, table, tasks_of};
use rayon::prelude::*;
use serde_json::Value;

use crate::support::suite;

#[test]
fn tool_cases() {
    let suite = suite();
    assert!(!suite.environments.is_empty(), "{:?}", suite.diagnostics);
    let environments: Vec<_> = suite.environments.iter().collect();
    let explored: Vec<_> =
        environments.par_iter().map(|(id, environment)| explore(environment, &tasks_of(suite, id))).collect();
    for ((id, environment), exploration) in environments.iter().zip(&explored) {
        assert!(exploration.problems.is_empty(), "{id}: {:?}", exploration.problems);
        let text = table::render(environment, exploration);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../../snapshots/tools");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}

#[test]
fn check_all_says_what_was_reached() {
    let output = crate::support::probity(&["check", "--all", "--json", "healthcare/clinic"]);
    assert_eq!(crate::support::code(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["diagnostics"], Value::Array(Vec::new()));
    let coverage = found["coverage"].as_array().unwrap();
    assert_eq!(Some(coverage.len() as u64), found["environments"].as_u64());
    for one in coverage {
        for what in ["tools", "error_codes", "effects", "events"] {
            assert_eq!(one[what]["reached"], one[what]["all"], "{what} of {}", one["environment"]);
        }
        assert!(one["calls"].as_u64().unwrap() > 1000, "{one}");
        assert!(!one["fields_written"].as_array().unwrap().is_empty(), "{one}");
    }
    let without = crate::support::probity(&["check", "--json"]);
    let found: Value = serde_json::from_slice(&without.stdout).unwrap();
    assert!(found.get("coverage").is_none());
}
