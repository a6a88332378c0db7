//! Agents that try to get numbers which they have not earned. They are written once, over the seam: what an agent is
//! told and hears, and for some of them the benchmark's own oracle.

mod cheat_agent;
mod known;
mod sight;

pub use cheat_agent::{CheatAgent, Jump};
pub use known::Cheat;
