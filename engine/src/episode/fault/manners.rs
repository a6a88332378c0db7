//! Faults of form: tools that do not exist.

use super::arguments::early;
use super::draft::Draft;
use crate::episode::plan::Plan;
use crate::model::ids::Variant;
use crate::task::Task;

/// Calls a tool that does not exist, then does everything right.
pub fn unknown_tool(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let first = played.first()?;
    let endings = ["_fast", "_direct", "_by_voice"];
    let mut names = endings.iter().map(|ending| format!("{}{ending}", first.call.tool));
    let name = names.find(|name| task.environment().tool(name).is_none())?;
    Some(early(&draft, 0, &name, first.call.arguments.as_object()?).into_plan())
}
