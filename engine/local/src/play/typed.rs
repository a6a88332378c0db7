//! The user's side of a task by hand: what the agent does is told as it happens, and each turn is asked for.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use probity_behaviour::episode::user::{User, UserFault, Utterance};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Event, Heard, Usage};

/// What goes on, for whoever plays the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Message(AgentMessage),
    Observations(Vec<Value>),
    Turn,
}

/// A user whose turns are typed; no answer ends the dialogue.
#[derive(Clone)]
pub struct TypedUser {
    tell: Sender<Told>,
    turns: Arc<Mutex<Receiver<String>>>,
}

impl TypedUser {
    pub fn new(tell: Sender<Told>, turns: Receiver<String>) -> Self {
        TypedUser { tell, turns: Arc::new(Mutex::new(turns)) }
    }
}

impl User for TypedUser {
    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        // Whoever no longer listens or types has ended the dialogue.
        let typed = self
            .tell
            .send(Told::Turn)
            .ok()
            .and_then(|()| self.turns.lock().unwrap_or_else(PoisonError::into_inner).recv().ok());
        Ok(typed.map(Utterance::scripted))
    }
}

/// An agent whose messages are told before they are carried out.
pub struct Overheard {
    agent: Box<dyn Agent>,
    tell: Sender<Told>,
}

impl Overheard {
    pub fn new(agent: Box<dyn Agent>, tell: Sender<Told>) -> Self {
        Overheard { agent, tell }
    }

    /// Tells what goes on; that nobody listens any more is found out at the next turn.
    fn tell(&self, told: Told) {
        drop(self.tell.send(told));
    }
}

impl Agent for Overheard {
    fn start(&mut self, brief: &Brief) -> Result<(), AgentFault> {
        self.agent.start(brief)
    }

    fn expect_extra(&mut self) {
        self.agent.expect_extra();
    }

    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        if let Heard::Observations(returned) = heard {
            self.tell(Told::Observations(returned.clone()));
        }
        let message = self.agent.respond(heard)?;
        self.tell(Told::Message(message.clone()));
        Ok(message)
    }

    fn usage(&self) -> Option<Usage> {
        self.agent.usage()
    }

    fn errors(&mut self) -> Option<String> {
        self.agent.errors()
    }
}
