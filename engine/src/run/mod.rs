//! Runs: many rollouts in parallel, recorded in a directory that holds all it needs to be replayed.

pub mod config;
pub mod directory;
pub mod execute;
pub mod plan;
pub mod record;
pub mod replay;
