//! The suite from outside: measures against naive second forms, tasks against the files of tau2-bench.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail, and says what it skips"
)]

mod commands;
mod composite;
mod compositions;
mod desk;
mod escalation;
mod hostile;
mod inference;
mod misled;
mod pass;
mod peer;
mod recordings;
mod schedule;
mod trace;
mod vectors;
mod words;
