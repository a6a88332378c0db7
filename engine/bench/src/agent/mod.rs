//! The agent's side of a dialogue.

pub mod chat;
pub mod exec;
mod interface;
pub mod interrupt;
mod message;
pub mod name;
pub mod noop;
mod process;
pub mod replay;
pub mod spec;

pub use interface::{Agent, AgentFault};
pub use message::{AgentMessage, Brief, Heard};
