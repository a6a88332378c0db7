//! CirrusBench: conformance vectors of its rules (`cirrusbench.md`), held against the ticket suite.

mod aggregate;
pub mod import;
pub mod kind;
mod recording;
mod resolution;
mod turns;

#[cfg(test)]
mod tests;
