//! A call that is made in many states.

use std::sync::Arc;

use super::recalled::{Made, Outcomes, Recall};
use crate::environment::Environment;
use crate::model::call::ToolCall;
use crate::model::environment_file::Actor;
use crate::state::State;

/// A call of an environment that is made in many states, with what came of it so far.
pub struct RepeatedCall {
    environment: u64,
    call: ToolCall,
    actor: Actor,
    known: Outcomes<Made>,
}

impl RepeatedCall {
    /// A call that was made nowhere yet.
    pub fn new(environment: &Environment, call: ToolCall, actor: Actor) -> RepeatedCall {
        RepeatedCall { environment: environment.number, call, actor, known: Outcomes::default() }
    }
}

impl Recall {
    /// What comes of a call in a state, as [`Environment::step`] says; the script runs only where the state shows it
    /// something new.
    pub fn step(&mut self, environment: &Environment, repeated: &mut RepeatedCall, before: &State) -> Arc<Made> {
        let run = |before| environment.run(before, &repeated.call, repeated.actor);
        if repeated.environment != environment.number {
            return Arc::new(Made::of(before.clone(), run).0);
        }
        if let Some(made) = repeated.known.find(self, before) {
            return made;
        }
        let (made, looked) = Made::of(before.clone(), run);
        let bytes = made.bytes();
        repeated.known.keep(self, looked, Arc::new(made), bytes)
    }
}
