//! Conformance: vectors of other benchmarks' scorers, held against ours.

pub(crate) mod case;
pub(crate) mod examiner;
