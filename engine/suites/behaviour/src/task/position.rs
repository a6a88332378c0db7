//! Where a play of a task stands: the state, what the constraint checker remembers, and how many calls were made.

use std::sync::Arc;

use super::Task;
use probity_bench::{Move, Step};
use probity_engine::{Actor, Checker, Environment, ObservedCall, Played, Session, State, ToolCall};

/// A point in a play of a task. A clone is O(1), so that play can go on from it in more than one way.
#[derive(Clone)]
pub struct Position {
    session: Session<Arc<Environment>>,
    checker: Checker,
}

impl Position {
    pub fn start(task: &Task) -> Position {
        let session = Session::new(Arc::clone(task.environment()), task.initial().clone());
        Position { session, checker: Checker::new(task.graph().clone()) }
    }

    pub fn state(&self) -> &State {
        self.session.state()
    }

    /// Makes a call of one side's message `message`.
    pub fn play(&mut self, task: &Task, call: &ToolCall, by: Actor, message: u32) -> (Played, Move) {
        let environment = task.environment();
        let arguments = environment.complete(call);
        let matches = match &arguments {
            Some(arguments) => task.matching_patterns(self.state(), &call.tool, arguments),
            None => Vec::new(),
        };
        let played = self.session.call(call, by);
        let arguments = arguments.unwrap_or_default();
        let call = ObservedCall {
            step: played.step,
            message,
            tool: &call.tool,
            arguments: &arguments,
            observation: played.result.as_ref().ok().map(|applied| &applied.observation),
            is_read: environment.is_read(&call.tool),
            matches: &matches,
        };
        let breaches = self.checker.observe(&call);
        (played, Move { arguments, breaches, after: self.state().clone() })
    }

    /// The same as a step of a trace.
    pub fn step(&mut self, task: &Task, call: ToolCall, by: Actor, message: u32) -> (Step, Move) {
        let (played, made) = self.play(task, &call, by, message);
        (Step::of(played, call, (by, message), self.state()), made)
    }
}
