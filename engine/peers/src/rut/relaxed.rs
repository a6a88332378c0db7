//! The relaxed verdict: the end state and the forbidden actions alone (spec B.12).

use serde::Serialize;
use serde_json::Value;

use super::host;

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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_that_says_nothing_is_a_relaxed_success() {
        let relaxed = Relaxed::of(&json!({}));
        assert!(relaxed.relaxed_success && relaxed.recovered_by_relaxed && !relaxed.original_success);
        assert_eq!(relaxed.original_hard_failures, json!([]));
    }

    #[test]
    fn an_empty_verdict_gives_way_to_the_next_but_for_the_first() {
        let original = |report: serde_json::Value| Relaxed::of(&report).original_success;
        assert!(original(json!({"passed": [], "success": true})));
        assert!(original(json!({"passed": null, "success": [0]})));
        assert!(!original(json!({"passed": "", "success": 0})));
        assert!(!original(json!({"semantic_success": null, "passed": true, "success": true})));
    }

    #[test]
    fn each_end_state_check_has_its_label() {
        let report = json!({"final_state_assertion_total": "2", "expected_state_diff_passed": null,
            "forbidden_action_violations": ["x"], "semantic_success": []});
        let labels = ["final_state_assertions_failed", "expected_state_diff_failed", "forbidden_actions_violated"];
        assert_eq!(Relaxed::of(&report).relaxed_failures, labels);
    }
}
