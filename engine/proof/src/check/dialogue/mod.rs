//! L3: what the users of a task say, and what an agent can know by it.
//!
//! Every argument of an oracle and everything it must say is known from somewhere by then; every turn is
//! answered; every behaviour is really there; no outcome is met by words that say nothing.

mod checker;
pub(crate) mod facts;
pub mod inference;
pub(crate) mod origin;
pub(crate) mod scene;

#[cfg(test)]
mod dialogue_tests;

pub use checker::{check, is_same};
