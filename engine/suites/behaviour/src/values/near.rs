//! What lies next to a plain value.

use serde_json::Value;

/// Numbers and days next to one; of anything else nothing.
pub fn near(value: &Value) -> Vec<Value> {
    if let Some(number) = value.as_i64() {
        let near = [number.checked_add(1), number.checked_sub(1), number.checked_mul(2), Some(number / 2)];
        return near.into_iter().flatten().map(Value::from).collect();
    }
    if let Some(number) = value.as_f64() {
        return [number + 1.0, number - 1.0, number * 2.0].into_iter().map(Value::from).collect();
    }
    days_off(value, [1, -1, 7, -7])
}

/// The days so many days off a day; nothing of a value that is none.
pub fn days_off(value: &Value, offs: impl IntoIterator<Item = i64>) -> Vec<Value> {
    let written = |text: &str| text.parse::<jiff::civil::Date>().ok().filter(|day| day.to_string() == text);
    let Some(day) = value.as_str().and_then(written) else { return Vec::new() };
    let others = offs.into_iter().filter_map(|off| day.checked_add(jiff::Span::new().days(off)).ok());
    others.map(|day| Value::from(day.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_days_have_others_next_to_them() {
        assert_eq!(near(&json!(20)), [json!(21), json!(19), json!(40), json!(10)]);
        assert_eq!(near(&json!("2026-02-28")).first(), Some(&json!("2026-03-01")));
        assert!(near(&json!("2026-02")).is_empty());
        assert_eq!(days_off(&json!("2026-03-01"), [-1, 1]), [json!("2026-02-28"), json!("2026-03-02")]);
    }
}
