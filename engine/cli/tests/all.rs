//! The tests of the whole program, in one binary: one link, and all cores until the last test. Choose by name:
//! `cargo test --test all certificates`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::explicit_write,
    clippy::disallowed_methods,
    reason = "a test stops, says what it skips, waits in real time and hears from its environment what to do"
)]

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod dial;
mod support;

mod board;
mod certificates;
mod cheats;
mod circles;
mod corpus;
mod detect;
mod docs;
mod doors;
mod exports;
mod faults;
mod forms;
mod fuzzed;
mod gate;
mod gate_trust;
mod honesty;
mod hostile;
mod judge;
mod kills;
mod labelled;
mod layering;
mod ledgers;
mod licences;
mod memory;
mod oracle_traces;
mod page;
mod pages;
mod python_package;
mod record;
mod said;
mod schemas;
mod scoring;
mod scripts;
mod seam;
mod sessions;
mod shards;
mod short;
mod sweep;
mod tickets;
mod tool_cases;
mod user_checker;
mod users;
