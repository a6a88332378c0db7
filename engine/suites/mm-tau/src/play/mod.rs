//! Playing a task: who talks, what lies between them, the world they share, what the agent is told.

mod brief;
mod caller;
mod channel;
mod service;
mod telecom_play;

pub use brief::brief;
pub use caller::Caller;
pub use channel::{CHANNEL, Channel, modality};
pub use service::AGENTS;
pub use telecom_play::TelecomPlay;
