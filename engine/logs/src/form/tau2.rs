//! `tau2`: simulations of tau2-bench, whose user has tools as well, and trajectories of tau-bench.

use serde_json::Value;

use crate::draft::{Draft, Speaker};
use crate::form::chat;
use crate::json;
use crate::message::messages;
use crate::unread::Unit;

/// Reads a simulation, or a trajectory.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    let value = &unit.value;
    if value.get("simulation_index").is_some() {
        let help = "give the files of the simulations, which stand beside this one";
        return draft.unread_at("/simulation_index", "the simulations stand in files of their own", help);
    }
    let trial = json::name(value, &["trial"]);
    let named = json::name(value, &["id"]).filter(|_| value.get("traj").is_none());
    let task = json::name(value, &["task_id"]);
    draft.id = named.or_else(|| Some(format!("{}/{}", task?, trial.as_deref().unwrap_or("0"))));
    draft.start(json::field(value, &chat::STARTS));
    let told = ["/info/environment_info", "/environment_info"];
    let told = told.iter().find_map(|at| unit.beside(at).or_else(|| value.pointer(at)));
    if let Some(told) = told {
        json::field(told, &["policy"]).into_iter().for_each(|policy| draft.brief(policy));
        json::field(told, &["tool_defs", "tools"]).into_iter().for_each(|tools| draft.tools(tools));
    } else if let Some(policy) = json::text(value, &["policy"]) {
        draft.say(Speaker::System, 0, &Value::String(policy.to_owned()));
    }
    let list = json::field(value, &["messages", "traj"]).and_then(Value::as_array).filter(|list| !list.is_empty());
    match list {
        Some(list) => messages(draft, if value.get("traj").is_some() { "/traj" } else { "/messages" }, list),
        None if value.get("ticks").is_some_and(|ticks| !ticks.is_null()) => {
            let help = "write the simulation out as text: voice is told in ticks, which are not read";
            draft.unread_at("/ticks", "it was spoken, and has no messages", help);
        }
        None => draft.unread_at("/messages", "it holds no messages", "look why the simulation ended before it began"),
    }
}
