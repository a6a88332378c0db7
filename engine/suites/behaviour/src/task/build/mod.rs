//! From a task file to a [`Task`]: every static check, all problems at once.

mod builder;
mod context;
mod matching;
mod outcome;
mod predicate;
mod presumption;
mod variant;

pub use builder::{FORMAT, STATE_DRIFT};
