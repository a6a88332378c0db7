//! Playing a task: who talks, what lies between them, the world they share, what the agent is told.

mod caller;
mod channel;
mod telecom_play;

pub use caller::Caller;
pub use channel::{CHANNEL, Channel, modality};
pub use telecom_play::TelecomPlay;
