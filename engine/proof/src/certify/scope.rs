//! Which checks are the environment's, and which the task's own.

use super::candidate::{Item, Items};
use super::goal::Goal;
use probity_behaviour::task::Task;

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

/// The checks of a goal: its own, and the constraint graph's.
pub fn items(goal: &Goal) -> Items {
    let (outcome, graph) = (goal.outcome, goal.task.graph());
    let achieves = (0..outcome.achieves.len()).map(Item::Achieves);
    let preserves = (0..outcome.preserves.len()).map(Item::Preserves);
    let said = (0..outcome.must_say.len()).map(Item::MustSay);
    let forbidden = (0..outcome.forbidden.len()).map(Item::Forbidden);
    let edges = (0..graph.edges().len()).map(Item::Edge);
    let exclusions = (0..graph.exclusions().len()).map(Item::Exclusion);
    let held = (0..goal.held.len()).map(Item::Held);
    achieves.chain(preserves).chain(said).chain(forbidden).chain(edges).chain(exclusions).chain(held).collect()
}
