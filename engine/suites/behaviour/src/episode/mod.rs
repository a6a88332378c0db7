//! One dialogue: an agent against a user, on the state machine.

pub mod fault;
pub mod heuristic;
pub mod play;
pub mod user;
