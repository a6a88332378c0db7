//! The slow, obvious checker: all pairs of calls, no index, no state. It exists to disagree with the fast one.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use super::check::{self, Checker, ObservedCall};
use super::graph::ConstraintGraph;
use crate::model::canonical;
use crate::model::constraints::{Constraints, Exclusion, Precedence};
use crate::model::diagnostic::Place;
use crate::model::pattern::CallPattern;

/// A call of a test's trace; steps are positions from 1.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) message: u32,
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) observation: Option<Value>,
}

impl Call {
    pub(super) fn observed<'a>(&'a self, step: u32, matches: &'a [usize]) -> ObservedCall<'a> {
        let Call { message, tool, arguments, observation } = self;
        let (observation, is_read) = (observation.as_ref(), self.is_read());
        ObservedCall { step, message: *message, tool, arguments, observation, is_read, matches }
    }

    /// `find`, `a` and `b` look; all else changes something.
    fn is_read(&self) -> bool {
        ["find", "a", "b"].contains(&self.tool.as_str())
    }

    fn is_ok(&self) -> bool {
        self.observation.is_some()
    }

    fn argument(&self, name: &str) -> Option<String> {
        self.arguments.get(name).map(canonical::to_string)
    }
}

/// Understands the predicates `true` and `args.<name> == <value>`.
fn is_match(pattern: &CallPattern, call: &Call) -> bool {
    let holds = |predicate: &str| match predicate.strip_prefix("args.").and_then(|rest| rest.split_once(" == ")) {
        Some((name, value)) => call.argument(name).as_deref() == Some(value),
        None => predicate == "true",
    };
    pattern.tool == call.tool && pattern.predicate.as_deref().is_none_or(holds)
}

pub(super) fn matching(patterns: &[CallPattern], call: &Call) -> Vec<usize> {
    (0..patterns.len()).filter(|index| is_match(&patterns[*index], call)).collect()
}

/// A rule that the naive checker is made to forget, to show that the comparison notices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    SameBatchCounts,
    LooksAreDone,
    LooksDecide,
    RejectedCounts,
    BindIgnored,
    SeenIgnored,
    KeysUnseen,
    ExclusionBindIgnored,
    MemberExcludesItself,
    LaterCallCounts,
}

type Line = (u32, &'static str);

fn naive(constraints: &Constraints, calls: &[Call], fault: Fault) -> Vec<Line> {
    let mut lines = Vec::new();
    for (call, step) in calls.iter().zip(1..) {
        let earlier = if fault == Fault::LaterCallCounts { calls } else { &calls[..step as usize - 1] };
        for (i, edge) in constraints.precedence.iter().enumerate() {
            if is_match(&edge.after, call) && !constraints.precedence[..i].contains(edge) {
                lines.extend(precedence(edge, earlier, call, fault).map(|code| (step, code)));
            }
        }
        for (i, exclusion) in constraints.exclusions.iter().enumerate() {
            let is_same = |other: &Exclusion| sets(other) == sets(exclusion);
            let is_hit = calls[..step as usize - 1].iter().any(|other| excludes(exclusion, other, call, fault));
            if is_hit && !constraints.exclusions[..i].iter().any(is_same) {
                lines.push((step, if call.is_ok() { "exclusion_violated" } else { "exclusion_attempted" }));
            }
        }
    }
    lines
}

fn sets(exclusion: &Exclusion) -> (BTreeSet<&CallPattern>, BTreeSet<&String>) {
    (exclusion.calls.iter().collect(), exclusion.bind.iter().collect())
}

fn precedence(edge: &Precedence, earlier: &[Call], call: &Call, fault: Fault) -> Option<&'static str> {
    let satisfying: Vec<&Call> = earlier.iter().filter(|other| satisfies(edge, other, call, fault)).collect();
    let is_done = |other: &Call| edge.told.is_none() && (!other.is_read() || fault == Fault::LooksAreDone);
    let is_look = call.is_read() && fault != Fault::LooksDecide;
    let is_order_alone = |other: &Call| edge.seen.is_none() && (is_look || is_done(other));
    let is_enough =
        |other: &&Call| other.message < call.message || is_order_alone(other) || fault == Fault::SameBatchCounts;
    if satisfying.iter().any(is_enough) {
        None
    } else if !call.is_ok() {
        Some("precedence_attempted")
    } else if satisfying.is_empty() {
        Some("precedence_violated")
    } else {
        Some("same_batch")
    }
}

