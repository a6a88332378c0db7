//! Ids, numbers and dates in a message that have the form of one in a call, and are not it.

use probity_engine::within::texts;
use serde_json::{Map, Value};

/// Shorter texts have no form of their own.
const SHORTEST: usize = 5;

/// Whether a message names something in the form of an id, a number or a date of a call, and for one of these forms none
/// that the call has: `#W1023988` where the call takes `#W1050548`.
pub fn names_others(text: &str, arguments: &Map<String, Value>) -> bool {
    let wanted: Vec<String> = arguments.values().flat_map(texts).map(bare).filter(|text| is_formed(text)).collect();
    let named: Vec<String> = text.split_whitespace().map(bare).filter(|word| is_formed(word)).collect();
    wanted.iter().any(|value| {
        let alike: Vec<&String> = named.iter().filter(|word| form(word) == form(value)).collect();
        !alike.is_empty() && !alike.iter().any(|word| wanted.contains(word))
    })
}

fn bare(word: &str) -> String {
    let word = word.split(['\'', '’']).next().unwrap_or_default();
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

/// Whether a word is an id, a number or a date: digits, with letters or dashes among them.
fn is_formed(word: &str) -> bool {
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
    word.len() >= SHORTEST && word.chars().all(is_sign) && word.chars().any(|sign| sign.is_ascii_digit())
}

/// Which of the signs are letters and which are digits.
fn form(word: &str) -> String {
    let kind = |sign: char| {
        if sign.is_ascii_digit() {
            '0'
        } else if sign.is_ascii_alphabetic() {
            'a'
        } else {
            sign
        }
    };
    word.chars().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_the_form_and_is_another_is_found() {
        let call = serde_json::json!({"order_id": "#W1050548", "zip": "05143", "flights": [{"date": "2026-09-18"}]});
        let call = call.as_object().unwrap();
        let table = [
            ("I would send order **#W1023988** there.", true),
            ("I would send order #W1050548, not #W1023988.", false),
            ("to Quarry Hill, VT 99999", true),
            ("on 2026-10-03", true),
            ("Flight PW101 to KE4014 takes 90 minutes.", false),
        ];
        for (text, is_other) in table {
            assert_eq!(names_others(text, call), is_other, "{text}");
        }
    }
}
