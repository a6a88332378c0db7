//! `probity check`: what loading cannot see. Oracles are played (L2) and turns are read for leaks;
//! `--all` explores the environments as well (L1), and asks of every dialogue what an agent can know by it (L3).

pub mod dialogue;
pub mod environment;
pub mod leaks;
pub mod oracle;
pub mod policy;
mod suite;
pub mod update;

pub use suite::{Sheets, check, check_all, check_dialogues};
