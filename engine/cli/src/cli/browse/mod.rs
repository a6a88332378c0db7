//! `probity show RUNDIR --browse`: a run in the terminal. Only this file touches the terminal.

mod app;
#[cfg(test)]
#[path = "../../../../suites/behaviour/tests/sample/mod.rs"]
#[expect(dead_code, reason = "whole runs are for the tests of reports")]
mod sample;
mod terminal;
mod view;

pub(super) use terminal::browse;
