//! The user's side of a dialogue.

mod interface;
mod scripted;

pub use interface::{Line, User, UserFault, Utterance, reply_in};
pub use scripted::ScriptedUser;
