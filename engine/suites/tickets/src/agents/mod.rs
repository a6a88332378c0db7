//! Agents whose numbers are known by construction.

mod planned;

pub use planned::{AGENTS, PlannedAgent};
