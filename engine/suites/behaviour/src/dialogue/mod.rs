//! Dialogues from elsewhere: an agent's log that is replayed on a task, and what readers say of it.

pub mod agreement;
pub mod file;
pub mod replay;
