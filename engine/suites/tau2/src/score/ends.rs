//! The states that an episode is graded by: where it ended, and where the gold calls end.

use crate::model::TaskFile;
use crate::play::{Mode, actor_of};
use probity_bench::Trace;
use probity_engine::{Environment, State};

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
        let mut reached = beginning.clone();
        for step in trace.steps().filter(|step| !environment.is_read(&step.tool)) {
            let actor = actor_of(environment, mode, &step.tool, step.actor);
            reached = environment.advance(reached, &step.call(), actor).after;
        }
        let mut gold = beginning.clone();
        for call in &task.gold {
            gold = environment.advance(gold, &call.call(), call.side).after;
        }
        let is_gold_idle = gold.sum() == beginning.sum();
        Ends { reached, gold, is_gold_idle }
    }
}
