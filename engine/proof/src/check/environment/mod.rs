//! L1: every tool of an environment is called in many states with valid and invalid arguments, and what
//! happens is held against what the file declares. The exploration is seeded: the same files give the same
//! calls. What it cannot reach within its bounds it reports; it never proves that something cannot happen.

pub mod cases;
mod domain;
mod draw;
mod exploration;
mod explorer;
mod findings;
mod goals;
pub mod journey;
mod places;
#[cfg(test)]
mod recall_tests;
mod vocabulary;

pub use exploration::{Exploration, Explored, check, check_states, explore, tasks_of};
pub use findings::broken_at_start;
pub(super) use findings::{Flaw, fault_of_tool};
