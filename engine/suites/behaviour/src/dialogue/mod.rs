//! Dialogues from elsewhere: an agent's log that is replayed on a task, and what readers say of it.

pub mod agreement;
pub mod file;
pub mod held_on;
pub mod labels;
pub mod overlap;
pub mod replay;
mod stand_in;
