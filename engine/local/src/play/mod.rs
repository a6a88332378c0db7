//! Play by hand: an environment's tools called one by one, taken back and forked, and one side of a task's
//! dialogue. Nothing here reads from or writes to a terminal or a file.

pub mod answer;
pub mod command;
pub mod complete;
pub mod draft;
mod known;
#[cfg(test)]
#[path = "sample_tests.rs"]
mod sample;
pub mod save;
pub mod session;
pub mod typed;
pub mod value;
pub mod view;
