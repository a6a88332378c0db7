//! Logs of agents in any form, as `annotate` labels them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cli::audit::inputs::{LogInput, files};
use crate::cli::output;
use probity_behaviour::annotate::labels::{Log, LogSpeaker};
use probity_local::Failure;
use probity_logs::{Dialogue, Event, Form, Reader};

/// Most turns of a user: nobody behaves in one way for so long.
const MAX_TURNS: usize = 1000;
/// Most problems that are told.
const MAX_TOLD: usize = 20;

/// The dialogues of what was named; what cannot be read is told, and the rest is read.
pub fn logs(named: &[PathBuf], form: Option<Form>) -> Result<Vec<Log>, Failure> {
    let files = files(named)?;
    let (mut logs, mut told) = (Vec::new(), files.unread);
    let mut ids: BTreeMap<String, u32> = BTreeMap::new();
    let mut passed: Vec<String> = Vec::new();
    for file in &files.found {
        let input = LogInput::File(file);
        let name = input.name();
        let opened = match input.open() {
            Ok(opened) => opened,
            Err(unread) => {
                told.push(unread);
                continue;
            }
        };
        for read in Reader::new(&name, opened, form) {
            match read.map(|dialogue| (log(&dialogue, &mut ids), dialogue)) {
                Ok((Ok(log), _)) => logs.push(log),
                Ok((Err(why), dialogue)) => {
                    passed.push(format!("{name}:{}: `{}` {why}", dialogue.source.line, dialogue.id));
                }
                Err(unread) => told.push(unread),
            }
        }
    }
    let all = told.iter().map(|unread| format!("not read: {unread}"));
    let all: Vec<String> = all.chain(passed.iter().map(|why| format!("not labelled: {why}"))).collect();
    all.iter().take(MAX_TOLD).for_each(|line| output::note(line));
    if all.len() > MAX_TOLD {
        output::note(&format!("and {} more", all.len() - MAX_TOLD));
    }
    match logs.is_empty() {
        false => Ok(logs),
        true => {
            let help = "name logs in a form of docs/FORMATS.md, section \"Logs of agents\", in which a user speaks";
            Err(Failure::new("there is no dialogue to label", help))
        }
    }
}

/// A dialogue as its user knows it. Logs give names twice; a later one has a number behind it.
fn log(dialogue: &Dialogue, ids: &mut BTreeMap<String, u32>) -> Result<Log, &'static str> {
    let said = dialogue.events.iter().filter_map(|event| match event {
        Event::User { text, .. } => Some((LogSpeaker::User, text.as_str())),
        Event::Agent { text, .. } => Some((LogSpeaker::Agent, text.as_str())),
        Event::Told { .. } | Event::Call(_) | Event::UserCall(_) => None,
    });
    let times = ids.entry(dialogue.id.clone()).or_default();
    *times += 1;
    let id = if *times > 1 { format!("{} #{times}", dialogue.id) } else { dialogue.id.clone() };
    let planted = dialogue.variant.as_ref().and_then(|variant| variant.parse().ok());
    let log = Log::new(&id, said, planted);
    match log.turns.len() {
        0 => Err("has no word of a user"),
        1..=MAX_TURNS => Ok(log),
        _ => Err("has more than 1,000 turns of a user; split it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Log, &'static str>> {
        let mut ids = BTreeMap::new();
        Reader::new("f.jsonl", text.as_bytes(), None).map(|read| log(&read.unwrap(), &mut ids)).collect()
    }

    #[test]
    fn forms_say_the_same_of_a_user() {
        let chat = r#"{"id": "a", "messages": [{"role": "system", "content": "Serve."}, {"role": "user", "content": "Hello"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": "{}"}}]}, {"role": "tool", "content": "[]"}, {"role": "assistant", "content": [{"type": "text", "text": "Which one?"}]}, {"role": "user", "content": [{"type": "image_url"}]}]}"#;
        let ours = r#"{"id": "a", "agent": "x", "variant": "ideal", "task": "t", "events": [{"user": "Hello"}, {"message": 1, "text": "Which one?"}, {"user": "[image_url]"}]}"#;
        let share = r#"{"id": "c", "conversations": [{"from": "human", "value": "Hello"}, {"from": "gpt", "value": "Which one?"}, {"from": "human", "value": "[image_url]"}]}"#;
        let logs: Vec<Log> = [chat, ours, share].into_iter().flat_map(read).map(Result::unwrap).collect();
        assert_eq!(logs[0].turns.len(), 2);
        assert!(logs.iter().all(|log| log.turns == logs[0].turns), "{logs:#?}");
        assert_eq!(logs[1].planted, Some(probity_behaviour::model::variant::Variant::Ideal));
        let both: Vec<String> = read(&format!("{chat}\n{chat}\n")).into_iter().map(|log| log.unwrap().id).collect();
        assert_eq!(both, ["a", "a #2"]);
    }

    #[test]
    fn who_has_no_user_is_not_labelled() {
        let silent = r#"{"messages": [{"role": "assistant", "content": "Hello?"}]}"#;
        assert_eq!(read(silent), [Err("has no word of a user")]);
        let turn = r#"{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}, "#.repeat(1001);
        let long = format!(r#"{{"messages": [{}]}}"#, turn.trim_end_matches(", "));
        assert!(read(&long)[0].is_err());
    }
}
