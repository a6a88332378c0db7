//! `probity certify`: proofs about tasks (docs/AUTHORING.md).
//!
//! A task can be trusted when its oracle solves it, nothing less does, other orders do where they are allowed,
//! every check can fail, and no shorter way exists. Each of these is shown here by playing traces on the engine.

pub(crate) mod alphabet;
pub(crate) mod bound;
pub(crate) mod candidate;
pub mod certificate;
pub mod diagnosis;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod goal;
pub(crate) mod kill;
pub mod minimality;
pub(crate) mod mutant;
pub(crate) mod need;
pub mod no_return;
mod node;
pub(crate) mod offence;
pub(crate) mod order;
mod parts;
mod proof;
pub mod rules;
pub(crate) mod search;
pub(crate) mod slip;

#[cfg(test)]
#[path = "shop_tests.rs"]
pub(crate) mod shop;

pub use candidate::{environment_wide, own_forbidden};
pub use proof::{certify, rules_violated};
