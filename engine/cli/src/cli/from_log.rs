//! A dialogue of any log as one of a task of ours: which task it was held on, and what happened in our words.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use probity_audit::refusal;
use probity_behaviour::dialogue::file::{Dialogue, DialogueCall, DialogueEvent};
use probity_behaviour::dialogue::replay::{held_on, turns_said};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_bench::EndReason;
use probity_engine::{MAX_FILE_BYTES, read::read_named};
use probity_local::Failure;
use probity_logs::{Arguments, Call, CallResult, Dialogue as Log, Event};

/// Which task a dialogue was held on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    task: String,
    variant: Variant,
}

/// The tasks of dialogues by their ids, as a file of `--map` has them.
pub type TaskMap = BTreeMap<String, Placed>;

/// Reads a file of `--map`.
pub(crate) fn read_map(path: &Path) -> Result<TaskMap, Failure> {
    let text = read_named(path, MAX_FILE_BYTES)
        .map_err(|error| Failure::new(format!("`{}`: {error}", path.display()), "name a file that can be read"))?;
    serde_json::from_str(&text).map_err(|error| {
        let help = "write {\"ID OF A DIALOGUE\": {\"task\": \"DOMAIN/ENVIRONMENT/TASK\", \"variant\": \"ideal\"}, ..}";
        Failure::new(format!("{}:{}:{}: {error}", path.display(), error.line(), error.column()), help)
    })
}

/// A dialogue of a log, on the task that it was held on, and why that is not known where it is not.
pub fn placed(log: &Log, suites: &[Suite], map: &TaskMap) -> (Dialogue, Result<(), String>) {
    let said: Vec<&str> = log.events.iter().filter_map(words_of_user).collect();
    let each = suites.iter().rev().flat_map(|suite| &suite.tasks);
    let tasks: BTreeMap<String, &Task> = each.map(|(id, loaded)| (id.clone(), loaded.task.as_ref())).collect();
    let found = match map.get(&log.id) {
        Some(Placed { task, variant }) => match tasks.get(task) {
            None => Err(format!("there is no task `{task}` below the root")),
            Some(known) if turns_said(known, *variant, &said).is_some() => Ok((task.as_str(), *variant)),
            Some(_) => Err(format!("its user does not begin as that of `{task}` under `{variant}` does")),
        },
        None => held_on(&tasks, &said)
            .ok_or_else(|| "no task's user begins as this one does; say which task it was with --map".to_owned()),
    };
    let (task, variant) = found.as_ref().map_or(("", Variant::Ideal), |found| *found);
    // A task's words may have changed since: of its versions the one of whose turns most were said, of equals the first.
    let versions = suites.iter().rev().filter_map(|suite| Some(suite.tasks.get(task)?.task.as_ref()));
    let said_most = versions.max_by_key(|version| turns_said(version, variant, &said));
    let turns = said_most.and_then(|task| task.behaviour(variant)).map_or(&[][..], |user| &user.turns);
    let dialogue = Dialogue {
        id: log.id.clone(),
        agent: "agent".to_owned(),
        task: task.to_owned(),
        variant,
        user: "log".to_owned(),
        end: EndReason::Completed,
        events: events(log, turns),
        labels: None,
        second_reader: None,
    };
    (dialogue, found.map(drop))
}

fn words_of_user(event: &Event) -> Option<&str> {
    match event {
        Event::User { text, .. } => Some(text),
        Event::Agent { .. } | Event::Told { .. } | Event::Call(_) | Event::UserCall(_) => None,
    }
}

/// What happened; what the user says beside the turns of the script starts no turn.
fn events(log: &Log, turns: &[String]) -> Vec<DialogueEvent> {
    let mut events: Vec<DialogueEvent> = Vec::new();
    let (mut rest, mut last, mut number) = (turns, None, 0);
    let nothing = || DialogueEvent { user: None, extra: false, message: None, text: None, calls: Vec::new() };
    for event in &log.events {
        let message = match event {
            Event::User { text, .. } => {
                let next = rest.split_first().filter(|(turn, _)| turn.split_whitespace().eq(text.split_whitespace()));
                rest = next.map_or(rest, |(_, after)| after);
                let (user, extra) = (Some(text.clone()), next.is_none());
                events.push(DialogueEvent { user, extra, ..nothing() });
                last = None;
                continue;
            }
            Event::Told { .. } | Event::UserCall(_) => continue,
            Event::Agent { message, .. } | Event::Call(Call { message, .. }) => *message,
        };
        if last != Some(message) {
            (last, number) = (Some(message), number + 1);
            events.push(DialogueEvent { message: Some(number), ..nothing() });
        }
        let Some(open) = events.last_mut() else { continue };
        match event {
            Event::Agent { text, .. } => match &mut open.text {
                Some(before) => before.push_str(&format!("\n{text}")),
                None => open.text = Some(text.clone()),
            },
            Event::Call(made) => open.calls.push(call(made)),
            Event::User { .. } | Event::Told { .. } | Event::UserCall(_) => {}
        }
    }
    events
}

fn call(made: &Call) -> DialogueCall {
    // Tools of ours mark what they refuse.
    let error =
        refusal(made, false).map(|reason| serde_json::from_str(&reason).unwrap_or_else(|_| json!({"message": reason})));
    let observation = match &made.result {
        CallResult::Ok { observation } if error.is_none() => Some(observation.clone()),
        CallResult::Ok { .. } | CallResult::Error { .. } | CallResult::Missing => None,
    };
    let arguments = match &made.arguments {
        Arguments::Named(map) => Value::Object(map.clone()),
        Arguments::Raw(text) => Value::from(text.as_str()),
    };
    DialogueCall { tool: made.tool.clone(), arguments, observation, error }
}
