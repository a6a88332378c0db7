//! What suites are made with: texts that are kept, authored files, worlds of a state.

mod files;
mod kept;
mod state_world;

pub use files::{below, read_all, scripts};
pub(crate) use kept::{kept_all, list, maybe, pair, texts, word};
pub use state_world::{StateWorld, acting};
