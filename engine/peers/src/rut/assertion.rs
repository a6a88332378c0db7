//! Assertions on the final state (spec B.6).

use serde::Serialize;
use serde_json::Value;

use super::host;
use super::matching::Record;
use super::path::{Equality, Ignored, contains, is_soft, objects, resolve, segments};

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
    pub path: String,
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
