//! What every benchmark shares: the seam ([`benchmark`], [`card`], [`world`]), agents, users and their dialogue,
//! traces, run directories, providers, statistics.

pub mod agent;
pub mod benchmark;
pub mod card;
pub mod dialogue;
pub mod event;
pub mod levels;
pub mod provider;
pub mod run;
pub mod scores;
pub mod stats;
pub mod trace;
pub mod usage;
pub mod user;
pub mod verdict;
pub mod world;
