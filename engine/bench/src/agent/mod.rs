//! The agent's side of a dialogue.

mod bubblewrap;
pub mod chat;
mod command_line;
pub mod exec;
mod folder;
mod installation;
mod interface;
pub mod name;
pub(crate) mod process;
pub mod quarters;
mod replay;
pub mod shape;
pub mod spec;

pub use interface::{Agent, AgentFault, AgentMessage, Brief, Heard, Past, Tokens};
pub use replay::ReplayAgent;
