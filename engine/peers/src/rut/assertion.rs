//! Assertions on the final state (spec B.6).

use serde::Serialize;
use serde_json::Value;

use super::containment::{Equality, Ignored, contains};
use super::host;
use super::matching::Record;
use super::path::{is_soft, objects, resolve, segments};

#[derive(Debug, Serialize)]
pub struct AssertionResult {
    assertion_type: String,
    final_exists: bool,
    final_value: Value,
    initial_exists: bool,
    initial_value: Value,
    /// Whether its path is not soft.
    pub is_hard_requirement: bool,
    pub passed: bool,
    path: String,
}

impl AssertionResult {
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Judges every assertion that is an object; an unknown type fails.
pub fn judge(assertions: Option<&Value>, initial: &Value, last: &Value, equal: Equality) -> Vec<AssertionResult> {
    objects(assertions).map(|assertion| judge_one(assertion, initial, last, equal)).collect()
}

fn judge_one(assertion: &Record, initial: &Value, last: &Value, equal: Equality) -> AssertionResult {
    let path = host::label(assertion.get("path"));
    let assertion_type = host::label(assertion.get("assertion_type"));
    let segments = segments(&path);
    let before = resolve(initial, &segments);
    let mut after = resolve(last, &segments);
    let mut shown = after;
    let null = Value::Null;
    let field = |name: &str| assertion.get(name).unwrap_or(&null);
    let passed = match assertion_type.as_str() {
        "changed" => before.zip(after).is_some_and(|(before, after)| match is_soft(&segments) {
            true => !equal(before, after),
            false => equal(before, field("old_value")) && equal(after, field("new_value")),
        }),
        "added" => {
            let expected = field("value");
            let in_place = after.filter(|after| {
                before.is_none() && contains(expected, after, &segments, &own_ids(expected, &segments), equal)
            });
            shown = in_place.or_else(|| created_elsewhere(expected, &segments, (initial, last), equal));
            after = after.or(shown);
            shown.is_some()
        }
        "removed" => {
            after.is_none()
                && before.is_some_and(|before| contains(field("value"), before, &segments, &Ignored::new(), equal))
        }
        _ => false,
    };
    AssertionResult {
        assertion_type,
        final_exists: after.is_some(),
        final_value: shown.cloned().unwrap_or_default(),
        initial_exists: before.is_some(),
        initial_value: before.cloned().unwrap_or_default(),
        is_hard_requirement: !is_soft(&segments),
        passed,
        path: path.clone(),
    }
}

/// The fields of a created record that repeat the id under which the oracle created it.
pub(super) fn own_ids<'a>(expected: &'a Value, segments: &[&str]) -> Ignored<'a> {
    let fields = expected.as_object().into_iter().flatten();
    let repeats = |value: &Value| value.as_str().is_some_and(|text| segments.last() == Some(&text));
    fields.filter(|(key, value)| key.ends_with("_id") && repeats(value)).map(|(key, _)| key.as_str()).collect()
}

/// The first record of the same container that is new and has what was expected, under whatever id.
fn created_elsewhere<'a>(
    expected: &Value,
    segments: &[&str],
    (initial, last): (&Value, &'a Value),
    equal: Equality,
) -> Option<&'a Value> {
    let (_, parent) = segments.split_last().filter(|(_, parent)| !parent.is_empty())?;
    expected.as_object()?;
    let known = resolve(initial, parent).and_then(Value::as_object);
    let ignored = own_ids(expected, segments);
    let created = resolve(last, parent)?.as_object()?.iter();
    created
        .filter(|(key, value)| value.is_object() && known.is_none_or(|known| !known.contains_key(*key)))
        .find(|(key, value)| contains(expected, value, &[parent, &[key.as_str()]].concat(), &ignored, equal))
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn passes(assertion: Value, initial: Value, last: Value) -> bool {
        judge(Some(&json!([assertion])), &initial, &last, super::super::containment::values_equal)[0].passed
    }

    #[test]
    fn a_soft_change_only_has_to_differ() {
        let assertion = json!({"path": "bed.timestamp", "assertion_type": "changed", "old_value": 1, "new_value": 2});
        assert!(passes(assertion.clone(), json!({"bed": {"timestamp": 5}}), json!({"bed": {"timestamp": 6}})));
        assert!(!passes(assertion, json!({"bed": {"timestamp": 5}}), json!({"bed": {"timestamp": 5}})));
        let hard = json!({"path": "bed.plant", "assertion_type": "changed", "old_value": 1, "new_value": 2});
        assert!(!passes(hard, json!({"bed": {"plant": 5}}), json!({"bed": {"plant": 2}})));
    }

    #[test]
    fn a_created_record_may_have_another_id() {
        let assertion =
            json!({"path": "loans.L1", "assertion_type": "added", "value": {"loan_id": "L1", "book": "B2"}});
        let last = |id: &str| json!({"loans": {id: {"loan_id": id, "book": "B2"}}});
        assert!(passes(assertion.clone(), json!({"loans": {}}), last("L7")));
        assert!(!passes(assertion.clone(), last("L7"), last("L7")));
        assert!(!passes(assertion, json!({}), json!({"loans": {"L7": {"book": "B3"}}})));
    }

    #[test]
    fn a_removed_record_must_have_been_as_recorded() {
        let assertion = json!({"path": "loans.L1", "assertion_type": "removed", "value": {"book": "B2"}});
        assert!(passes(assertion.clone(), json!({"loans": {"L1": {"book": "B2", "days": 1}}}), json!({"loans": {}})));
        assert!(!passes(assertion, json!({"loans": {"L1": {"book": "B3"}}}), json!({"loans": {}})));
    }

    #[test]
    fn an_unknown_type_fails_and_what_is_no_object_is_passed_over() {
        let results = judge(
            Some(&json!([3, null, {"path": "a", "assertion_type": "exists"}])),
            &json!({}),
            &json!({"a": 1}),
            super::super::containment::values_equal,
        );
        assert_eq!(results.len(), 1);
        assert!(!results[0].passed && results[0].final_exists);
    }
}
