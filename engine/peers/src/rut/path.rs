//! Dotted paths into states, and which of them are soft; equality of values, and containment of one in another (spec
//! B.1).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::host;

const SOFT_CONTAINER: &str = "adherence_log";
const SOFT_FIELDS: [&str; 3] = ["dismissal_time", "log_id", "timestamp"];

/// The segments of a dotted path; empty ones are dropped.
pub fn segments(path: &str) -> Vec<&str> {
    path.split('.').filter(|segment| !segment.is_empty()).collect()
}

/// Whether what is at a path may differ: the container of one log, and three fields anywhere.
pub(crate) fn is_soft(segments: &[&str]) -> bool {
    segments.first() == Some(&SOFT_CONTAINER) || segments.last().is_some_and(|last| SOFT_FIELDS.contains(last))
}

/// The value at a path: only objects are walked, and no segments lead to the value itself.
pub fn resolve<'a>(from: &'a Value, segments: &[&str]) -> Option<&'a Value> {
    segments.iter().try_fold(from, |value, segment| value.as_object()?.get(*segment))
}

/// The fields of an object; none for anything else.
pub fn fields(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

/// The objects in a list; anything else in it is passed over.
pub fn objects(value: Option<&Value>) -> impl Iterator<Item = &Map<String, Value>> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

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
