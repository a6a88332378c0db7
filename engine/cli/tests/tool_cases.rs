//! The most telling calls of every tool, found by exploration, as tables that a person can review,
//! in `snapshots/tools/`: is what each call does what the policy and the texts mean?

use probity_proof::check::environment::{cases, explore, tasks_of};
use rayon::prelude::*;
use serde_json::Value;

use crate::support::{json, probity, snapshots, succeeded, suite};

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

#[test]
fn check_all_says_what_was_reached() {
    let output = probity(&["check", "--all", "--json", "healthcare/clinic"]);
    let found = json(&succeeded(output));
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
    let found = json(&probity(&["check", "--json"]));
    assert!(found.get("coverage").is_none());
}