fn satisfies(edge: &Precedence, other: &Call, call: &Call, fault: Fault) -> bool {
    let agrees = |(before, after): (&String, &String)| {
        other.argument(before).is_some() && other.argument(before) == call.argument(after)
    };
    let mut shown = BTreeSet::new();
    parts(other.observation.as_ref().unwrap_or(&Value::Null), fault != Fault::KeysUnseen, &mut shown);
    let is_seen = |name: &String| call.argument(name).is_some_and(|value| shown.contains(&value));
    is_match(&edge.before, other)
        && (other.is_ok() || fault == Fault::RejectedCounts)
        && (edge.bind.iter().all(agrees) || fault == Fault::BindIgnored)
        && (edge.seen.iter().all(is_seen) || fault == Fault::SeenIgnored)
}

/// Every value within `value`, and with `keys` every key, in canonical form.
fn parts(value: &Value, keys: bool, into: &mut BTreeSet<String>) {
    into.insert(canonical::to_string(value));
    match value {
        Value::Array(items) => items.iter().for_each(|item| parts(item, keys, into)),
        Value::Object(map) => map.iter().for_each(|(key, item)| {
            into.extend(keys.then(|| canonical::to_string(&json!(key))));
            parts(item, keys, into);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn excludes(exclusion: &Exclusion, other: &Call, call: &Call, fault: Fault) -> bool {
    let agrees = |name: &String| other.argument(name).is_some() && other.argument(name) == call.argument(name);
    let members = exclusion.calls.iter();
    let pairs = members.flat_map(|mine| exclusion.calls.iter().map(move |theirs| (mine, theirs)));
    other.is_ok()
        && (exclusion.bind.iter().all(agrees) || fault == Fault::ExclusionBindIgnored)
        && pairs
            .filter(|(mine, theirs)| mine != theirs || fault == Fault::MemberExcludesItself)
            .any(|(mine, theirs)| is_match(mine, call) && is_match(theirs, other))
}

fn fast(constraints: &[&Constraints], calls: &[Call]) -> Vec<Line> {
    let parts: Vec<(&str, &Constraints)> = constraints.iter().map(|part| ("", *part)).collect();
    let (graph, _) = ConstraintGraph::build(&parts);
    let mut checker = Checker::new(Arc::new(graph.clone()));
    let codes = [
        check::PRECEDENCE_VIOLATED,
        check::SAME_BATCH,
        check::PRECEDENCE_ATTEMPTED,
        check::EXCLUSION_VIOLATED,
        check::EXCLUSION_ATTEMPTED,
    ];
    let mut lines = Vec::new();
    for (call, step) in calls.iter().zip(1..) {
        for finding in checker.observe(&call.observed(step, &matching(graph.patterns(), call))).findings {
            let code = codes.into_iter().find(|code| *code == finding.code).unwrap();
            lines.push((finding.step.unwrap(), code));
        }
    }
    lines
}

fn any_pattern() -> impl Strategy<Value = CallPattern> {
    let predicates = ["", "", "", " where args.x == 1", " where args.x == 2", " where args.y == 1"];
    let tools = prop::sample::select(vec!["a", "b", "c", "d"]);
    (tools, prop::sample::select(predicates.to_vec())).prop_map(|(tool, rest)| format!("{tool}{rest}").parse().unwrap())
}

fn any_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["x".to_owned(), "y".to_owned()])
}

fn any_value() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![json!(1), json!(1.0), json!(2), json!("1"), json!("k"), json!([1])])
}

fn any_constraints() -> impl Strategy<Value = Constraints> {
    let bind = prop::collection::btree_map(any_name(), any_name(), 0..3);
    let edge = (any_pattern(), any_pattern(), bind, prop::option::of(any_name()))
        .prop_map(|(before, after, bind, seen)| Precedence { id: None, before, after, bind, seen, told: None });
    let exclusion = (prop::collection::vec(any_pattern(), 0..4), prop::collection::vec(any_name(), 0..3))
        .prop_map(|(calls, bind)| Exclusion { id: None, calls, bind });
    (prop::collection::vec(edge, 0..5), prop::collection::vec(exclusion, 0..3))
        .prop_map(|(precedence, exclusions)| Constraints { precedence, exclusions })
}

