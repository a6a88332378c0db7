//! A state machine as the world of an episode: one state that the tools of both sides act on.

use std::ops::Deref;

use crate::event::Step;
use crate::world::{Move, World};
use probity_engine::{Actor, Environment, Hash, Session, State, ToolCall};

/// A session as a world.
#[derive(Clone)]
pub struct StateWorld<E> {
    session: Session<E>,
    is_alone: bool,
}

impl<E: Deref<Target = Environment>> StateWorld<E> {
    /// A world that begins in a state of this environment.
    pub fn new(environment: E, beginning: State) -> StateWorld<E> {
        StateWorld { session: Session::new(environment, beginning), is_alone: false }
    }

    /// The same, where an agent may be alone, without a user.
    #[must_use]
    pub fn alone(self, is_alone: bool) -> StateWorld<E> {
        StateWorld { is_alone, ..self }
    }
}

/// For whom a call counts: what an agent alone does with a tool of the user's, it does as the user.
pub fn acting(environment: &Environment, is_alone: bool, tool: &str, by: Actor) -> Actor {
    let is_users = || environment.tool(tool).is_some_and(|tool| tool.actor == Actor::User);
    if is_alone && by == Actor::Agent && is_users() { Actor::User } else { by }
}

impl<E: Deref<Target = Environment> + Clone + Send + Sync> World for StateWorld<E> {
    fn call(&mut self, call: ToolCall, by: Actor, message: u32) -> (Step, Option<Move>) {
        let actor = acting(self.session.environment(), self.is_alone, &call.tool, by);
        let played = self.session.call(&call, actor);
        (Step::of(played, call, (by, message), self.session.state()), None)
    }

    fn state(&self) -> Option<&State> {
        Some(self.session.state())
    }

    fn fingerprint(&self) -> Hash {
        self.session.environment().fingerprint(self.session.state())
    }
}
