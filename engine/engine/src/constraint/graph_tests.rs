//! What each problem of a constraint graph looks like, and what is no problem.

use serde_json::{Value, json};

use super::*;
use crate::case::{Reader, hold, row, yes};
use crate::model::diagnostic::Place;

fn constraints(value: Value) -> Constraints {
    serde_json::from_value(value).unwrap()
}

/// `pointer: severity[code] message`, for each problem.
fn report(problems: &[Problem]) -> Vec<String> {
    let line = |problem: &Problem| {
        let Place::Pointer(pointer) = &problem.place else { panic!("{problem:?}") };
        let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
        format!("{pointer}: {severity}[{}]: {}", problem.code, problem.message)
    };
    problems.iter().map(line).collect()
}

fn problems_of(value: Value) -> Vec<String> {
    report(&ConstraintGraph::build(&[("", &constraints(value))]).1)
}

fn precedence(edges: &[(&str, &str)]) -> Value {
    edges.iter().map(|(before, after)| json!({"before": before, "after": after})).collect()
}

#[test]
fn a_sound_graph_has_no_problems_and_shares_patterns() {
    let value = json!({
        "precedence": precedence(&[("find", "hold"), ("hold", "book"), ("find where args.x == 1", "cancel")]),
        "exclusions": [{"calls": ["book", "cancel"], "bind": ["room"]}],
    });
    let (graph, problems) = ConstraintGraph::build(&[("", &constraints(value))]);
    assert_eq!(report(&problems), Vec::<String>::new());
    let patterns: Vec<String> = graph.patterns().iter().map(CallPattern::to_string).collect();
    assert_eq!(patterns, ["find", "hold", "book", "find where args.x == 1", "cancel"]);
    assert_eq!(graph.edges().len(), 3);
    assert_eq!(graph.exclusions()[0].members, BTreeSet::from([2, 4]));
}

/// Whether a -> c with the first of three `bind` and `seen` is implied by a -> b and b -> c with the others.
fn is_implied(text: &str) -> String {
    let mut edges: Value = text.parse().unwrap();
    for (edge, (before, after)) in edges.as_array_mut().unwrap().iter_mut().zip([("a", "c"), ("a", "b"), ("b", "c")]) {
        edge["before"] = before.into();
        edge["after"] = after.into();
    }
    let found = problems_of(json!({"precedence": edges}));
    assert!(found.iter().all(|line| line.starts_with("/precedence/0: warning[implied_edge]")), "{found:?}");
    yes(!found.is_empty())
}

#[test]
fn graphs_have_the_problems_that_the_cases_say() {
    let problems: Reader = |text| row(problems_of(text.parse().unwrap()), " + ");
    hold(include_str!("graph_cases.txt"), &[("problems", problems), ("implied", is_implied)]);
}

#[test]
fn a_task_is_told_only_of_what_it_brings() {
    let environment = constraints(json!({
        "precedence": precedence(&[("a", "c"), ("a", "a"), ("a", "b")]),
        "exclusions": [{"calls": ["a", "d"]}],
    }));
    let (base, problems) = ConstraintGraph::build(&[("/constraints", &environment)]);
    assert_eq!(problems.len(), 1);
    let (same, problems) = base.extend("/constraints", &Constraints::default());
    assert_eq!((same.patterns(), report(&problems)), (base.patterns(), vec![]));
    let task = constraints(json!({"precedence": precedence(&[("b", "a"), ("a", "b"), ("c", "d")])}));
    let (graph, problems) = base.extend("/constraints", &task);
    assert_eq!(
        report(&problems),
        [
            "/constraints/precedence/0: error[cyclic_precedence]: the precedence is cyclic: `b -> a -> b`",
            "/constraints/precedence/1: warning[duplicate_edge]: the edge from `a` to `b` is there already",
            "/constraints/precedence: error[unsatisfiable_exclusion]: \
             `d` needs an earlier `a`, but the two exclude each other",
        ]
    );
    assert!(graph.patterns().starts_with(base.patterns()));
}
