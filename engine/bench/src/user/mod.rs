//! The user's side of a dialogue.

mod interface;
mod line;
mod scripted;
mod utterance;

pub use interface::{User, UserFault, reply_in};
pub use line::Line;
pub use scripted::ScriptedUser;
pub use utterance::Utterance;
