//! Which checks are the environment's, and which the task's own.

use super::candidate::Item;
use super::goal::Goal;
use super::kill::items;
use crate::task::Task;

/// How many edges and exclusions of a task's graph are its environment's; these come first.
pub fn environment_wide(task: &Task) -> (usize, usize) {
    task.graph().inherited()
}

/// The outcome's own checks and the task's constraints; those of the environment are looked at over all tasks.
pub(super) fn own_items(goal: &Goal) -> impl Iterator<Item = Item> {
    items(goal).into_iter().filter(|item| !is_environment_wide(goal, *item))
}

/// Whether a check is the environment's, and so looked at over all its tasks.
pub(super) fn is_environment_wide(goal: &Goal, item: Item) -> bool {
    let (edges, exclusions) = environment_wide(goal.task);
    match item {
        Item::Edge(index) => index < edges,
        Item::Exclusion(index) => index < exclusions,
        Item::Forbidden(index) => index >= own_forbidden(goal),
        Item::Achieves(_) | Item::Preserves(_) | Item::MustSay(_) | Item::Held(_) => false,
    }
}

/// How many of the forbidden calls are the outcome's own; these come first.
pub fn own_forbidden(goal: &Goal) -> usize {
    let everywhere = goal.task.environment().file().forbidden.len();
    goal.outcome.forbidden.len().saturating_sub(everywhere)
}
