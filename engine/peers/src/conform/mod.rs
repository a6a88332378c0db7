//! Conformance: vectors of other benchmarks' scorers, held against ours.

pub mod case;
pub mod examiner;
mod family;
pub mod tally;

pub use family::Family;
