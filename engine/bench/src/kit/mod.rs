//! What suites are made with: cards as files, tables of a suite's own agents, authored files, worlds of a state.

mod agents;
mod card_file;
mod files;
mod state_world;
mod unread;

pub use agents::{OwnAgent, OwnAgents, knows};
pub(crate) use card_file::{CodeFile, LevelFile, list, maybe, pair, texts, word};
pub use files::{below, read_all, scripts};
pub use state_world::{StateWorld, acting};
