//! The user's side of a dialogue.

mod interface;
mod scripted;
mod utterance;

pub use interface::{User, UserFault, reply_in};
pub use scripted::ScriptedUser;
pub use utterance::Utterance;
