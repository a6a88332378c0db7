//! From a task file to a [`Task`]: every static check, all problems at once.

mod builder;
mod context;
mod outcome;
mod predicate;
mod variant;

pub(crate) use builder::unbound;
pub use builder::{FORMAT, STATE_DRIFT};
pub(crate) use variant::ways_to_say;
