//! The user's side of a dialogue.

mod interface;

pub use interface::{Line, ScriptedUser, User, UserFault, Utterance, reply_in};
