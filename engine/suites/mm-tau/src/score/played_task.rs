//! A task of any world, as it is played and scored.

use std::sync::Arc;

use dyn_clone::DynClone;

use super::fields::CriticalFields;
use super::retold::Retold;
use crate::measures::{AgentAct, EscalationVerdict};
use crate::people::{ServiceManner, UserMove};
use crate::telecom::Persona;
use probity_bench::{Agent, Event, Finding, Step, Trace, Wanted};
use probity_engine::{Environment, Hash, State, ToolCall};

/// A task with the world that it is at home in.
pub trait PlayedTask {
    fn environment(&self) -> &Arc<Environment>;
    /// Of all that the task says.
    fn hash(&self) -> Hash;
    /// The state in which it begins; nothing where the world refuses that.
    fn beginning(&self) -> Option<State>;
    /// What an agent is told beside the rules of the world, and what guards against early hand-overs.
    fn manual(&self) -> (&'static str, &'static str);
    /// The names of the user, for a line on which names are misheard.
    fn names(&self) -> Vec<&str>;
    fn person(&self, persona: Persona) -> Box<dyn Person>;
    fn agent(&self, manner: ServiceManner) -> Box<dyn Agent>;
    fn wanted(&self, persona: Persona) -> Wanted;

    fn fields(&self) -> CriticalFields;
    /// Calls for which an agent that knows all asks leave.
    fn asks_leave_for(&self) -> Vec<ToolCall>;
    /// Whether a call that was carried out finds out who the user is.
    fn identifies(&self, step: &Step) -> bool;
    /// Whether the user's words alone tell who they are.
    fn is_identified_by(&self, _heard: &str) -> bool {
        false
    }
    /// Fields that some words tell, critical or not.
    fn told_in(&self, heard: &str) -> Vec<&str>;
    /// Whether who looks at what the records have named has taken nothing wrong.
    fn forgives_looks(&self) -> bool {
        false
    }
    /// What became of the hand-over.
    fn verdict(&self, retold: &Retold) -> EscalationVerdict;
    /// Whether that is what the task wants, where no finding says otherwise.
    fn wants(&self, _verdict: &EscalationVerdict) -> bool {
        true
    }
    /// What was done wrong, but for the hand-over.
    fn findings(&self, retold: &Retold, trace: &Trace) -> Vec<Finding>;
    /// What is wrong with a hand-over, if something is.
    fn wrong_hand_over(&self, verdict: &EscalationVerdict) -> Option<String>;
}

/// Who calls.
pub trait Person: DynClone + Send + Sync {
    /// What they do next, after what happened since their last move.
    fn next_move(&mut self, since: &[Event]) -> UserMove;
    /// The conversation, as a channel knows it.
    fn conversation(&self) -> &str;
    /// What a message does, as the measures count it; nothing where that is known only once they have heard it.
    fn reads(&self, text: &str) -> Option<Vec<AgentAct>>;
    /// What the message that they heard last does.
    fn acts(&self) -> Vec<AgentAct>;
    /// Whether they were not refused what has to be refused.
    fn is_unrefused(&self) -> bool {
        false
    }
}

dyn_clone::clone_trait_object!(Person);
