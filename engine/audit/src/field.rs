//! The field of a result that has a value.

use probity_bench::Shown;
use probity_prose::{Amount, Unit};
use serde_json::Value;

/// How deep a result is looked through.
const MAX_DEPTH: usize = 64;
/// Most characters of a field's text that are shown.
const MAX_SHOWN: usize = 60;
/// Longest text, in bytes, that is looked through for a value.
const MAX_TEXT: usize = 256 * 1024;
/// Fields that are looked at for a value.
const MOST_FIELDS: usize = 20_000;
/// Bytes of texts that are looked through for a value, in all fields together.
const MOST_BYTES: usize = 1024 * 1024;
/// Most characters of a path that are shown.
const MAX_PATH: usize = 120;

/// What a tool showed, in words.
pub(crate) fn told(shown: &Shown) -> String {
    let Shown { tool, field, value, message } = shown;
    match field.as_str() {
        "" => format!("`{tool}` returned `{value}`, message {message}"),
        field => format!("`{tool}` returned `{field}` = {value}, message {message}"),
    }
}

/// How well a field has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It stands among the words of a text.
    Within,
    /// It is the value, in another unit or with other zeros.
    Equal,
    /// It is written so.
    Same,
}

/// The path of the first field that fits a value best, and how it is written there; nothing where a result is too large
/// to be looked through.
pub(crate) fn of(result: &Value, wanted: &str) -> Option<(String, String)> {
    let mut search =
        Search { wanted, amount: Amount::decimal(wanted), best: None, fields: MOST_FIELDS, bytes: MOST_BYTES };
    search.walk(result, &mut String::new(), "", 0);
    // Of what was not looked at, something may fit better.
    let is_spent = search.is_spent();
    let (_, path, written) = search.best.filter(|(fit, ..)| *fit == Fit::Same || !is_spent)?;
    Some((path, written))
}

struct Search<'a> {
    wanted: &'a str,
    amount: Option<Amount>,
    best: Option<(Fit, String, String)>,
    /// Fields and bytes that may still be looked at.
    fields: usize,
    bytes: usize,
}

impl Search<'_> {
    fn walk(&mut self, value: &Value, path: &mut String, key: &str, depth: usize) {
        let is_found = self.best.as_ref().is_some_and(|(fit, ..)| *fit == Fit::Same);
        if depth > MAX_DEPTH || is_found || self.is_spent() {
            return;
        }
        self.fields -= 1;
        let length = path.len();
        match value {
            Value::Object(map) => {
                for (name, below) in map {
                    if self.is_spent() {
                        return;
                    }
                    self.bytes = self.bytes.saturating_sub(name.len());
                    path.push_str(if length == 0 { "" } else { "." });
                    path.push_str(name);
                    self.walk(below, path, name, depth + 1);
                    path.truncate(length);
                }
            }
            Value::Array(items) => {
                for (at, below) in items.iter().enumerate() {
                    if self.is_spent() {
                        return;
                    }
                    path.push_str(&format!("[{at}]"));
                    self.walk(below, path, key, depth + 1);
                    path.truncate(length);
                }
            }
            Value::String(text) => self.offer(text, path, key),
            Value::Number(number) => self.offer(&number.to_string(), path, key),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn is_spent(&self) -> bool {
        self.fields == 0 || self.bytes == 0
    }

    fn offer(&mut self, text: &str, path: &str, key: &str) {
        self.bytes = self.bytes.saturating_sub(text.len());
        let Some(fit) = self.fit(text.trim(), key) else { return };
        if self.best.as_ref().is_none_or(|(best, ..)| fit > *best) {
            self.best = Some((fit, cut(path, MAX_PATH), cut(text.trim(), MAX_SHOWN)));
        }
    }

    fn fit(&self, text: &str, key: &str) -> Option<Fit> {
        if text.eq_ignore_ascii_case(self.wanted) {
            return Some(Fit::Same);
        }
        let is_equal = |own: Amount| {
            let is_minor = || Unit::of_key(key) == Some(Unit::Cents);
            self.amount.is_some_and(|wanted| own == wanted || (is_minor() && wanted.scaled(100, 1) == Some(own)))
        };
        if Amount::decimal(text).is_some_and(is_equal) {
            return Some(Fit::Equal);
        }
        has_word(text, self.wanted).then_some(Fit::Within)
    }
}

/// Whether a text has another between what is neither letter nor digit.
fn has_word(text: &str, wanted: &str) -> bool {
    if text.len() > MAX_TEXT {
        return false;
    }
    let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
    // `2026-05-04T10:30`
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || c == 't');
    !wanted.is_empty()
        && text.match_indices(&wanted).any(|(at, found)| {
            let (before, behind) = (text.get(..at), text.get(at + found.len()..));
            is_edge(before.and_then(|text| text.chars().next_back())) && is_edge(behind.and_then(|t| t.chars().next()))
        })
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}..", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_field_that_has_a_value_is_found() {
        let result = json!({"order": {"id": "K-7", "total": 50.50, "fee_cents": 1250},
            "visits": [{"at": "2026-05-04T10:30"}, {"note": "ring K-7 at 10:40"}], "nights": 3});
        for (wanted, path, written) in [
            ("50.5", "order.total", "50.5"),
            ("50.50", "order.total", "50.5"),
            ("12.5", "order.fee_cents", "1250"),
            ("k-7", "order.id", "K-7"),
            ("10:30", "visits[0].at", "2026-05-04T10:30"),
            ("10:40", "visits[1].note", "ring K-7 at 10:40"),
            ("3", "nights", "3"),
        ] {
            assert_eq!(of(&result, wanted), Some((path.to_owned(), written.to_owned())), "{wanted}");
        }
        assert_eq!(of(&result, "51"), None);
        assert_eq!(of(&result, "0"), None);
        assert_eq!(of(&json!("It costs 50.50 a night."), "50.50").unwrap().0, "");
    }

    #[test]
    fn of_a_result_that_is_too_large_no_field_is_named() {
        let many = |count: usize| json!([vec![json!("and 7 more"); count], {"last": "7"}]);
        assert_eq!(of(&many(10), "7").unwrap().0, "[1].last");
        assert_eq!(of(&many(MOST_FIELDS), "7"), None);
        let long = "7 ".repeat(100 * 1024);
        assert_eq!(of(&json!(vec![long.as_str(); 4]), "7").unwrap().0, "[0]");
        assert_eq!(of(&json!(vec![long.as_str(); 6]), "7"), None);
        assert_eq!(of(&json!(["7", vec![long.as_str(); 6]]), "7").unwrap().0, "[0]");
    }
}
