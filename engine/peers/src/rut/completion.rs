//! The completion report: every check of a run, its counts and the two verdicts (spec B.11).

use serde::Serialize;
use serde_json::Value;

use super::assertion::{self, AssertionResult};
use super::matching::{EdgeResult, Matching, NameResult, ReadResult, Record, Tools, WriteResult};
use super::path::{Ignored, contains, objects, values_equal};
use super::{conduct, host};

pub(crate) const MISSING_READS: &str = "missing required read-equivalence matches";
pub(crate) const MISSING_WRITES: &str = "missing required write matches";
/// Writes of the graph whose names do not come up in their order.
pub(crate) const MISSING_NAMES: &str = "missing required write tool usage";
pub(crate) const PRECEDENCE: &str = "precedence constraints violated";
pub(crate) const ASSERTIONS: &str = "final state assertions failed";
pub(crate) const HARD_ASSERTIONS: &str = "critical final state assertions failed";
/// The expected change of the state is not contained in the one that happened.
pub(crate) const STATE_DIFF: &str = "expected final state diff not contained in actual final state diff";
/// A clarification was to come before the first write.
pub(crate) const CLARIFICATION: &str = "clarification requirement not satisfied before write";
pub const REFUSAL: &str = "refusal/scope requirement not satisfied";

/// The checks that the relaxed verdict leaves out.
pub(crate) const DIALOGUE_CHECKS: [&str; 6] =
    [MISSING_READS, MISSING_WRITES, MISSING_NAMES, PRECEDENCE, CLARIFICATION, REFUSAL];

/// The whole report, with the names of the reference.
#[derive(Debug, Serialize)]
pub struct Completion {
    agent_context_mode: String,
    clarification_satisfied: bool,
    critical_final_state_assertion_pass_count: usize,
    critical_final_state_assertion_total: usize,
    pub expected_state_diff_passed: bool,
    failures: Vec<String>,
    final_state_assertion_pass_count: usize,
    final_state_assertion_total: usize,
    final_state_results: Vec<AssertionResult>,
    forbidden_action_violations: Vec<String>,
    /// What failed, in the reference's words and order.
    pub hard_failures: Vec<String>,
    /// The semantic verdict; the strict one is always the same.
    pub passed: bool,
    precedence_results: Vec<EdgeResult>,
    precedence_satisfied_count: usize,
    precedence_total: usize,
    read_results: Vec<ReadResult>,
    refusal_satisfied: bool,
    required_read_match_count: usize,
    required_read_total: usize,
    required_write_match_count: usize,
    required_write_tool_name_match_count: usize,
    required_write_tool_name_total: usize,
    required_write_total: usize,
    semantic_sr: f64,
    semantic_success: bool,
    soft_failures: Vec<String>,
    sr: f64,
    strict_sr: f64,
    strict_success: bool,
    success: bool,
    task_type: Value,
    write_results: Vec<WriteResult>,
    write_tool_name_results: Vec<NameResult>,
}

struct Found {
    matching: Matching,
    assertions: Vec<AssertionResult>,
    has_expected_diff: bool,
    clarified: bool,
    refused: bool,
    violations: Vec<String>,
}

impl Completion {
    pub fn of(sample: &Value, run: &Value) -> Self {
        let null = Value::Null;
        let object = |value: Option<&'_ Value>| value.filter(|value| value.is_object()).cloned().unwrap_or_default();
        let graph = sample.get("gold_action_graph").unwrap_or(&null);
        let (initial, last) = (object(run.get("initial_state")), object(run.get("final_state")));
        let (initial, last) = (or_empty(initial), or_empty(last));
        let trace: Vec<&Record> = objects(run.get("actual_tool_trace")).collect();
        let actions: Vec<&Record> = objects(run.get("actual_actions")).collect();
        let diff = sample.get("expected_state_diff").filter(|diff| diff.as_object().is_some_and(|d| !d.is_empty()));
        let actual_diff = run.get("final_state_diff").unwrap_or(&null);
        let found = Found {
            matching: Matching::of(&Tools::of_sample(sample), graph, &trace),
            assertions: assertion::judge(sample.get("final_state_assertions"), &initial, &last, values_equal),
            has_expected_diff: diff.is_none_or(|diff| contains(diff, actual_diff, &[], &Ignored::new(), values_equal)),
            clarified: conduct::clarified(graph, &actions),
            refused: conduct::refused(graph, &actions),
            violations: conduct::violations(sample.get("forbidden_actions"), &trace, &initial),
        };
        Completion::counted(found, host::label(run.get("agent_context_mode")), task_type(sample, graph))
    }

