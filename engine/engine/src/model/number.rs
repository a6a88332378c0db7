//! Numbers at the door: one form for equal values, and no integer a double cannot hold.

use serde_json::{Map, Number, Value};

/// The largest integer that JSON numbers carry exactly, 2^53 - 1 (RFC 8785, 3.2.2.3).
pub const MAX_SAFE_INTEGER: i64 = 9_007_199_254_740_991;

/// Rewrites every number in `value` to its one form (3.0 becomes 3, -0.0 becomes 0).
///
/// # Errors
/// The JSON Pointer of the first integer beyond ±(2^53 - 1).
pub fn normalise(value: &mut Value) -> Result<(), String> {
    normalise_at(value, &mut String::new())
}

/// [`normalise`] for an object's fields.
///
/// # Errors
/// As [`normalise`].
pub fn normalise_map(map: &mut Map<String, Value>) -> Result<(), String> {
    let mut path = String::new();
    map.iter_mut().try_for_each(|(key, value)| below(&mut path, key, value))
}

/// Whether every number has its one form already, as nearly all have.
pub fn is_normal(value: &Value) -> bool {
    match value {
        Value::Number(number) => matches!(safe(number), Some(None)),
        Value::Array(items) => items.iter().all(is_normal),
        Value::Object(map) => map.values().all(is_normal),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

fn normalise_at(value: &mut Value, path: &mut String) -> Result<(), String> {
    match value {
        Value::Number(number) => match safe(number) {
            Some(safe) => {
                if let Some(changed) = safe {
                    *number = changed;
                }
                Ok(())
            }
            None => Err(path.clone()),
        },
        Value::Array(items) => items.iter_mut().enumerate().try_for_each(|(i, item)| below(path, &i.to_string(), item)),
        Value::Object(map) => map.iter_mut().try_for_each(|(key, item)| below(path, key, item)),
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

fn below(path: &mut String, segment: &str, value: &mut Value) -> Result<(), String> {
    let length = path.len();
    path.push('/');
    path.push_str(&super::pointer::escape(segment));
    normalise_at(value, path)?;
    path.truncate(length);
    Ok(())
}

/// `None`: refused. `Some(None)`: fine as it is. `Some(Some(n))`: fine as `n`.
fn safe(number: &Number) -> Option<Option<Number>> {
    if let Some(integer) = number.as_i64() {
        return (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(&integer).then_some(None);
    }
    if number.is_u64() {
        return None;
    }
    let float = number.as_f64()?;
    if float.fract() != 0.0 {
        return Some(None);
    }
    #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact in a double")]
    let limit = MAX_SAFE_INTEGER as f64;
    if float.abs() > limit {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and within ±(2^53 - 1)")]
    Some(Some(Number::from(float as i64)))
}

/// Whether two numbers have the same value, whole or not; no rounding.
pub fn is_same_number(left: &Number, right: &Number) -> bool {
    let exact = |number: &Number| number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    match (exact(left), exact(right)) {
        (Some(a), Some(b)) => a == b,
        (Some(whole), None) => right.as_f64().is_some_and(|float| is_whole(float, whole)),
        (None, Some(whole)) => left.as_f64().is_some_and(|float| is_whole(float, whole)),
        (None, None) => left.as_f64() == right.as_f64(),
    }
}

/// JSON equality: numbers by value, lists in order, objects without one; no number is a truth value.
pub fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => is_same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let has = |(name, value): (&String, &Value)| right.get(name).is_some_and(|known| is_same(value, known));
            left.len() == right.len() && left.iter().all(has)
        }
        _ => left == right,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "whole, and kept at the bounds of 128 bits")]
fn is_whole(float: f64, whole: i128) -> bool {
    float.fract() == 0.0 && float as i128 == whole
}

/// A share in two digits, half up; 0.00 and 1.00 only for what is 0 and 1.
pub fn two_digits(value: f64) -> String {
    let inner = if value > 0.0 && value < 1.0 { value.clamp(0.01, 0.99) } else { value };
    // As a page does; `{:.2}` alone would make 0.12 of 0.125.
    format!("{:.2}", (inner * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_normal_stays_as_it_is() {
        for (value, normal) in [(json!({"a": [1, 1.5, "x"]}), true), (json!([3.0]), false), (json!(1_u64 << 60), false)]
        {
            assert_eq!(is_normal(&value), normal, "{value}");
        }
    }

    #[test]
    fn whole_floats_become_integers() {
        let mut value = json!({"a": [3.0, -0.0, 1.5], "b": 2});
        normalise(&mut value).unwrap();
        assert_eq!(value.to_string(), r#"{"a":[3,0,1.5],"b":2}"#);
    }

    #[test]
    fn equal_values_are_the_same_however_they_are_written() {
        let one = json!({"a": [1, 2.5, {"b": 3.0}], "c": true});
        assert!(is_same(&one, &json!({"c": true, "a": [1.0, 2.5, {"b": 3}]})));
        for other in [
            json!({"a": [2.5, 1, {"b": 3}], "c": true}),
            json!({"a": [1, 2.5, {"b": 3}]}),
            json!({"a": [1, 2.5, {"b": 3, "d": null}], "c": true}),
            json!({"a": [1, 2.5, {"b": 3}], "c": 1}),
        ] {
            assert!(!is_same(&one, &other) && !is_same(&other, &one), "{other}");
        }
    }

    #[test]
    fn unsafe_integers_are_refused_with_their_path() {
        for number in ["9007199254740992", "-9007199254740992", "18446744073709551615", "1e300"] {
            let mut value: Value = serde_json::from_str(&format!(r#"{{"a/b":[0,{number}]}}"#)).unwrap();
            assert_eq!(normalise(&mut value), Err("/a~1b/1".to_owned()), "{number}");
        }
        let mut value = json!({"a": 9_007_199_254_740_991_i64});
        assert_eq!(normalise(&mut value), Ok(()));
    }

    /// What is written is read as the same number: `float_roundtrip` of serde_json must stay on.
    #[test]
    fn floats_are_read_as_they_were_written() {
        for float in [31.245_270_191_439_438_f64, 121.487_919_511_619_45, 100.783_996_582_031_25, 0.1 + 0.2] {
            let text = serde_json::to_string(&float).unwrap();
            assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), float.to_bits(), "{text}");
        }
    }

    /// Another crate that turns on `preserve_order` would change every file we write.
    #[test]
    fn json_objects_stay_key_sorted() {
        let value: Value = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
        assert_eq!(value.to_string(), r#"{"a":2,"b":1}"#);
    }
}
