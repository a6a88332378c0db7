//! Logs of dialogues from anywhere, one JSON object a line (docs/FORMATS.md, section "Logs").

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::dialogue::file::DialogueEvent;
use crate::model::variant::Variant;
use probity_engine::{Diagnostic, Problem, load::diagnose, strict};

const MAX_TURNS: usize = 1000;

/// A dialogue as its user knows it: what they said and what they were answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Its name, unique in its file.
    pub id: String,
    /// What the user said, with what the agent answered before the user spoke again.
    pub turns: Vec<LogTurn>,
    /// How the user was made to behave, where that is known.
    pub planted: Option<Variant>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogTurn {
    pub text: String,
    pub reply: String,
}

/// A line: messages of chat completions, or events as in a file of dialogues. Other keys mean nothing here.
#[derive(Deserialize, JsonSchema)]
struct Line {
    id: String,
    #[serde(default)]
    messages: Vec<ChatMessage>,
    #[serde(default)]
    events: Vec<DialogueEvent>,
    #[serde(default)]
    variant: Option<Variant>,
}

#[derive(Deserialize, JsonSchema)]
struct ChatMessage {
    role: String,
    #[serde(default)]
    content: Value,
}

impl Log {
    /// A log of what parties said in order; what an agent said before any user is no answer to one.
    pub fn new<'t>(id: &str, said: impl IntoIterator<Item = (LogSpeaker, &'t str)>, planted: Option<Variant>) -> Log {
        let mut turns: Vec<LogTurn> = Vec::new();
        for (speaker, text) in said {
            match (speaker, turns.last_mut()) {
                (LogSpeaker::User, _) => turns.push(LogTurn { text: text.to_owned(), reply: String::new() }),
                (LogSpeaker::Agent, Some(turn)) if turn.reply.is_empty() => turn.reply = text.to_owned(),
                (LogSpeaker::Agent, Some(turn)) => turn.reply.push_str(&format!("\n{text}")),
                (LogSpeaker::Agent, None) => {}
            }
        }
        Log { id: id.to_owned(), turns, planted }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSpeaker {
    User,
    Agent,
}

/// Reads the logs of a file.
/// An error: all that is wrong, each with its line and column.
pub fn read(file: &str, text: &str) -> Result<Vec<Log>, Vec<Diagnostic>> {
    let (mut logs, mut wrong, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match read_line(file, line, &mut ids) {
            Ok(log) => logs.push(log),
            Err(found) => wrong.extend(found.into_iter().map(|found| Diagnostic { line: at + 1, ..found })),
        }
    }
    if logs.is_empty() && wrong.is_empty() {
        let help = "write one JSON object a line (docs/FORMATS.md, section \"Logs\")";
        wrong.push(Diagnostic::file(file, "no_dialogues", "it holds no dialogue").help(help));
    }
    if wrong.is_empty() { Ok(logs) } else { Err(wrong) }
}

fn read_line(file: &str, line: &str, ids: &mut BTreeSet<String>) -> Result<Log, Vec<Diagnostic>> {
    let (read, positions) = strict::parse::<Line>(file, line)?;
    let refuse = |at: &str, code: &'static str, message: &str, help: &str| {
        vec![diagnose(file, &positions, Problem::error(at, code, message).help(help))]
    };
    if !ids.insert(read.id.clone()) {
        let message = format!("there is another dialogue `{}` above", read.id);
        return Err(refuse("/id", "duplicate_dialogue", &message, "give each dialogue a name of its own"));
    }
    if !read.messages.is_empty() && !read.events.is_empty() {
        let message = "it has `messages` and `events`";
        return Err(refuse("/events", "bad_value", message, "keep the one that says what was said"));
    }
    let texts: Vec<(LogSpeaker, String)> = match read.messages.is_empty() {
        true => read.events.iter().filter_map(of_event).collect(),
        false => read.messages.iter().filter_map(of_message).collect(),
    };
    let log = Log::new(&read.id, texts.iter().map(|(speaker, text)| (*speaker, text.as_str())), read.variant);
    if log.turns.len() > MAX_TURNS {
        let help = "split the dialogue: nobody behaves in one way for so long";
        return Err(refuse("", "bad_value", "its user has more than 1,000 turns", help));
    }
    match log.turns.iter().all(|turn| turn.text.trim().is_empty()) {
        true => Err(refuse("", "empty_list", "no user says anything", "give `messages` with a `role` of `user`")),
        false => Ok(log),
    }
}

