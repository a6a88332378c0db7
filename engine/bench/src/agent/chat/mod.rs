//! Agents behind a model provider: a dialogue as chat completions.

mod agent;
mod blocks;

pub use agent::{ChatAgent, system};
