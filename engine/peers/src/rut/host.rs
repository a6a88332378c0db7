//! How the reference's host language (Python) reads JSON values: truth, text, whole numbers, equality.
//!
//! Kept apart so that no other file has to know that there `true == 1` and `str(7.0)` is `7.0`.

use serde_json::{Number, Value};

use probity_engine::number::is_same_number;

/// Whether a value counts as true: not null, false, zero or empty.
pub(crate) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_true) => *is_true,
        Value::Number(number) => number.as_f64().is_none_or(|float| float != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// [`is_truthy`] of a field that may be missing.
pub(crate) fn is_truthy_field(value: Option<&Value>) -> bool {
    value.is_some_and(is_truthy)
}

/// The text of a value: strings as they are, anything else as the host prints it.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => printed(other),
    }
}

/// The text of a field without the space around it; nothing when it is missing or null.
pub fn label(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(value) => strip(&text(value)).to_owned(),
    }
}

/// A text without the host's white space around it.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// The whole number of a field: floats lose their fraction, texts are read, and what is no number is 0.
pub fn integer(value: Option<&Value>) -> i128 {
    value.and_then(whole_number).unwrap_or_default()
}

/// The whole number that a value is taken for, if it can be taken for one. The host's have no bound; ours end at
/// 128 bits, beyond which no number of a file is held (see `load::foreign`).
pub(crate) fn whole_number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(is_true) => Some(i128::from(*is_true)),
        Value::Number(number) => Some(whole(number)),
        Value::String(text) => parse_integer(text),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a float beyond 128 bits is kept at the largest there is")]
fn whole(number: &Number) -> i128 {
    let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    exact.unwrap_or_else(|| number.as_f64().map_or(0, |float| float.trunc() as i128))
}

const MAX_DIGITS: usize = 4300;

/// Decimal digits of any script with a sign, blanks around them and single `_` between them.
fn parse_integer(text: &str) -> Option<i128> {
    // Here the host knows fewer blanks than in `strip`.
    let stripped = text.trim();
    let (sign, digits) = match stripped.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, stripped.strip_prefix('+').unwrap_or(stripped)),
    };
    let mut number = 0_i128;
    let mut count = 0;
    for group in digits.split('_') {
        if group.is_empty() {
            return None;
        }
        for c in group.chars() {
            let digit = i128::from(value(c)?);
            number = number.saturating_mul(10).saturating_add(sign * digit);
            count += 1;
        }
    }
    (count <= MAX_DIGITS).then_some(number)
}

/// Whether two values are equal in the host: `1 == 1.0 == true` at every depth.
pub fn is_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => is_same_number(a, b),
        (Value::Bool(flag), Value::Number(number)) | (Value::Number(number), Value::Bool(flag)) => {
            is_same_number(number, &Number::from(u8::from(*flag)))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_equal(a, b)))
        }
        _ => left == right,
    }
}

fn printed(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, printed_float),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(printed).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{}: {}", quoted(key), printed(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The shortest digits that give the float back; an exponent below 1e-4 and from 1e16 on.
fn printed_float(float: f64) -> String {
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>().unwrap_or(0) {
        exponent @ -4..16 => {
            let plain = format!("{float}");
            if exponent >= 0 && !plain.contains('.') { format!("{plain}.0") } else { plain }
        }
        exponent => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
    }
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut printed = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => printed.push_str("\\n"),
            '\r' => printed.push_str("\\r"),
            '\t' => printed.push_str("\\t"),
            '\\' => printed.push_str("\\\\"),
            c if c == quote => printed.extend(['\\', c]),
            c if c.is_control() => printed.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => printed.push(c),
        }
    }
    printed.push(quote);
    printed
}

/// The zeros, each followed by its nine digits.
#[rustfmt::skip]
const ZEROS: [u32; 66] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6,
    0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0,
    0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80,
    0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900,
    0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x0001_04a0, 0x0001_0d30, 0x0001_1066,
    0x0001_10f0, 0x0001_1136, 0x0001_11d0, 0x0001_12f0, 0x0001_1450, 0x0001_14d0, 0x0001_1650, 0x0001_16c0,
    0x0001_1730, 0x0001_18e0, 0x0001_1950, 0x0001_1c50, 0x0001_1d50, 0x0001_1da0, 0x0001_6a60, 0x0001_6ac0,
    0x0001_6b50, 0x0001_d7ce, 0x0001_d7d8, 0x0001_d7e2, 0x0001_d7ec, 0x0001_d7f6, 0x0001_e140, 0x0001_e2f0,
    0x0001_e950, 0x0001_fbf0,
];

pub fn value(c: char) -> Option<u8> {
    let code = u32::from(c);
    let zero = ZEROS.get(ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|value| *value < 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold, pair, row, yes};

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn values_are_read_as_the_host_reads_them() {
        let readers: [(&str, Reader); 6] = [
            ("truth", |value| yes(is_truthy(&json(value)))),
            ("text", |value| text(&json(value))),
            ("label", |value| row(Some(label(Some(&json(value)))).filter(|label| !label.is_empty()), "")),
            ("integer", |value| integer(Some(&json(value))).to_string()),
            ("equal", |values| yes(is_equal(&json(pair(values).0), &json(pair(values).1)))),
            ("digits", |text| row(text.chars().filter_map(value), "")),
        ];
        hold(include_str!("host_cases.txt"), &readers);
        let long = |digits: usize| integer(Some(&Value::from("0".repeat(digits - 1) + "7")));
        assert_eq!((long(4300), long(4301)), (7, 0), "the host's own limit");
        let all = (0..=0x0010_ffff).filter_map(char::from_u32).filter(|c| value(*c).is_some()).count();
        assert_eq!(all, 660, "as many as the host counts");
    }
}