    fn counted(found: Found, agent_context_mode: String, task_type: Value) -> Self {
        let failures = found.failures();
        let passed = failures.is_empty();
        let sr = if passed { 1.0 } else { 0.0 };
        let Found { matching, assertions, .. } = found;
        let hard = || assertions.iter().filter(|result| result.is_hard_requirement);
        Completion {
            agent_context_mode,
            clarification_satisfied: found.clarified,
            critical_final_state_assertion_pass_count: hard().filter(|result| result.passed).count(),
            critical_final_state_assertion_total: hard().count(),
            expected_state_diff_passed: found.has_expected_diff,
            failures: failures.clone(),
            final_state_assertion_pass_count: assertions.iter().filter(|result| result.passed).count(),
            final_state_assertion_total: assertions.len(),
            forbidden_action_violations: found.violations,
            hard_failures: failures,
            passed,
            precedence_satisfied_count: matching.edges.iter().filter(|edge| edge.satisfied).count(),
            precedence_total: matching.edges.len(),
            refusal_satisfied: found.refused,
            required_read_match_count: matching.reads.iter().filter(|read| read.matched).count(),
            required_read_total: matching.reads.len(),
            required_write_match_count: matching.writes.iter().filter(|write| write.matched).count(),
            required_write_tool_name_match_count: matching.names.iter().filter(|name| name.matched).count(),
            required_write_tool_name_total: matching.names.len(),
            required_write_total: matching.writes.len(),
            semantic_sr: sr,
            semantic_success: passed,
            soft_failures: Vec::new(),
            sr,
            strict_sr: sr,
            strict_success: passed,
            success: passed,
            task_type,
            final_state_results: assertions,
            precedence_results: matching.edges,
            read_results: matching.reads,
            write_results: matching.writes,
            write_tool_name_results: matching.names,
        }
    }

    /// The report as the reference writes it.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The sample's as a text; where that is empty, the graph's as it stands, null included.
fn task_type(sample: &Value, graph: &Value) -> Value {
    match host::label(sample.get("task_type")) {
        label if label.is_empty() => graph.get("task_type").cloned().unwrap_or_else(|| Value::from("execute")),
        label => Value::from(label),
    }
}

fn or_empty(value: Value) -> Value {
    if value.is_object() { value } else { Value::Object(serde_json::Map::new()) }
}

impl Found {
    fn failures(&self) -> Vec<String> {
        let matching = &self.matching;
        let hard_fails = |result: &AssertionResult| result.is_hard_requirement && !result.passed;
        let checks = [
            (MISSING_READS, matching.reads.iter().any(|read| !read.matched)),
            (MISSING_WRITES, matching.writes.iter().any(|write| !write.matched)),
            (MISSING_NAMES, matching.names.iter().any(|name| !name.matched)),
            (PRECEDENCE, matching.edges.iter().any(|edge| !edge.satisfied)),
            (ASSERTIONS, self.assertions.iter().any(|result| !result.passed)),
            (HARD_ASSERTIONS, self.assertions.iter().any(hard_fails)),
            (STATE_DIFF, !self.has_expected_diff),
            (CLARIFICATION, !self.clarified),
            (REFUSAL, !self.refused),
        ];
        let failed = checks.into_iter().filter(|(_, failed)| *failed).map(|(label, _)| label.to_owned());
        failed.chain(self.violations.iter().cloned()).collect()
    }
}
