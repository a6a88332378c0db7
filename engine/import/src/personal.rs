//! Numbers of people in what logs show: those of phones, cards and bank accounts are starred.

use probity_engine::ids::identifier_of;
use serde_json::Value;

use crate::role::VOCABULARY;

/// A value of a field without such numbers. Names and addresses stay: the first state is about them.
pub fn masked(field: &str, value: &Value) -> Value {
    match value {
        Value::String(text) => masked_text(text, is_phone(field)).into(),
        Value::Number(_) if is_phone(field) => 0.into(),
        Value::Array(items) => items.iter().map(|item| masked(field, item)).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(name, below)| (name.clone(), masked(name, below))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn is_phone(field: &str) -> bool {
    let called = identifier_of(field);
    VOCABULARY.phones.iter().any(|name| called == *name || called.ends_with(&format!("_{name}")))
}

fn masked_text(text: &str, is_of_phone: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let is_start = !out.ends_with(|c: char| c.is_alphanumeric());
        let number = if is_start { account(rest).or_else(|| number(rest, is_of_phone)) } else { None };
        let taken = number.map_or(next.len_utf8(), str::len);
        match number {
            Some(number) => out.push_str(&starred(number)),
            None => out.push(next),
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// A number with stars for all but the first two and the last two of its letters and digits.
fn starred(number: &str) -> String {
    let count = number.chars().filter(char::is_ascii_alphanumeric).count();
    let mut at = 0;
    let star = |c: char| {
        at += usize::from(c.is_ascii_alphanumeric());
        if c.is_ascii_alphanumeric() && at > 2 && at + 2 <= count { '*' } else { c }
    };
    number.chars().map(star).collect()
}

/// The number of a phone or a card at the start of a text.
fn number(text: &str, is_of_phone: bool) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && !"+ -./()".contains(c)).unwrap_or(text.len());
    let found = text.get(..end)?.trim_end_matches(|c: char| !c.is_ascii_digit());
    if !found.starts_with(|c: char| c.is_ascii_digit() || c == '+' || (is_of_phone && c == '(')) {
        return None;
    }
    let digits: Vec<u32> = found.chars().filter_map(|c| c.to_digit(10)).collect();
    let is_abroad = found.starts_with('+') && (8..=15).contains(&digits.len());
    let is_phone = is_abroad || (is_of_phone && digits.len() >= 6);
    let groups: Vec<usize> = found.split([' ', '-']).map(str::len).collect();
    let is_grouped = matches!(groups.as_slice(), [13..=19] | [4, 4, 4, 4] | [4, 6, 5]);
    (is_phone || (is_grouped && has_check_digit(&digits))).then_some(found)
}

/// Whether the last digit is what the others give, as on cards.
fn has_check_digit(digits: &[u32]) -> bool {
    let weighed = digits.iter().rev().enumerate().map(|(at, digit)| match at % 2 {
        0 => *digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    });
    (13..=19).contains(&digits.len()) && weighed.sum::<u32>() % 10 == 0
}

/// The number of a bank account (IBAN) at the start of a text.
fn account(text: &str) -> Option<&str> {
    let is_of = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let end = text.find(|c: char| !is_of(c) && c != ' ').unwrap_or(text.len());
    let found = (1..=end.min(MAX_ACCOUNT)).rev().filter_map(|end| text.get(..end));
    found.filter(|own| own.ends_with(is_of)).find(|own| {
        let is_whole = !text.get(own.len()..).unwrap_or_default().starts_with(|c: char| c.is_alphanumeric());
        is_whole && is_account(&own.replace(' ', ""))
    })
}

/// Most characters of an account's number, written in groups of four.
const MAX_ACCOUNT: usize = 42;

fn is_account(number: &str) -> bool {
    let (Some(country), Some(check), Some(own)) = (number.get(..2), number.get(2..4), number.get(4..)) else {
        return false;
    };
    let is_form = country.chars().all(|c| c.is_ascii_uppercase()) && check.chars().all(|c| c.is_ascii_digit());
    let values = own.chars().chain(country.chars()).chain(check.chars()).filter_map(|c| c.to_digit(36));
    let rest = values.fold(0, |rest, value| (rest * if value > 9 { 100 } else { 10 } + value) % 97);
    is_form && (15..=34).contains(&number.len()) && rest == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_of_people_are_starred_and_others_stay() {
        for (field, text, expected) in [
            ("note", "call +44 20 7946 0958 today", "call +44 ** **** **58 today"),
            ("contactPhone", "(020) 7946 0958", "(02*) **** **58"),
            ("card", "4111 1111 1111 1111", "41** **** **** **11"),
            ("card", "pay with 4111111111111111.", "pay with 41************11."),
            ("iban", "DE89 3704 0044 0532 0130 00", "DE** **** **** **** **** 00"),
            ("text", "to GB29NWBK60161331926819 please", "to GB******************19 please"),
            ("on", "2026-03-01 10:00", "2026-03-01 10:00"),
            ("order", "4111111111111112", "4111111111111112"),
            ("name", "Mara Ilves, Mill Lane 4", "Mara Ilves, Mill Lane 4"),
            ("note", "ORDER 12 IS A7", "ORDER 12 IS A7"),
        ] {
            assert_eq!(masked(field, &json!([text])), json!([expected]));
        }
        assert_eq!(masked("", &json!({"phone": 4915112345678_u64, "count": 3})), json!({"phone": 0, "count": 3}));
    }
}
