//! Playing a task: who talks, what lies between them, the world they share, what the agent is told.

mod caller;
mod telecom_play;

pub use caller::{CHANNEL, Caller, Channel, modality};
pub use telecom_play::TelecomPlay;
