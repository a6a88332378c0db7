//! L1: every tool of an environment is called in many states with valid and invalid arguments, and what
//! happens is held against what the file declares. The exploration is seeded: the same files give the same
//! calls. What it cannot reach within its bounds it reports; it never proves that something cannot happen.

pub(crate) mod bank;
pub(crate) mod cases;
pub(crate) mod coverage;
mod domain;
mod draw;
mod exploration;
mod explorer;
mod findings;
mod goals;
mod invalid;
pub mod journey;
mod limits;
mod places;
#[cfg(test)]
mod recall_tests;
pub mod table;
mod vocabulary;
mod wanderer;

pub use exploration::{Exploration, Explored, check, explore, tasks_of};
pub use findings::broken_at_start;
pub(super) use findings::{Flaw, fault_of_tool};
