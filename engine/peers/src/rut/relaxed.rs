//! The relaxed verdict: the end state and the forbidden actions alone (spec B.12); and by rule why a run failed (E.3).

use serde::Serialize;
use serde_json::Value;

use super::completion::{MISSING_NAMES, MISSING_READS, PRECEDENCE};
use super::host;
use super::path::objects;

/// The relaxed verdict over a completion report, which may be partial.
#[derive(Debug, Serialize)]
pub struct Relaxed {
    expected_state_diff_passed: bool,
    final_state_assertion_pass_count: i128,
    final_state_assertion_total: i128,
    final_state_assertions_passed: bool,
    forbidden_action_violations: Vec<Value>,
    /// Whether no rule was matched.
    pub forbidden_actions_passed: bool,
    pub original_hard_failures: Value,
    pub original_success: bool,
    pub recovered_by_relaxed: bool,
    pub relaxed_failures: Vec<&'static str>,
    relaxed_sr: f64,
    pub relaxed_success: bool,
}

impl Relaxed {
    pub fn of(report: &Value) -> Self {
        let total = host::integer(report.get("final_state_assertion_total"));
        let held = host::integer(report.get("final_state_assertion_pass_count"));
        let assertions = total == 0 || held == total;
        let has_diff = report.get("expected_state_diff_passed").is_none_or(host::is_truthy);
        let violations = report.get("forbidden_action_violations").and_then(Value::as_array);
        let is_clean = violations.is_none_or(Vec::is_empty);
        let checks = [
            ("final_state_assertions_failed", assertions),
            ("expected_state_diff_failed", has_diff),
            ("forbidden_actions_violated", is_clean),
        ];
        let relaxed_failures: Vec<_> =
            checks.into_iter().filter(|(_, passed)| !passed).map(|(label, _)| label).collect();
        let relaxed_success = relaxed_failures.is_empty();
        let says = |name: &str| host::is_truthy_field(report.get(name));
        // An empty `passed` gives way to `success`; a `semantic_success` that is there decides, whatever it holds.
        let original_success = match report.get("semantic_success") {
            Some(verdict) => host::is_truthy(verdict),
            None => says("passed") || says("success"),
        };
        Relaxed {
            expected_state_diff_passed: has_diff,
            final_state_assertion_pass_count: held,
            final_state_assertion_total: total,
            final_state_assertions_passed: assertions,
            forbidden_action_violations: violations.cloned().unwrap_or_default(),
            forbidden_actions_passed: is_clean,
            original_hard_failures: report.get("hard_failures").cloned().unwrap_or_else(|| Value::Array(Vec::new())),
            original_success,
            recovered_by_relaxed: relaxed_success && !original_success,
            relaxed_failures,
            relaxed_sr: if relaxed_success { 1.0 } else { 0.0 },
            relaxed_success,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FailureMode {
    /// R1a, R1b, R2, R3 or R4.
    pub failure_mode: &'static str,
    pub label: &'static str,
}

const GAVE_UP: FailureMode = FailureMode { failure_mode: "R1a", label: "Gave Up Early" };
const PARTIAL: FailureMode = FailureMode { failure_mode: "R1b", label: "Partial Completion" };
const ORDER: FailureMode = FailureMode { failure_mode: "R2", label: "Wrong Tool Order" };
const PARAMETERS: FailureMode = FailureMode { failure_mode: "R3", label: "Wrong Params or Scope" };
const FORBIDDEN: FailureMode = FailureMode { failure_mode: "R4", label: "Forbidden Tool Called" };

pub fn of(relaxed: &Value, trace: Option<&Value>) -> FailureMode {
    let failures = relaxed.get("original_hard_failures").and_then(Value::as_array);
    let has = |label: &str| failures.is_some_and(|failures| failures.iter().any(|text| text == label));
    let has_write = objects(trace).any(|call| host::is_truthy_field(call.get("is_write")));
    if !relaxed.get("forbidden_actions_passed").is_none_or(host::is_truthy) {
        return FORBIDDEN;
    }
    match (has(MISSING_NAMES), has(PRECEDENCE) || has(MISSING_READS)) {
        (true, _) if has_write => PARTIAL,
        (true, _) => GAVE_UP,
        (false, true) => ORDER,
        (false, false) => PARAMETERS,
    }
}
