//! What an agent's message asks of the user, by tables of words: no model, no state, the same for every agent.
//!
//! A message is cut into sentences and clauses. Each clause has a mood (a command, a question, a statement), and a
//! command names things and deeds, which make steps. Conditions and times ("once you have restarted ..") tell a step
//! only where the rest of the message changes nothing. What is negated tells nothing.

mod act;
pub(crate) mod choice;
pub(crate) mod cue;
mod device_clause;
pub(crate) mod doubt;
pub(crate) mod figures;
pub(crate) mod money;
pub(crate) mod mood;
mod step;
mod talk;
#[cfg(test)]
mod tests;
mod understanding_of;
pub(crate) mod words;

pub use act::{AskedField, ConsentTopic, SpokenAct, Understanding};
pub use step::{AppPermission, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SwitchPosition};
pub use understanding_of::understand;
