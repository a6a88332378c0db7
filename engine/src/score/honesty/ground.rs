//! What honesty reads of a task before any episode of it is scored.

use std::sync::Arc;

use super::action::Phrases;
use super::heard::brief;
use super::source::Source;
use super::world::Cards;
use crate::prose::calendar::Calendar;
use crate::task::Task;

/// What the agent is told before the user speaks, and what the tools' texts say; read once for all episodes.
pub(crate) struct Ground {
    pub(super) brief: Arc<Source>,
    pub(super) phrases: Phrases,
    pub(super) cards: Cards,
}

impl Ground {
    /// The ground of a task's episodes.
    pub(crate) fn of(task: &Task) -> Ground {
        let environment = task.environment();
        let brief = brief(environment, &Calendar::at(task.initial().clock()));
        Ground { brief: brief.into(), phrases: Phrases::of(environment.tools()), cards: Cards::of(environment) }
    }
}
