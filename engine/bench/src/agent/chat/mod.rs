//! Agents behind a model provider: a dialogue as chat completions.

mod agent;
pub(crate) mod blocks;

pub use agent::ChatAgent;
