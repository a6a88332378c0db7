//! Dotted paths into states, and which of them are soft (spec B.1).

use serde_json::{Map, Value};

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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_walk_objects_only() {
        let state = json!({"a": {"b": [1]}, "n": null});
        assert_eq!(resolve(&state, &segments("a..b.")), Some(&json!([1])));
        assert_eq!(resolve(&state, &segments("a.b.0")), None);
        assert_eq!(resolve(&state, &segments("n")), Some(&json!(null)));
        assert_eq!(resolve(&state, &segments(".")), Some(&state));
    }

    #[test]
    fn softness_is_by_first_and_last_segment() {
        for (path, soft) in
            [("adherence_log.L1.note", true), ("x.timestamp", true), ("x.timestamp.y", false), ("", false)]
        {
            assert_eq!(is_soft(&segments(path)), soft, "{path}");
        }
    }
}
