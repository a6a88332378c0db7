//! What each problem of a constraint graph looks like, and what is no problem.

use serde_json::{Value, json};

use super::*;
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
    report(&ConstraintGraph::build(&[("/constraints", &constraints(value))]).1)
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

#[test]
fn every_edge_that_closes_a_cycle_is_named_with_the_cycle() {
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "d"), ("c", "b")];
    assert_eq!(
        problems_of(json!({"precedence": precedence(&edges)})),
        [
            "/constraints/precedence/2: error[cyclic_precedence]: the precedence is cyclic: `c -> a -> b -> c`",
            "/constraints/precedence/3: error[cyclic_precedence]: the precedence is cyclic: `d -> d`",
            "/constraints/precedence/4: error[cyclic_precedence]: the precedence is cyclic: `c -> b -> c`",
        ]
    );
}

#[test]
fn a_tool_covers_its_calls_with_a_predicate() {
    for edges in [[("pay", "find"), ("find where true", "pay")], [("find where true", "pay"), ("pay", "find")]] {
        let found = problems_of(json!({"precedence": precedence(&edges)}));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("cyclic_precedence"), "{found:?}");
    }
    let found = problems_of(json!({"precedence": precedence(&[("pay where true", "pay")])}));
    assert!(found[0].ends_with("`pay where true -> pay -> pay where true`"), "{found:?}");
    // The other way round there is a first call, and different predicates may never meet.
    for edges in [
        vec![("pay", "pay where true")],
        vec![("pay", "find where true"), ("find", "pay")],
        vec![("pay where args.x == 1", "pay where args.x == 2"), ("pay where args.x == 2", "find")],
    ] {
        assert_eq!(problems_of(json!({"precedence": precedence(&edges)})), Vec::<String>::new());
    }
}

#[test]
fn duplicate_edges_are_dropped_with_a_warning() {
    let edge = json!({"before": "a", "after": "b", "bind": {"x": "y"}, "seen": "x"});
    assert_eq!(
        problems_of(json!({"precedence": [edge, edge]})),
        ["/constraints/precedence/1: warning[duplicate_edge]: the edge from `a` to `b` is there already"]
    );
}

#[test]
fn implied_edges_are_warned_about() {
    assert_eq!(
        problems_of(json!({"precedence": precedence(&[("a", "c"), ("a", "b"), ("b", "c")])})),
        ["/constraints/precedence/0: warning[implied_edge]: other edges already make `c` need `a`"]
    );
    assert_eq!(
        problems_of(json!({"precedence": precedence(&[("a", "b"), ("a", "b where true")])})),
        ["/constraints/precedence/1: warning[implied_edge]: other edges already make `b where true` need `a`"]
    );
}

/// Whether a -> c with these `bind` and `seen` is implied by a -> b and b -> c with those.
fn is_implied(direct: Value, first: Value, second: Value) -> bool {
    let edge = |before: &str, after: &str, mut rest: Value| {
        rest["before"] = before.into();
        rest["after"] = after.into();
        rest
    };
    let edges = json!([edge("a", "c", direct), edge("a", "b", first), edge("b", "c", second)]);
    let found = problems_of(json!({"precedence": edges}));
    assert!(found.iter().all(|line| line.contains("/precedence/0: warning[implied_edge]")), "{found:?}");
    !found.is_empty()
}

#[test]
fn an_edge_is_implied_only_when_the_path_says_as_much() {
    let bind = |before: &str, after: &str| json!({"bind": {before: after}});
    assert!(is_implied(json!({}), bind("x", "y"), json!({"seen": "x"})));
    assert!(is_implied(bind("x", "z"), bind("x", "y"), bind("y", "z")));
    assert!(!is_implied(bind("x", "z"), bind("x", "y"), json!({})));
    assert!(!is_implied(bind("x", "z"), bind("w", "y"), bind("y", "z")));
    assert!(!is_implied(bind("x", "z"), bind("x", "y"), bind("x", "z")));
    assert!(is_implied(json!({"seen": "z"}), json!({"seen": "y"}), bind("y", "z")));
    assert!(!is_implied(json!({"seen": "z"}), json!({"seen": "y"}), json!({})));
    assert!(!is_implied(json!({"seen": "z"}), bind("x", "y"), json!({"seen": "z"})));
    assert!(!is_implied(json!({"bind": {"x": "z"}, "seen": "z"}), bind("x", "y"), bind("y", "z")));
}

#[test]
fn exclusions_need_two_different_members() {
    assert_eq!(
        problems_of(json!({"exclusions": [{"calls": []}, {"calls": ["a"]}, {"calls": ["a", "b", "a"]}]})),
        [
            "/constraints/exclusions/0/calls: error[exclusion_too_small]: \
             an exclusion needs two different calls or more, this one has 0",
            "/constraints/exclusions/1/calls: error[exclusion_too_small]: \
             an exclusion needs two different calls or more, this one has 1",
            "/constraints/exclusions/2/calls/2: error[duplicate_member]: `a` is a member of this exclusion already",
        ]
    );
    assert_eq!(
        problems_of(json!({"exclusions": [{"calls": ["a", "b"]}, {"calls": ["b", "a"]}]})),
        ["/constraints/exclusions/1: warning[duplicate_exclusion]: the same exclusion is there already"]
    );
}

#[test]
fn an_exclusion_that_the_edges_forbid_to_keep_is_an_error() {
    let exclusions = json!([{"calls": ["c", "a"]}]);
    assert_eq!(
        problems_of(json!({"precedence": precedence(&[("a", "b"), ("b", "c")]), "exclusions": exclusions})),
        ["/constraints/exclusions/0: error[unsatisfiable_exclusion]: \
          `c` needs an earlier `a`, but the two exclude each other"]
    );
    assert_eq!(
        problems_of(json!({"precedence": precedence(&[("a", "d"), ("c", "d")]), "exclusions": exclusions})),
        ["/constraints/exclusions/0: error[unsatisfiable_exclusion]: \
          `d` needs both `a` and `c`, but the two exclude each other"]
    );
    // A call of `a where ...` is its own `a`; no second call is needed.
    let exclusions = json!([{"calls": ["a", "a where true"]}]);
    assert_eq!(problems_of(json!({"exclusions": exclusions})), Vec::<String>::new());
}

#[test]
fn a_bound_exclusion_is_an_error_only_when_the_edge_ties_its_arguments() {
    let with_edge = |edge: Value| {
        problems_of(json!({"precedence": [edge], "exclusions": [{"calls": ["a", "b"], "bind": ["room"]}]}))
    };
    assert_eq!(
        with_edge(json!({"before": "a", "after": "b", "bind": {"room": "room"}})),
        ["/constraints/exclusions/0: error[unsatisfiable_exclusion]: \
          `b` needs an earlier `a`, but the two exclude each other"]
    );
    for edge in [
        json!({"before": "a", "after": "b", "bind": {"room": "to"}}),
        json!({"before": "a", "after": "b", "bind": {"to": "room"}}),
        json!({"before": "a", "after": "b", "seen": "room"}),
    ] {
        assert_eq!(
            with_edge(edge),
            ["/constraints/exclusions/0: warning[unsatisfiable_exclusion]: \
              `b` needs an earlier `a`, but the two exclude each other when they agree in `room`"]
        );
    }
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
