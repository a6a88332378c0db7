//! What every benchmark shares: traces, verdicts, the agents' providers, statistics.

pub mod event;
pub mod provider;
pub mod stats;
pub mod trace;
pub mod usage;
pub mod verdict;
