//! `atif`: trajectories of Harbor, in steps.

use serde_json::Value;

use crate::call::{answered, called};
use crate::draft::{Draft, Speaker};
use crate::json;
use crate::pairing::Side;
use crate::remark::Remark;
use crate::unread::Unit;

/// Reads a trajectory.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    let value = &unit.value;
    draft.id = json::name(value, &["session_id", "trajectory_id", "id"]);
    value.pointer("/agent/tool_definitions").into_iter().for_each(|tools| draft.tools(tools));
    if value.get("subagent_trajectories").and_then(Value::as_array).is_some_and(|list| !list.is_empty()) {
        draft.remark(Remark::Subagent);
    }
    if value.get("continued_from").is_some_and(|earlier| !earlier.is_null()) {
        draft.remark(Remark::EarlierLog);
    }
    "/steps".clone_into(&mut draft.list);
    let Some(steps) = value.get("steps").and_then(Value::as_array) else {
        return draft.unread_at("/steps", "it has no `steps`", "a trajectory has its `steps`, each with a `source`");
    };
    for (at, value) in steps.iter().enumerate() {
        step(draft, at, value);
    }
}

fn step(draft: &mut Draft, at: usize, value: &Value) {
    draft.start(value.get("timestamp"));
    let message = json::field(value, &["message"]).unwrap_or(&Value::Null);
    match json::text(value, &["source"]) {
        Some("system") => draft.say(Speaker::System, at, message),
        Some("user") => draft.say(Speaker::User, at, message),
        Some("agent") => draft.say(Speaker::Agent, at, message),
        _ => {
            let help = "a step's `source` is `system`, `user` or `agent`; the others were read";
            return draft.unread(at, "nobody knows whose step this is", help);
        }
    }
    if json::text(value, &["reasoning_content"]).is_some_and(|thought| !thought.is_empty()) {
        draft.remark(Remark::Thought);
    }
    for call in value.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        match called(call) {
            Some(call) => draft.call(Side::Agent, at, call),
            None => draft.unread(at, "a call has no `function_name`", "write the name of the tool"),
        }
    }
    let results = value.pointer("/observation/results").and_then(Value::as_array);
    for result in results.into_iter().flatten() {
        let is_subagent = result.get("subagent_trajectory_ref").is_some_and(|link| !link.is_null());
        draft.remark_times(Remark::Subagent, u32::from(is_subagent));
        draft.result(Side::Agent, at, answered(result));
    }
}
