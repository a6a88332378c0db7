//! What an agent's message asks of the user, by tables of words: no model, no state, the same for every agent.
//!
//! A message is cut into sentences and clauses. Each clause has a mood (a command, a question, a statement), and a
//! command names things and deeds, which make steps. Conditions and times ("once you have restarted ..") tell a step
//! only where the rest of the message changes nothing. What is negated tells nothing.

mod act;
mod device_clause;
pub(crate) mod figures;
pub(crate) mod mood;
#[cfg(test)]
mod tests;
mod understanding_of;
pub(crate) mod words;

pub use act::{
    AppPermission, AskedField, ConsentTopic, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SpokenAct,
    SwitchPosition, Understanding,
};
pub use understanding_of::understand;