fn any_calls() -> impl Strategy<Value = Vec<Call>> {
    let tool = prop::sample::select(vec!["a", "b", "c", "d"]);
    let arguments = prop::collection::btree_map(any_name(), any_value(), 0..3);
    let leaf = any_value().boxed();
    let observation = prop_oneof![
        leaf.clone(),
        prop::collection::vec(leaf.clone(), 0..3).prop_map(|items| json!({"list": items})),
        leaf.prop_map(|value| json!({"k": [{"1": value}]})),
    ];
    let call = (prop::bool::ANY, tool, arguments, prop::option::weighted(0.8, observation));
    prop::collection::vec(call, 0..12).prop_map(|calls| {
        let mut message = 1;
        let number = |(is_next, tool, arguments, observation): (bool, &str, _, _)| {
            message += u32::from(is_next);
            Call { message, tool: tool.to_owned(), arguments: Map::from_iter(arguments), observation }
        };
        calls.into_iter().map(number).collect()
    })
}

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Compares the two checkers on random graphs and traces.
fn compare(fault: Fault, cases: u32) -> Result<(), String> {
    let strategy = (any_constraints(), any_constraints(), any_calls());
    let outcome = runner(cases).run(&strategy, |(environment, task, calls)| {
        let mut merged = environment.clone();
        merged.precedence.extend(task.precedence.clone());
        merged.exclusions.extend(task.exclusions.clone());
        prop_assert_eq!(fast(&[&environment, &task], &calls), naive(&merged, &calls, fault));
        Ok(())
    });
    match outcome {
        Ok(()) => Ok(()),
        Err(TestError::Fail(reason, _)) => Err(reason.to_string()),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

#[test]
fn fast_and_naive_agree() {
    assert_eq!(compare(Fault::None, 3000), Ok(()));
}

#[test]
fn the_comparison_notices_each_forgotten_rule() {
    for fault in [
        Fault::SameBatchCounts,
        Fault::LooksAreDone,
        Fault::LooksDecide,
        Fault::RejectedCounts,
        Fault::BindIgnored,
        Fault::SeenIgnored,
        Fault::KeysUnseen,
        Fault::ExclusionBindIgnored,
        Fault::MemberExcludesItself,
        Fault::LaterCallCounts,
    ] {
        assert!(compare(fault, 3000).is_err(), "{fault:?} goes unnoticed");
    }
}

/// Few tools, few values and nothing rejected: edges imply each other often, and calls often satisfy them.
fn dense_graph_and_trace() -> impl Strategy<Value = (Constraints, Vec<Call>)> {
    let pattern = |texts: &[&'static str]| {
        prop::sample::select(texts.to_vec()).prop_map(|text| text.parse::<CallPattern>().unwrap()).boxed()
    };
    let tied = (pattern(&["a", "b", "b where args.x == 1"]), pattern(&["b", "b where args.x == 1", "c"]));
    let bind = prop::collection::btree_map(any_name(), any_name(), 0..2);
    let edge = (tied, bind, prop::option::weighted(0.3, any_name()))
        .prop_map(|((before, after), bind, seen)| Precedence { id: None, before, after, bind, seen, told: None });
    let value = prop::sample::select(vec![json!(1), json!(2)]).boxed();
    let arguments = (value.clone(), value.clone()).prop_map(|(x, y)| json!({"x": x, "y": y}));
    let call = (prop::sample::select(vec!["a", "b", "c"]), arguments, value);
    let calls = prop::collection::vec(call, 1..6).prop_map(|calls| {
        let number = |((tool, arguments, observation), message): ((&str, Value, Value), u32)| Call {
            message,
            tool: tool.to_owned(),
            arguments: arguments.as_object().unwrap().clone(),
            observation: Some(observation),
        };
        calls.into_iter().zip(1..).map(number).collect()
    });
    let edges = prop::collection::vec(edge, 2..5);
    (edges.prop_map(|precedence| Constraints { precedence, exclusions: Vec::new() }), calls)
}

/// What is warned of as implied can be dropped: no trace becomes compliant by it.
#[test]
fn dropping_an_implied_edge_changes_no_compliance() {
    let mut implied = 0;
    let counter = std::cell::RefCell::new(&mut implied);
    let outcome = runner(40_000).run(&dense_graph_and_trace(), |(constraints, calls)| {
        let complies =
            |constraints: &Constraints| !fast(&[constraints], &calls).iter().any(|l| check::is_violation(l.1));
        let problems = ConstraintGraph::build(&[("", &constraints)]).1;
        for problem in problems.iter().filter(|problem| problem.code == "implied_edge") {
            let Place::Pointer(place) = &problem.place else { panic!("{problem:?}") };
            let mut fewer = constraints.clone();
            fewer.precedence.remove(place.strip_prefix("/precedence/").unwrap().parse().unwrap());
            prop_assert_eq!(complies(&fewer), complies(&constraints));
            **counter.borrow_mut() += 1;
        }
        Ok(())
    });
    assert_eq!(outcome.map_err(|error| error.to_string()), Ok(()));
    assert!(implied > 1000, "only {implied} implied edges were tried");
}
