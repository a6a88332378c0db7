//! Faults of form: tools that do not exist.

use super::arguments::tried_first;
use super::draft::Draft;
use super::severity::Severity;
use crate::episode::plan::Plan;
use crate::model::variant::Variant;
use crate::task::Task;

/// Calls tools that do not exist, then does everything right: one, two or four of them.
pub fn unknown_tool(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let first = played.first()?;
    let endings = ["_fast", "_direct", "_by_voice", "_silently", "_in_bulk", "_offline"];
    let names = endings.iter().map(|ending| format!("{}{ending}", first.call.tool));
    let unknown = names.filter(|name| task.environment().tool(name).is_none());
    let arguments = first.call.arguments.as_object()?;
    let tries = unknown.take(severity.times()).map(|name| (0, name, arguments.clone()));
    tried_first(&draft, tries.collect()).map(Draft::into_plan)
}
