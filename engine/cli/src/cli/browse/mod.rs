//! `probity show RUNDIR --browse`: a run in the terminal. Only this file touches the terminal.

mod app;
mod terminal;
mod view;

pub(super) use terminal::browse;