fn of_event(event: &DialogueEvent) -> Option<(LogSpeaker, String)> {
    let user = event.user.clone().map(|text| (LogSpeaker::User, text));
    user.or_else(|| Some((LogSpeaker::Agent, event.text.clone()?)))
}

fn of_message(message: &ChatMessage) -> Option<(LogSpeaker, String)> {
    let speaker = match message.role.as_str() {
        "user" => LogSpeaker::User,
        "assistant" => LogSpeaker::Agent,
        _ => return None,
    };
    let text = match &message.content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    // A user's message without words (a picture) is a turn all the same: turns are counted as the log has them.
    (speaker == LogSpeaker::User || !text.trim().is_empty()).then_some((speaker, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chat_messages_and_events_say_the_same() {
        let chat = r#"{"id": "a", "model": "m", "messages": [{"role": "system", "content": "Serve."}, {"role": "user", "content": "Hello"}, {"role": "assistant", "content": null, "tool_calls": []}, {"role": "tool", "content": "[]"}, {"role": "assistant", "content": [{"type": "text", "text": "Which one?"}]}, {"role": "user", "content": "Blue."}]}"#;
        let events = r#"{"id": "b", "agent": "x", "variant": "ideal", "events": [{"user": "Hello"}, {"message": 1, "text": "Which one?"}, {"user": "Blue."}]}"#;
        let logs = read("f.jsonl", &format!("{chat}\n\n{events}\n")).unwrap();
        assert_eq!(logs[0].turns, logs[1].turns);
        assert_eq!((logs[0].turns[0].reply.as_str(), logs[0].turns[1].reply.as_str()), ("Which one?", ""));
        assert_eq!((logs[0].planted, logs[1].planted), (None, Some(Variant::Ideal)));
    }

    #[test]
    fn turns_are_counted_as_the_log_has_them() {
        let said = r#"{"id": "a", "messages": [{"role": "user", "content": [{"type": "image_url"}]}, {"role": "assistant", "content": "A jar?"}, {"role": "user", "content": ""}, {"role": "user", "content": "Yes."}]}"#;
        let log = read("f.jsonl", said).unwrap().remove(0);
        let texts: Vec<&str> = log.turns.iter().map(|turn| turn.text.as_str()).collect();
        assert_eq!(texts, ["", "", "Yes."]);
        let calls = r#"{"role": "tool", "content": "[]"}, "#.repeat(1500);
        let long = format!(r#"{{"id": "a", "messages": [{calls}{{"role": "user", "content": "x"}}]}}"#);
        assert_eq!(read("f.jsonl", &long).unwrap()[0].turns.len(), 1);
        let silent = r#"{"id": "a", "messages": [{"role": "user", "content": ""}]}"#;
        assert!(read("f.jsonl", silent).is_err());
    }

    #[test]
    fn all_that_is_wrong_is_told() {
        let text = "{\"id\": \"a\"}\n{\"id\": \"b\", \"messages\": [{\"role\": \"user\", \"content\": \"x\"}]}\n{\"id\": \"b\"}\n{}\n";
        let found: Vec<String> = read("f.jsonl", text).unwrap_err().iter().map(ToString::to_string).collect();
        let wanted = ["f.jsonl:1:", "f.jsonl:3:", "f.jsonl:4:"];
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found.iter().zip(wanted).all(|(found, place)| found.starts_with(place)), "{found:#?}");
        assert!(read("f.jsonl", "\n").is_err());
    }
}
