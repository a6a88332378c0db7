//! The ticket suite: recorded service dialogues of a cloud provider, resolved checkpoint by checkpoint, as CirrusBench
//! means them (`cirrusbench.md`).

pub mod judge;
pub mod measures;
pub mod model;
pub mod preparation;
pub mod recording;
pub mod resolution;
mod suite;

pub use suite::TicketSuite;
