//! Times as logs write them.

use jiff::Timestamp;
use serde_json::Value;

/// How logs begin the times that nobody knew: at the first moment of 1970.
const UNKNOWN: &str = "1970-01-01T00:00:00Z";

/// A time as RFC 3339: a text that is one, or seconds, milliseconds, microseconds or nanoseconds after 1970.
pub(crate) fn time(value: &Value) -> Option<String> {
    let time = match value {
        Value::String(text) if text.len() >= 10 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            of_number(text.parse().ok()?)
        }
        Value::String(text) => of_text(text.trim()),
        Value::Number(number) => of_number(number.as_i64().or_else(|| whole(number.as_f64()?))?),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    time.filter(|time| time != UNKNOWN)
}

/// A text by which times are put in order, however they are written.
pub(crate) fn order(value: &Value) -> String {
    let time = time(value).and_then(|time| time.parse::<Timestamp>().ok());
    match (time, value) {
        (Some(time), _) => format!("{:0>24}", time.as_nanosecond()),
        (None, Value::String(text)) => text.clone(),
        (None, other) => format!("{:0>24}", other.to_string()),
    }
}

/// Seconds with a fraction.
fn whole(seconds: f64) -> Option<i64> {
    format!("{seconds:.0}").parse().ok()
}

/// What a number counts is told by its size: seconds for a date of our century have ten digits.
fn of_number(number: i64) -> Option<String> {
    let time = match number.unsigned_abs() {
        0..100_000_000 => return None,
        100_000_000..100_000_000_000 => Timestamp::from_second(number),
        100_000_000_000..100_000_000_000_000 => Timestamp::from_millisecond(number),
        100_000_000_000_000..100_000_000_000_000_000 => Timestamp::from_microsecond(number),
        _ => Timestamp::from_nanosecond(number.into()),
    };
    time.ok().map(|time| time.to_string())
}

/// A date alone stays a date; a time without a zone is taken as UTC.
fn of_text(text: &str) -> Option<String> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.to_string());
    }
    if text.len() == 10 {
        return text.parse::<jiff::civil::Date>().ok().map(|date| date.to_string());
    }
    let time = text.parse::<jiff::civil::DateTime>().ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_are_put_in_order_however_they_are_written() {
        let times = ["2026-01-01T09:00:00Z", "2026-01-01T09:00:00.5Z", "2026-01-01 09:00:01", "1767258002000000000"];
        let orders = times.map(|time| order(&json!(time)));
        assert!(orders.is_sorted(), "{orders:?}");
    }

    #[test]
    fn times_are_read_however_they_are_written() {
        let cases = [
            (json!("2026-01-01T09:00:00Z"), Some("2026-01-01T09:00:00Z")),
            (json!("2026-01-01T09:00:00.5+01:00"), Some("2026-01-01T08:00:00.5Z")),
            (json!("2026-01-01 09:00:00.000000"), Some("2026-01-01T09:00:00Z")),
            (json!("2026-01-01"), Some("2026-01-01")),
            (json!(1_767_258_000), Some("2026-01-01T09:00:00Z")),
            (json!(1_767_258_000.25), Some("2026-01-01T09:00:00Z")),
            (json!(1_767_258_000_000_i64), Some("2026-01-01T09:00:00Z")),
            (json!("1767258000000000000"), Some("2026-01-01T09:00:00Z")),
            (json!("soon"), None),
            (json!("1970-01-01T00:00:00+00:00"), None),
            (json!(12), None),
            (json!(1e300), None),
        ];
        for (value, wanted) in cases {
            assert_eq!(time(&value).as_deref(), wanted, "{value}");
        }
    }
}
