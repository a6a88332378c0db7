//! The peer's files: samples, blueprints and results (spec A). Read strictly where we use them, and all problems at
//! once.

mod files;
pub(crate) mod shape;

pub use files::{PeerFiles, PeerPaths, text};
