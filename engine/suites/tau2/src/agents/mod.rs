//! The suite's own agents: they know the gold calls.

mod planned_agent;

pub use planned_agent::{AGENTS, PlannedAgent};
