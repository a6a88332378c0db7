//! The ticket suite: recorded service dialogues of a cloud provider, resolved checkpoint by checkpoint, as CirrusBench
//! means them (docs/TICKETS.md).

mod agents;
mod benchmark;
mod card;
pub mod judge;
pub mod measures;
pub mod model;
mod play;
pub mod preparation;
pub mod recording;
pub mod resolution;
mod score;
mod suite;
mod wanted;

pub use benchmark::{REGISTERED, TicketBenchmark};
pub use suite::TicketSuite;
