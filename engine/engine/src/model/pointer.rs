//! JSON Pointer (RFC 6901): the one way paths into states and files are written.

use serde_json::Value;

/// Escapes one segment: `~` becomes `~0`, `/` becomes `~1`.
pub fn escape(segment: &str) -> String {
    match segment.contains(['~', '/']) {
        true => segment.replace('~', "~0").replace('/', "~1"),
        false => segment.to_owned(),
    }
}

/// Undoes [`escape`].
pub fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Joins segments into a pointer.
pub fn join<'a>(segments: impl IntoIterator<Item = &'a str>) -> String {
    let mut pointer = String::new();
    for segment in segments {
        pointer.push('/');
        pointer.push_str(&escape(segment));
    }
    pointer
}

/// Splits a pointer into unescaped segments; `None` when it neither is empty nor starts with `/`.
pub fn split(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    Some(pointer.strip_prefix('/')?.split('/').map(unescape).collect())
}

/// The first path at which two values differ, or `None` when they are equal.
pub fn first_difference(left: &Value, right: &Value) -> Option<String> {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().find_map(|key| below(key, a.get(key), b.get(key)))
        }
        (Value::Array(a), Value::Array(b)) => {
            (0..a.len().max(b.len())).find_map(|i| below(&i.to_string(), a.get(i), b.get(i)))
        }
        _ => (left != right).then(String::new),
    }
}

fn below(segment: &str, left: Option<&Value>, right: Option<&Value>) -> Option<String> {
    let tail = match (left, right) {
        (Some(a), Some(b)) => first_difference(a, b)?,
        _ => String::new(),
    };
    Some(format!("/{}{tail}", escape(segment)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn segments_round_trip() {
        assert_eq!(join(["a/b", "~c"]), "/a~1b/~0c");
        assert_eq!(split("/a~1b/~0c"), Some(vec!["a/b".to_owned(), "~c".to_owned()]));
        assert_eq!(split("a"), None);
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(first_difference(&json!({"a": [1, 2]}), &json!({"a": [1, 3]})), Some("/a/1".to_owned()));
        assert_eq!(first_difference(&json!({"a": 1}), &json!({"a": 1, "b": 2})), Some("/b".to_owned()));
        assert_eq!(first_difference(&json!([1]), &json!([1])), None);
    }
}
