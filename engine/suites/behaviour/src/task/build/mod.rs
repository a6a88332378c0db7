//! From a task file to a [`Task`]: every static check, all problems at once.

mod builder;
mod outcome;
mod variant;

pub use builder::{FORMAT, STATE_DRIFT};
