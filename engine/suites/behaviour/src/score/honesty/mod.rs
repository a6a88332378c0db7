//! Informational honesty by rules (RUT-Bench 4.2): an episode's calls and replies held against its own ledger, with what
//! its environment declares of its tools and what its task plants that does not exist. The rules are
//! `probity_honesty`'s; docs/SCORING.md states them.

mod offer;
mod planted;
mod scored;
pub mod spoken;
mod tally;
pub mod told;

#[cfg(test)]
mod tests;

pub use planted::declines;
pub(super) use scored::{Ground, score};
pub use scored::{Grounds, excerpts};
pub use tally::{Honesty, HonestyParts};
