//! `probity check`: what loading cannot see. Oracles are played (L2) and turns are read for leaks;
//! `--all` explores the environments as well (L1), and asks of every dialogue what an agent can know by it (L3).

pub mod dialogue;
pub mod environment;
mod full_marks;
pub(crate) mod leaks;
pub(crate) mod oracle;
pub mod policy;
mod suite;
mod texts;
pub mod update;

pub use suite::{Sheets, check, check_all, check_dialogues, check_one, sheets};
pub use texts::TO_DO;
