//! Why a run failed, by rule (spec E.3).

use serde::Serialize;
use serde_json::Value;

use super::completion::{MISSING_NAMES, MISSING_READS, PRECEDENCE};
use super::host;
use super::path::objects;

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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn modes_are_tried_in_order() {
        let mode = |failures: &[&str], clean: bool, is_write: bool| {
            let relaxed = json!({"original_hard_failures": failures, "forbidden_actions_passed": clean});
            of(&relaxed, Some(&json!([{"is_write": is_write}]))).failure_mode
        };
        assert_eq!(mode(&[MISSING_NAMES], false, true), "R4");
        assert_eq!(mode(&[MISSING_NAMES, PRECEDENCE], true, true), "R1b");
        assert_eq!(mode(&[MISSING_NAMES, PRECEDENCE], true, false), "R1a");
        assert_eq!(mode(&[MISSING_READS], true, false), "R2");
        assert_eq!(mode(&["anything"], true, false), "R3");
    }
}
