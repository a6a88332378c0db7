//! Traces: what happened in an episode, complete enough to be played again.

mod document;
mod header;
pub mod render;

pub use document::Trace;
pub use header::{FORMAT, Header, Limits};
