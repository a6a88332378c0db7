//! Runs: many rollouts in parallel, recorded in a directory that holds all it needs to be replayed.

mod command;
pub mod config;
pub mod directory;
pub mod episodes;
pub mod error;
pub mod execute;
pub mod journal;
pub mod merge;
pub mod part;
pub mod plan;
pub mod record;
pub mod replay;
pub mod unit;
