//! Other benchmarks' files, audited by their own rules.

pub mod conform;
pub mod rut;
