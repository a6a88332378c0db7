//! What an answer that is no completion means: ask again, give up, or blame the model.

use super::blame::{self, Blame, Decided};
use super::completion::Completion;
use super::form::Form;
use super::signals::Signals;
use super::transport::{Broken, Reply};
use probity_engine::plain::plain;
use probity_wire::lenient;

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
    /// No request will ever be answered while our settings are what they are: a wrong key, URL or model.
    Closed(String),
    /// Everything was asked to stop.
    Interrupted,
}

/// Reads one attempt.
pub fn judge(form: Form, answer: Result<Reply, Broken>) -> Attempt {
    let reply = match answer {
        Ok(reply) => reply,
        Err(Broken::Interrupted) => return Attempt::Interrupted,
        Err(missing @ Broken::NotRecorded(_)) => return Attempt::Refused(missing.to_string()),
        Err(broken) => return Attempt::Again { after_ms: None, why: broken.to_string() },
    };
    let (signals, completion) = heard(form, &reply);
    let is_answered = (200..300).contains(&reply.status) && !signals.is_error;
    let found = blame::find(&signals);
    match (is_answered, &found) {
        // Of a message that was answered, only why it ended can speak against it.
        (true, Some(found)) if found.is_of_end && found.blame != Blame::Model => {
            of_blame(form, Some(*found), &signals, &reply)
        }
        (true, _) => match completion {
            Ok(completion) => Attempt::Said(completion),
            Err(why) => Attempt::Again {
                after_ms: None,
                why: format!("the answer is no message: {why}: {}", excerpt(&reply.body)),
            },
        },
        (false, _) => of_blame(form, found, &signals, &reply),
    }
}

/// What speaks of its troubles in a reply, and the message in it.
fn heard(form: Form, reply: &Reply) -> (Signals, Result<Completion, String>) {
    let read = lenient::read(reply.body.as_bytes()).ok();
    let (body, mended) = (read.as_ref().map(|read| &read.value), read.as_ref().map_or(0, |read| read.mended));
    let answered = body.ok_or_else(|| "it is not JSON".to_owned()).and_then(|body| (form.answered)(body));
    let chat = answered.as_ref().ok().map(|answered| answered.chat.clone());
    let completion = answered.and_then(|answered| Completion::of(answered, mended));
    let is_silent = completion.as_ref().is_ok_and(Completion::is_silent);
    (Signals::of(reply, body, chat.as_ref(), is_silent), completion)
}

fn of_blame(form: Form, found: Option<Decided>, signals: &Signals, reply: &Reply) -> Attempt {
    let words = match &signals.finish {
        Some(finish) if signals.message.is_empty() => format!("it ended with `{finish}`"),
        None if signals.is_silent => "it ended without a word, and without saying why".to_owned(),
        Some(_) | None => signals.message.clone(),
    };
    let why = format!("HTTP {}: {}", signals.status, excerpt(&words));
    match found.map(|found| (found.blame, found.flag)) {
        Some((Blame::Again, _)) => Attempt::Again { after_ms: reply.retry_after_ms.or(signals.wait_ms), why },
        Some((Blame::Settings, flag)) => Attempt::Closed(format!("{why} ({})", form.hint(flag))),
        Some((Blame::TooLong, _)) => Attempt::TooLong(why),
        Some((Blame::Unreadable, _)) => Attempt::Unreadable(why),
        Some((Blame::Filtered, _)) => Attempt::Refused(format!("a filter of the provider stopped it: {why}")),
        Some((Blame::Refused | Blame::Share | Blame::Model, _)) | None => Attempt::Refused(why),
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
    use serde_json::Value;

    #[test]
    fn what_breaks_on_the_way_is_tried_again() {
        for broken in [Broken::Timeout(3), Broken::NotUtf8(7)] {
            assert!(matches!(judge(Form::default(), Err(broken)), Attempt::Again { .. }));
        }
        for status in [408, 429, 500, 502, 503, 529] {
            let body = r#"{"error": {"code": "server_error", "type": "x", "message": "busy"}}"#.to_owned();
            let attempt =
                judge(Form::default(), Ok(Reply { status, retry_after_ms: Some(7), body, ..Reply::default() }));
            assert_eq!(attempt, Attempt::Again { after_ms: Some(7), why: format!("HTTP {status}: busy") });
        }
    }

    #[test]
    fn an_answer_of_any_bytes_is_judged() {
        for body in ["", "null", "[]", "{\"error\": null}", "{\"error\": 3}", "\u{0}"] {
            for status in [0, 100, 200, 418, 599, 65535] {
                let reply = Reply { status, body: body.to_owned(), ..Reply::default() };
                assert!(!matches!(judge(Form::default(), Ok(reply)), Attempt::Said(_)), "{status} {body:?}");
            }
        }
    }

    /// Answers of many services with what is to come of them.
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Case {
        status: u16,
        body: Value,
        #[serde(default)]
        headers: std::collections::BTreeMap<String, String>,
        #[serde(default)]
        form: Form,
        is: String,
        /// Whose answers look so.
        of: String,
    }

    #[test]
    fn every_known_answer_is_whose_fault_it_is() {
        let mut idle: std::collections::BTreeSet<usize> = (0..blame::rows()).collect();
        assert!(idle.len() > 20, "the table is read");
        let mut wrong = Vec::new();
        for line in include_str!("trouble_cases.jsonl").lines() {
            let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            // A text is the body as it came; anything else is JSON.
            let body = case.body.as_str().map_or_else(|| case.body.to_string(), str::to_owned);
            let reply = Reply { status: case.status, retry_after_ms: None, body, headers: case.headers };
            let (signals, _) = heard(case.form, &reply);
            if let Some(found) = blame::find(&signals) {
                idle.remove(&found.row);
            }
            let attempt = judge(case.form, Ok(reply));
            let is = match &attempt {
                Attempt::Said(_) => "said".to_owned(),
                Attempt::Again { after_ms: Some(wait), .. } => format!("again after {wait}"),
                Attempt::Again { .. } => "again".to_owned(),
                Attempt::TooLong(_) => "too long".to_owned(),
                Attempt::Unreadable(_) => "unreadable".to_owned(),
                Attempt::Refused(why) if why.starts_with("a filter") => "filtered".to_owned(),
                Attempt::Refused(_) => "refused".to_owned(),
                Attempt::Closed(why) => {
                    let flags = [
                        "--max-tokens asks",
                        "--api-key-env names",
                        "credit or quota",
                        "no such model is there",
                        "--base-url",
                        "--tool-mode",
                        "--temperature",
                        "--extra-body",
                    ];
                    let flag = flags.iter().find(|flag| why.contains(**flag));
                    format!("settings {}", flag.unwrap_or_else(|| panic!("{why}")))
                }
                Attempt::Interrupted => "interrupted".to_owned(),
            };
            if is != case.is {
                wrong.push(format!("{}: is {is}: {line}", case.of));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(idle.is_empty(), "rows that no case shows: {idle:?}");
    }
}
