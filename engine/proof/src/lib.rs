//! What an author can know of environments and tasks before an agent plays them, and what of that can be said of an
//! episode afterwards.

pub mod benchmark;
pub mod certify;
pub mod check;
pub mod store;
