//! Whether a call was carried out. Many logs mark no error and only say so in words.

use serde_json::{Map, Value};

use probity_logs::CallResult;
use probity_prose::token::words;
use probity_prose::{WordClass, lexicon::is};

/// The text of a refusal, where what came back is one; how it is marked, in words or by the log.
pub fn refusal(result: &CallResult) -> Option<String> {
    match result {
        CallResult::Error { text } => Some(text.clone()),
        CallResult::Missing => None,
        CallResult::Ok { observation } => match observation {
            Value::Object(map) => says_error(map).then(|| observation.to_string()),
            Value::String(text) => (is_error(text) || is_failure(text)).then(|| text.clone()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        },
    }
}

fn says_error(map: &Map<String, Value>) -> bool {
    let is_said = |value: &Value| match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(is) => *is,
        Value::Null | Value::Number(_) | Value::Array(_) => false,
    };
    let is_false = |key: &str| map.get(key) == Some(&Value::Bool(false));
    let status = map.get("status").and_then(Value::as_str).unwrap_or_default();
    map.get("error").is_some_and(is_said)
        || map.get("isError") == Some(&Value::Bool(true))
        || (map.len() <= 3 && (is_false("success") || is_false("ok")))
        || (map.len() <= 3 && matches!(status, "error" | "failed" | "failure"))
}

/// `Error: user not found`, `Error executing tool: ...`, `ValueError: ...`; `Error rate: 0.2 %` is a figure.
fn is_error(text: &str) -> bool {
    const MAX_HEAD: usize = 60;
    let Some((head, _)) = text.trim_start().split_once(':').filter(|(head, _)| head.len() <= MAX_HEAD) else {
        return false;
    };
    let mut own = head.split_whitespace();
    let (first, next) = (own.next().unwrap_or_default(), own.next());
    let is_kind = next.is_none() && (head.ends_with("Error") || head.ends_with("Exception"));
    let goes_on = next.is_none_or(|next| next.ends_with("ing") || matches!(next, "in" | "from" | "code" | "while"));
    is_kind || (first.eq_ignore_ascii_case("error") && goes_on)
}

/// `no such booking`, `unknown plate`, `cannot be moved any more`: a short text that begins as a refusal does, and counts
/// nothing (`Failed: 0, passed: 12`).
fn is_failure(text: &str) -> bool {
    const MAX_WORDS: usize = 16;
    const MAX_BYTES: usize = 1_000;
    if text.len() > MAX_BYTES {
        return false;
    }
    let words = words(text);
    let begins = |all: &[&str]| all.iter().zip(&words).all(|(wanted, word)| wanted == word);
    let pairs: [&[&str]; 4] = [&["no", "such"], &["not", "found"], &["could", "not"], &["permission", "denied"]];
    let counts = text.split_once(':').is_some_and(|(_, rest)| {
        let rest = rest.trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("none")
    });
    let is_short = (1..=MAX_WORDS).contains(&words.len()) && !counts;
    is_short && (words.first().is_some_and(|word| is(WordClass::Failures, word)) || pairs.into_iter().any(begins))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is_refused(observation: Value) -> bool {
        refusal(&CallResult::Ok { observation }).is_some()
    }

    #[test]
    fn refusals_are_told_in_many_ways() {
        for refused in [
            json!("Error: no such booking"),
            json!("ValueError: bad date"),
            json!({"error": "no such booking"}),
            json!({"error": {"code": "gone"}}),
            json!({"success": false, "message": "too late"}),
            json!({"status": "failed", "reason": "card"}),
            json!("no such booking"),
            json!("Invalid date"),
        ] {
            assert!(is_refused(refused.clone()), "{refused}");
        }
        for done in [
            json!("The error: a wrong plate"),
            json!({"error": null, "id": 5}),
            json!({"status": "failed", "id": "P1", "amount": 12, "at": "2026-01-02"}),
            json!("no errors"),
            json!("No free places on that day."),
            json!("denied: 0, accepted: 4, and more to come of what was asked for in the list of all that there is"),
            json!({"error": 0, "data": [1]}),
            json!({"error": {}}),
            json!("Error rate: 0.2 %"),
            json!("Failed: 0, passed: 12"),
            json!("Unknown callers: none"),
            json!([]),
            json!({"ok": true}),
        ] {
            assert!(!is_refused(done.clone()), "{done}");
        }
        assert_eq!(refusal(&CallResult::Error { text: "gone".to_owned() }).as_deref(), Some("gone"));
    }
}
