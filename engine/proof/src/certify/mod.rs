//! `probity certify`: proofs about tasks (docs/AUTHORING.md).
//!
//! A task can be trusted when its oracle solves it, nothing less does, other orders do where they are allowed,
//! every check can fail, and no shorter way exists. Each of these is shown here by playing traces on the engine.

pub(crate) mod alphabet;
pub(crate) mod bound;
pub(crate) mod candidate;
pub mod certificate;
pub(crate) mod early;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod goal;
pub(crate) mod kill;
pub(crate) mod letter;
mod listing;
pub mod minimality;
pub(crate) mod mutant;
pub(crate) mod need;
pub mod no_return;
mod node;
pub(crate) mod offence;
pub(crate) mod omission;
pub(crate) mod order;
mod parts;
pub mod policy_table;
mod proof;
mod referred;
pub mod rules;
pub(crate) mod said;
mod scope;
pub(crate) mod search;
pub(crate) mod slip;
pub mod suite;
pub mod text;

#[cfg(test)]
#[path = "shop_tests.rs"]
pub(crate) mod shop;

pub use proof::certify;
pub use scope::{environment_wide, own_forbidden};
