//! One dialogue: an agent against a user, on the state machine.

pub mod agent;
pub mod chat;
pub mod exec;
pub mod fault;
pub mod heuristic;
pub mod interrupt;
pub mod noop;
pub mod oracle;
pub mod plan;
pub mod play;
mod process;
pub mod prompt;
pub mod replay;
pub mod spec;
pub mod user;
