//! What became of the records, and of the hand-over.

use serde_json::Value;

use crate::desk::reading::tells;
use crate::desk::task::{DeskTask, StageEnd};
use crate::measures::EscalationVerdict;
use probity_engine::{State, ToolCall};

pub const TRANSFER: &str = "transfer_to_human_agents";

/// Whether the records are as they ought to be; upper and lower case make no difference.
pub fn is_as_wanted(task: &DeskTask, beginning: State, last: &State) -> bool {
    let ended = task.gold().try_fold(beginning, |state, call| task.after(&state, call));
    ended.is_ok_and(|ended| ended.hash() == last.hash() || is_same(&ended.to_json(), &last.to_json()))
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one.to_lowercase() == other.to_lowercase(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has_same = |(name, one): (&String, &Value)| other.get(name).is_some_and(|other| is_same(one, other));
            one.len() == other.len() && one.iter().all(has_same)
        }
        (one, other) => one == other,
    }
}

/// The verdict on the hand-over; `calls` were carried out, in order.
pub fn desk_verdict(task: &DeskTask, calls: &[ToolCall]) -> EscalationVerdict {
    let at = calls.iter().position(|call| call.tool == TRANSFER);
    match (task.hand_over(), at) {
        (None, None) => EscalationVerdict::NotEscalated,
        (None, Some(_)) => EscalationVerdict::Unwarranted,
        (Some(_), None) => EscalationVerdict::Missed,
        (Some(stage), Some(at)) => {
            let before = calls.get(..at).unwrap_or_default();
            let looks = &stage.file.looks;
            let has_looked = looks.is_empty() || looks.iter().any(|look| before.contains(&look.made()));
            let missing = || looks.iter().map(|look| look.tool.clone()).collect();
            if has_looked { EscalationVerdict::Correct } else { EscalationVerdict::Premature { missing: missing() } }
        }
    }
}

pub fn untold(task: &DeskTask, replies: &[&str]) -> Vec<String> {
    let wanted = task.wishes.iter().filter_map(|stages| stages.last()).flat_map(|stage| &stage.file.tells);
    wanted.filter(|value| !replies.iter().any(|text| tells(text, value))).cloned().collect()
}

/// Looks without which nobody knows that something has to be refused, and that were not taken: who does nothing at all
/// has refused nothing.
pub fn unlooked(task: &DeskTask, calls: &[ToolCall]) -> Vec<String> {
    let refused =
        task.wishes.iter().filter_map(|stages| stages.last()).filter(|stage| stage.file.ends == StageEnd::Refused);
    let missing = refused.flat_map(|stage| &stage.file.looks).filter(|look| !calls.contains(&look.made()));
    missing.map(|look| look.tool.clone()).collect()
}
