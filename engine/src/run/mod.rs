//! Runs: many rollouts in parallel, recorded in a directory that holds all it needs to be replayed.

pub mod directory;
pub mod rollout;
