//! `probity certify`: proofs about tasks (DESIGN 10, L4).
//!
//! A task can be trusted when its oracle solves it, nothing less does, other orders do where they are allowed,
//! every check can fail, and no shorter way exists. Each of these is shown here by playing traces on the engine.

pub mod alphabet;
mod assertable;
pub mod bound;
pub mod candidate;
pub mod certificate;
pub mod early;
pub mod facts;
pub mod fault;
pub mod goal;
pub mod kill;
pub mod known;
pub mod limits;
mod listing;
pub mod minimality;
pub mod mutant;
pub mod need;
pub mod no_return;
mod node;
pub mod offence;
pub mod omission;
pub mod order;
pub mod policy_table;
mod proof;
pub mod reason;
mod referred;
mod rows;
pub mod rules;
pub mod said;
mod scope;
pub mod search;
pub mod slip;
pub mod suite;
pub mod text;

#[cfg(test)]
#[path = "shop_tests.rs"]
mod shop;

pub use proof::certify;
pub use scope::{environment_wide, own_forbidden};
