//! What an answer that is no completion means: ask again, give up, or blame the model.

use serde_json::Value;

use super::completion::Completion;
use super::transport::{Broken, Reply};
use probity_engine::plain::plain;

/// What came of one attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// A message.
    Said(Completion),
    /// Nothing yet; asking again may help.
    Again {
        /// Milliseconds to wait, if the provider says so.
        after_ms: Option<u64>,
        /// What went wrong.
        why: String,
    },
    /// The dialogue is longer than the model can read: its limit, so its failure.
    TooLong(String),
    /// The provider could not make a message of what the model wrote: the model's failure.
    Unreadable(String),
    /// This request will never be answered.
    Refused(String),
    /// No request will ever be answered: a wrong key, URL or model.
    Closed(String),
    /// Everything was asked to stop.
    Interrupted,
}

/// Words by which servers say that a dialogue is too long; they have no code in common.
const TOO_LONG: [&str; 8] = [
    "context_length_exceeded",
    "exceed_context_size",
    "context length",
    "context window",
    "context size",
    "maximum context",
    "prompt is too long",
    "too many tokens",
];

/// Reads one attempt.
pub fn judge(answer: Result<Reply, Broken>) -> Attempt {
    let reply = match answer {
        Ok(reply) => reply,
        Err(Broken::Interrupted) => return Attempt::Interrupted,
        Err(bytes @ Broken::NotUtf8(_)) => return Attempt::Unreadable(bytes.to_string()),
        Err(missing @ Broken::NotRecorded(_)) => return Attempt::Refused(missing.to_string()),
        Err(broken) => return Attempt::Again { after_ms: None, why: broken.to_string() },
    };
    let body: Option<Value> = serde_json::from_str(&reply.body).ok();
    let error = body.as_ref().and_then(|body| body.get("error")).filter(|error| !error.is_null());
    if (200..300).contains(&reply.status) && error.is_none() {
        let read = body.as_ref().map_or_else(|| Err("it is not JSON".to_owned()), Completion::read);
        return read.map_or_else(
            |why| Attempt::Again {
                after_ms: None,
                why: format!("the answer is no message: {why}: {}", excerpt(&reply.body)),
            },
            Attempt::Said,
        );
    }
    let status = match reply.status {
        // Some servers answer 200 and put the status into the body.
        200..=299 => {
            error.and_then(|error| error.get("code")?.as_u64()).and_then(|code| u16::try_from(code).ok()).unwrap_or(500)
        }
        status => status,
    };
    of_status(status, &reply, error)
}

fn of_status(status: u16, reply: &Reply, error: Option<&Value>) -> Attempt {
    let field = |name: &str| error.and_then(|error| error.get(name)?.as_str()).unwrap_or_default();
    let message = match error {
        Some(Value::String(text)) => text.as_str(),
        Some(_) if !field("message").is_empty() => field("message"),
        Some(_) | None => reply.body.as_str(),
    };
    let why = format!("HTTP {status}: {}", excerpt(message));
    let all = format!("{} {} {message}", field("code"), field("type")).to_lowercase();
    let is_too_long = TOO_LONG.iter().any(|words| all.contains(words));
    match status {
        413 => Attempt::TooLong(why),
        400 | 422 | 500 if is_too_long => Attempt::TooLong(why),
        500 if all.contains("parse") => Attempt::Unreadable(why),
        429 if all.contains("insufficient_quota") => Attempt::Closed(why),
        408 | 409 | 425 | 429 | 500..=599 => Attempt::Again { after_ms: reply.retry_after_ms, why },
        300..=399 => Attempt::Closed(format!("{why} (redirects are not followed: give the URL it ends at)")),
        401..=405 => Attempt::Closed(why),
        _ => Attempt::Refused(why),
    }
}

/// The start of a text, on one line.
fn excerpt(text: &str) -> String {
    let start: String = plain(text).split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
    if start.is_empty() { "(nothing)".to_owned() } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(status: u16, body: &Value) -> Attempt {
        judge(Ok(Reply { status, retry_after_ms: Some(7), body: body.to_string() }))
    }

    fn error(code: &str, message: &str) -> Value {
        json!({"error": {"code": code, "type": "x", "message": message}})
    }

    #[test]
    fn what_passes_is_tried_again() {
        for status in [408, 429, 500, 502, 503, 529] {
            let attempt = at(status, &error("server_error", "busy"));
            assert_eq!(attempt, Attempt::Again { after_ms: Some(7), why: format!("HTTP {status}: busy") });
        }
        assert!(matches!(judge(Err(Broken::Timeout(3))), Attempt::Again { .. }));
        assert!(matches!(at(200, &json!("<html>")), Attempt::Again { .. }));
        assert!(matches!(at(200, &json!({"error": {"code": 503, "message": "loading"}})), Attempt::Again { .. }));
    }

    #[test]
    fn what_never_passes_is_not() {
        for status in [401, 403, 404] {
            assert!(matches!(at(status, &error("x", "no")), Attempt::Closed(_)));
        }
        assert!(matches!(at(302, &json!("moved")), Attempt::Closed(_)));
        assert!(matches!(at(429, &error("insufficient_quota", "pay")), Attempt::Closed(_)));
        assert!(matches!(at(400, &error("x", "unknown field")), Attempt::Refused(_)));
    }

    #[test]
    fn the_models_limits_are_told_apart() {
        assert!(matches!(at(400, &error("context_length_exceeded", "too long")), Attempt::TooLong(_)));
        let message = "the request exceeds the available context size";
        assert!(matches!(at(400, &error("", message)), Attempt::TooLong(_)));
        assert!(matches!(at(500, &error("", message)), Attempt::TooLong(_)));
        assert!(matches!(at(413, &json!("x")), Attempt::TooLong(_)));
        assert!(matches!(judge(Err(Broken::NotUtf8(7))), Attempt::Unreadable(_)));
        let message = "Failed to parse input at pos 12";
        assert!(matches!(at(500, &error("", message)), Attempt::Unreadable(_)));
    }

    #[test]
    fn an_answer_of_any_bytes_is_judged() {
        for body in ["", "null", "[]", "{\"error\": null}", "{\"error\": 3}", "\u{0}"] {
            for status in [0, 100, 200, 418, 599, 65535] {
                let reply = Reply { status, retry_after_ms: None, body: body.to_owned() };
                assert!(!matches!(judge(Ok(reply)), Attempt::Said(_)), "{status} {body:?}");
            }
        }
    }
}
