//! CirrusBench: conformance vectors of its rules, held against the ticket suite.

mod aggregate;
pub(crate) mod import;
pub(crate) mod kind;
mod resolution;
