//! `atif`: trajectories as Harbor reads them, one a file or one a line.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use crate::episode::{Episodes, Exported, Source};
use crate::message::{Message, Said, arguments, call_id, details, put, shown};
use probity_engine::{canonical, write_once, write_out};

const VERSION: &str = "ATIF-v1.8";
/// How the name of a file of lines ends; anything else is a folder.
const LINES: &str = "jsonl";
/// Most characters of a file's name, its number aside.
const MAX_NAME: usize = 120;

pub(crate) const NO_PLACE: [&str; 4] = [
    "scores, findings, the end reason and how it was played: in `extra` of the trajectory",
    "what a user's words were beside what the agent heard: in `extra` of the step",
    "that a call was refused: in the words of its result, and in `extra` with what the call changed",
    "times: an episode knows no clock",
];

pub(crate) fn refusal(out: &Path) -> Option<&'static str> {
    let ending = out.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("json") => Some("a file of trajectories has one a line: let its name end in `.jsonl`, or name a folder"),
        Some(LINES) => None,
        Some(_) | None if fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) => {
            Some("the folder is not empty: name a new one, or a file that ends in `.jsonl`")
        }
        Some(_) | None => None,
    }
}

pub(crate) fn write(out: &Path, source: Source, episodes: Episodes) -> io::Result<()> {
    if out.extension().is_some_and(|ending| ending == LINES) {
        return write_once(out, |file| {
            for episode in episodes {
                writeln!(file, "{}", canonical::to_string(&trajectory(source, &episode?)))?;
            }
            Ok(())
        });
    }
    fs::create_dir_all(out)?;
    for (at, episode) in episodes.enumerate() {
        let episode = episode?;
        let text = canonical::to_string(&trajectory(source, &episode));
        let path = out.join(format!("{:06}-{}.json", at + 1, plain(&episode.record.name())));
        write_out(&path, |file| file.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// A name with nothing in it that is not fit for a file's.
fn plain(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    name.chars().take(MAX_NAME).map(fit).collect()
}

fn trajectory(source: Source, episode: &Exported) -> Value {
    let record = &episode.record;
    let told = episode.system().map(|text| json!({"source": "system", "message": text}));
    let messages = episode.messages();
    let mut steps: Vec<Value> = told.into_iter().chain(messages.iter().map(step)).collect();
    if steps.is_empty() {
        steps.push(json!({"source": "system", "message": ""}));
    }
    for (at, step) in steps.iter_mut().filter_map(Value::as_object_mut).enumerate() {
        step.insert("step_id".to_owned(), json!(at + 1));
    }
    let mut agent = json!({"name": record.agent, "version": record.trace.header.engine});
    put(&mut agent, "model_name", source.model(&record.agent).map(Value::from));
    put(&mut agent, "tool_definitions", Some(episode.tools()).filter(|tools| !tools.is_empty()).map(Value::from));
    let mut metrics = json!({"total_steps": steps.len()});
    if let Some(usage) = &record.usage {
        put(&mut metrics, "total_prompt_tokens", Some(usage.prompt_tokens.into()));
        put(&mut metrics, "total_completion_tokens", Some(usage.completion_tokens.into()));
        put(&mut metrics, "total_cached_tokens", Some(usage.cached_tokens.into()));
        // Answers that gave no count make the sums too low.
        let uncounted = (usage.uncounted > 0).then(|| json!({"uncounted": usage.uncounted}));
        put(&mut metrics, "extra", uncounted);
    }
    json!({
        "schema_version": VERSION, "session_id": record.name(), "trajectory_id": record.name(), "agent": agent,
        "steps": steps, "final_metrics": metrics, "extra": episode.metadata,
    })
}

fn step(message: &Message) -> Value {
    match message {
        Message::User(text, beside) => json!({"source": "user", "message": text, "extra": beside}),
        Message::Told(text) => json!({"source": "system", "message": text}),
        Message::Agent(said) => said_step(said),
    }
}

fn said_step(said: &Said) -> Value {
    let mut step =
        json!({"source": "agent", "message": said.text.unwrap_or_default(), "extra": {"message": said.number}});
    let calls = said
        .calls
        .iter()
        .map(|made| json!({"tool_call_id": call_id(made), "function_name": made.tool, "arguments": arguments(made)}));
    let results = said
        .calls
        .iter()
        .map(|made| json!({"source_call_id": call_id(made), "content": shown(made), "extra": details(made)}));
    if !said.calls.is_empty() {
        put(&mut step, "tool_calls", Some(calls.collect()));
        put(&mut step, "observation", Some(json!({"results": results.collect::<Vec<Value>>()})));
    }
    put(&mut step, "metrics", said.tokens.map(|tokens| json!({"completion_tokens": tokens})));
    step
}
