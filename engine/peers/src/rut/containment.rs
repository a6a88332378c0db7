//! Equality of values and containment of an expected value in an actual one (spec B.1).

use std::collections::BTreeSet;

use serde_json::Value;

use super::host;
use super::path::is_soft;

/// Keys that containment passes over at the top, and only there.
pub type Ignored<'a> = BTreeSet<&'a str>;

pub type Equality = fn(&Value, &Value) -> bool;

/// Whether two values are equal to the reference: two numbers as 64-bit floats, anything else as the host has it.
pub(crate) fn values_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => host::is_equal(left, right),
    }
}

/// Whether `expected` is contained in `actual`, which stands at `path`.
///
/// Objects may have more fields than expected, lists may not have more items; what is at a soft path is never
/// looked at.
pub fn contains(expected: &Value, actual: &Value, path: &[&str], ignored: &Ignored, equal: Equality) -> bool {
    if is_soft(path) {
        return true;
    }
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => expected.iter().all(|(key, wanted)| {
            if ignored.contains(key.as_str()) {
                return true;
            }
            let below = [path, &[key.as_str()]].concat();
            is_soft(&below)
                || actual.get(key).is_some_and(|given| contains(wanted, given, &below, &Ignored::new(), equal))
        }),
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected
                    .iter()
                    .zip(actual)
                    .all(|(wanted, given)| contains(wanted, given, path, &Ignored::new(), equal))
        }
        (Value::Object(_), _) | (Value::Array(_), _) => false,
        _ => equal(expected, actual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn holds(expected: &Value, actual: &Value) -> bool {
        contains(expected, actual, &[], &Ignored::new(), values_equal)
    }

    #[test]
    fn objects_may_have_more_and_lists_may_not() {
        assert!(holds(&json!({"a": {"b": 1}}), &json!({"a": {"b": 1.0, "c": 2}, "d": 3})));
        assert!(!holds(&json!({"a": null}), &json!({})));
        assert!(!holds(&json!([1]), &json!([1, 2])));
        assert!(!holds(&json!([1, 2]), &json!([2, 1])));
        assert!(holds(&json!([{"a": 1}]), &json!([{"a": 1, "b": 2}])));
    }

    #[test]
    fn soft_fields_are_never_looked_at() {
        assert!(holds(&json!({"x": {"timestamp": {"changed": 1}}}), &json!({"x": {}})));
        assert!(holds(&json!({"adherence_log": 1}), &json!({})));
        assert!(!holds(&json!({"x": {"timestamps": 1}}), &json!({"x": {}})));
    }

    #[test]
    fn ignored_keys_are_ignored_at_the_top_only() {
        let ignored = Ignored::from(["id"]);
        let expected = json!({"id": "A", "inner": {"id": "A"}});
        assert!(contains(&expected, &json!({"inner": {"id": "A"}}), &["x"], &ignored, values_equal));
        assert!(!contains(&expected, &json!({"inner": {"id": "B"}}), &["x"], &ignored, values_equal));
    }

    #[test]
    fn large_whole_numbers_collide_at_the_top() {
        assert!(values_equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
        assert!(!values_equal(&json!([9_007_199_254_740_993_i64]), &json!([9_007_199_254_740_992_i64])));
    }
}
