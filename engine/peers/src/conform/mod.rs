//! Conformance: vectors of other benchmarks' scorers, held against ours.

pub(crate) mod case;
pub(crate) mod examiner;
mod family;
pub(crate) mod tally;

pub use family::Family;
