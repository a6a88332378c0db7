//! Play by hand: an environment's tools called one by one, taken back and forked, and one side of a task's
//! dialogue. Nothing here reads from or writes to a terminal or a file.

pub(crate) mod answer;
pub(crate) mod command;
pub(crate) mod complete;
pub(crate) mod draft;
mod known;
#[cfg(test)]
#[path = "sample_tests.rs"]
mod sample;
pub(crate) mod save;
pub(crate) mod session;
pub(crate) mod typed;
pub(crate) mod value;
pub(crate) mod view;
pub(crate) mod words;
