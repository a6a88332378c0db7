//! `probity play`.

mod command;
mod hand;
mod lines;
mod user;

pub use command::Play;
pub(super) use command::write_run;
