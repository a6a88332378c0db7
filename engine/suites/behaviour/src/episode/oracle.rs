//! The oracle agent: plays the first accepted outcome and says its replies.

use super::plan::{Plan, PlanAgent};
use crate::model::variant::Variant;
use crate::task::Task;

/// The oracle of a task under a behaviour; `None` when the task has no such variant.
pub fn agent(task: &Task, variant: Variant) -> Option<PlanAgent> {
    Plan::of_oracle(task, variant).map(PlanAgent::new)
}
