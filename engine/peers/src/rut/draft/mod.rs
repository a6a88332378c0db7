//! Drafts from the peer's samples: an environment without bodies, and its tasks. What could not be derived is listed.

mod drafts;
mod environment;
mod names;
mod schema;
mod slot;
mod task;

pub use drafts::{Drafts, drafts};
