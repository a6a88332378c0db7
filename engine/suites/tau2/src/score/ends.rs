//! The states that an episode is graded by: where it ended, and where the gold calls end.

use crate::model::TaskFile;
use crate::play::Mode;
use probity_bench::{Trace, kit::acting};
use probity_engine::{Environment, Session, State};

pub struct Ends {
    /// After the episode's calls.
    pub reached: State,
    /// After the gold calls; what is refused there counts as not done.
    pub gold: State,
    pub is_gold_idle: bool,
}

impl Ends {
    /// The ends of a trace and of the gold calls, both from the task's beginning.
    ///
    /// tau2-bench brings both sides together after each call of the episode, but not between gold calls; here it is
    /// part of every call. No task of it is graded by the databases of a world in which that makes a difference.
    pub fn of(environment: &Environment, mode: Mode, task: &TaskFile, beginning: &State, trace: &Trace) -> Ends {
        let (mut reached, is_alone) = (Session::new(environment, beginning.clone()), mode == Mode::Solo);
        let mut gold = reached.clone();
        for step in trace.steps().filter(|step| !environment.is_read(&step.tool)) {
            reached.call(&step.call(), acting(environment, is_alone, &step.tool, step.actor));
        }
        for call in &task.gold {
            gold.call(&call.call(), call.side);
        }
        let is_gold_idle = gold.state().sum() == beginning.sum();
        Ends { reached: reached.into_state(), gold: gold.into_state(), is_gold_idle }
    }
}
