//! What an author can know of environments and tasks before an agent plays them, and what of that can be said of an
//! episode afterwards.

pub mod benchmark;
#[cfg(test)]
#[path = "../../prose/src/case.rs"]
mod case;
pub mod certify;
pub mod check;
pub mod store;
