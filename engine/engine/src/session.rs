//! A session: calls of any side, played one after another on one state.

use std::ops::Deref;

use serde_json::Value;

use super::environment::Environment;
use super::state::State;
use super::stepped::{Applied, Fired, Stepped};
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::model::rejection::Rejection;

/// A state of an environment that calls lead on, with moments to go back to. A clone is a fork: both go on from here,
/// each for itself.
#[derive(Clone)]
pub struct Session<E> {
    environment: E,
    start: State,
    state: State,
    steps: u32,
    marked: Vec<(State, u32)>,
}

/// What came of a call in a session.
#[derive(Clone, Debug)]
pub struct Played {
    /// The number of the call, from 1.
    pub step: u32,
    /// What the caller gets back and what changed, or why the call was refused.
    pub result: Result<Applied, Rejection>,
    /// Events that fired before the call.
    pub fired: Vec<Fired>,
    /// What the script printed.
    pub prints: Vec<String>,
}

impl<E: Deref<Target = Environment>> Session<E> {
    /// A session that begins in a state of this environment.
    pub fn new(environment: E, start: State) -> Session<E> {
        Session { environment, state: start.clone(), start, steps: 0, marked: Vec::new() }
    }

    /// Makes a call of one side.
    pub fn call(&mut self, call: &ToolCall, by: Actor) -> Played {
        self.steps += 1;
        // The call has the state to itself, if it is not marked, and so writes it in place; the start stands there
        // meanwhile.
        let before = std::mem::replace(&mut self.state, self.start.clone());
        let Stepped { after, result, fired, prints } = self.environment.advance(before, call, by);
        self.state = after;
        Played { step: self.steps, result, fired, prints }
    }

    /// Makes a call as the side whose tool it is, and gives what comes back.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn call_as_owner(&mut self, call: &ToolCall) -> Result<Value, Rejection> {
        let owner = self.environment.tool(&call.tool).map_or(Actor::Task, |tool| tool.actor);
        self.call(call, owner).result.map(|applied| applied.observation)
    }

    /// Marks this moment, for [`Session::undo`].
    pub fn mark(&mut self) {
        self.marked.push((self.state.clone(), self.steps));
    }

    /// Goes back to the last mark, which is then gone. False where there is none.
    pub fn undo(&mut self) -> bool {
        let Some((state, steps)) = self.marked.pop() else { return false };
        (self.state, self.steps) = (state, steps);
        true
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Where it began.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// Where it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its end.
    pub fn into_state(self) -> State {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::Difficulty;
    use crate::model::rejection::RejectionKind;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn what_is_taken_back_was_never_made_and_forks_do_not_meet() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let desk = Environment::load(&root, "travel_hospitality/front_desk").unwrap();
        let start = desk.populate(Difficulty::Easy, 41).unwrap();
        let mut session = Session::new(&desk, start.clone());
        let call = ToolCall::new("write_note", json!({"booking_id": "B0001", "note": "Arrives late."}));
        assert!(!session.undo(), "nothing is marked");
        session.mark();
        let made = session.call(&call, Actor::Agent);
        assert_eq!((made.step, made.result.is_ok()), (1, true), "{:?}", made.result);
        let (mut fork, noted) = (session.clone(), session.state().sum());
        assert!(session.undo() && session.state().sum() == start.sum() && fork.state().sum() == noted);
        assert_eq!(session.call_as_owner(&call).unwrap(), made.result.unwrap().observation);
        assert!(fork.undo() && session.state().sum() == noted && fork.state().sum() == start.sum());
        assert_eq!(
            fork.call_as_owner(&ToolCall::new("nothing", json!({}))).unwrap_err().kind,
            RejectionKind::UnknownTool
        );
    }
}
